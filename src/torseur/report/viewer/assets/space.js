// Vectors, quaternions (x, y, z, w) and poses [px, py, pz, qx, qy, qz, qw].

const plus = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
const minus = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const times = (k, a) => [k * a[0], k * a[1], k * a[2]];
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [
  a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0],
];
const unit = (a) => times(1 / (Math.hypot(...a) || 1), a);
const clamp = (x, low, high) => Math.min(high, Math.max(low, x));
const NOWHERE = [0, 0, 0, 0, 0, 0, 1];  // the ground

/** A free vector given in the frame of a pose, in the ground: v + 2 q × (q × v + w v). */
function turned(X, v) {
  const q = [X[3], X[4], X[5]], w = X[6];
  const t = plus(cross(q, v), times(w, v));
  return plus(v, times(2, cross(q, t)));
}

/** A point given in the frame of a pose, in the ground. */
const placed = (X, p) => plus([X[0], X[1], X[2]], turned(X, p));

/** X_AC from X_AB and X_BC. */
function composed(A, B) {
  const [ax, ay, az, aw] = A.slice(3), [bx, by, bz, bw] = B.slice(3);
  return [
    ...placed(A, B),
    aw * bx + ax * bw + ay * bz - az * by,
    aw * by - ax * bz + ay * bw + az * bx,
    aw * bz + ax * by - ay * bx + az * bw,
    aw * bw - ax * bx - ay * by - az * bz,
  ];
}

/** X_BA from X_AB. */
function inverse(A) {
  const back = [0, 0, 0, -A[3], -A[4], -A[5], A[6]];
  return [...times(-1, turned(back, A)), ...back.slice(3)];
}

/** A pose between two others; their quaternions are on the same side. */
function between(A, B, share) {
  const X = A.map((x, k) => x + share * (B[k] - x));
  const size = Math.hypot(X[3], X[4], X[5], X[6]);
  for (let k = 3; k < 7; k++) X[k] /= size;
  return X;
}

/** Numbers written in base64; numbers that are there already stay. */
function unpacked(text, Kind = Float32Array) {
  return ArrayBuffer.isView(text) ? text : new Kind(Uint8Array.from(atob(text), (c) => c.charCodeAt(0)).buffer);
}

/** A parallel projection: the vertical is upwards on the page unless one looks along it. */
class Camera {
  constructor({ up, first, azimuth, elevation }) {
    Object.assign(this, { up, first, azimuth, elevation, scale: 1, x: 0, y: 0 });
    this.second = cross(up, first);
    this.aim();
  }

  aim() {
    const [c, s] = [Math.cos(this.azimuth), Math.sin(this.azimuth)];
    const away = plus(times(c, this.first), times(s, this.second));
    const [e, f] = [Math.cos(this.elevation), Math.sin(this.elevation)];
    this.reader = plus(times(e, away), times(f, this.up));
    this.right = cross(this.up, away);
    this.top = cross(this.reader, this.right);
  }

  /** Turn about a point, which stays where it is on the page. */
  orbit(dx, dy, pivot) {
    const [x, y] = this.at(pivot);
    this.azimuth -= 0.008 * dx;
    this.elevation = clamp(this.elevation + 0.008 * dy, -Math.PI / 2, Math.PI / 2);
    this.aim();
    const [X, Y] = this.at(pivot);
    this.x += x - X;
    this.y += y - Y;
  }

  /** Look from a direction, with `right` to the right of the page. */
  look(reader, right) {
    const height = clamp(dot(reader, this.up), -1, 1);
    const away = Math.abs(height) > 0.999 ? cross(right, this.up) : reader;
    this.elevation = Math.asin(height);
    this.azimuth = Math.atan2(dot(away, this.second), dot(away, this.first));
    this.aim();
  }

  /** Enlarge about a point of the page. */
  zoom(factor, x, y) {
    this.scale *= factor;
    this.x = x + factor * (this.x - x);
    this.y = y + factor * (this.y - y);
  }

  at(p) {
    return [this.x + this.scale * dot(p, this.right), this.y - this.scale * dot(p, this.top)];
  }

  depth(p) {
    return dot(p, this.reader);
  }

  /** Show balls [[centre, radius], …] as large as a width and a height allow. */
  fit(balls, width, height, room) {
    let [left, right, low, high] = [Infinity, -Infinity, Infinity, -Infinity];
    for (const [p, r] of balls) {
      const [u, v] = [dot(p, this.right), dot(p, this.top)];
      [left, right] = [Math.min(left, u - r), Math.max(right, u + r)];
      [low, high] = [Math.min(low, v - r), Math.max(high, v + r)];
    }
    const wide = Math.max(right - left, 1e-9), tall = Math.max(high - low, 1e-9);
    const above = Math.max(room, 48);  // the buttons are there
    const inside = (whole, margin) => Math.max(whole - 2 * margin, whole / 2);  // of a small window, half
    this.scale = Math.min(inside(width, room) / wide, inside(height, above) / tall);
    this.x = width / 2 - (this.scale * (left + right)) / 2;
    this.y = height / 2 + (this.scale * (low + high)) / 2;
  }
}
