// The hand of the reader: it drags a body while the motion rests, and pulls it while it goes on.

const NEAR = 14, TOUCHING = 26, CATCHING = 40;  // pixels around a body: for a mouse, for a finger, as it moves
const TURNED = 0.25;  // the most that a coordinate changes between two solutions [rad, or part of the size]
const SOLUTIONS = 16, SWING = 0.7;  // of a drag; the period of a body on the spring of the hand [s]
let hand = null;

/** The bones of a part: a line between two points of its body, and how far it reaches around. */
function bone(part) {
  if (part.kind === "limb") return [part.a, part.b, Math.max(part.thick, part.thin)];
  if (part.kind === "ball") return [part.centre, part.centre, part.radius];
  if (part.kind === "cylinder") {
    const along = times(part.half, part.axis);
    return [minus(part.centre, along), plus(part.centre, along), part.radius];
  }
  if (part.kind !== "mesh") return null;
  const middle = times(1 / part.vertices.length, part.vertices.reduce(plus));
  const reach = Math.min(...part.vertices.map((p) => Math.hypot(...minus(p, middle))));
  return [middle, middle, 0.7 * reach];
}

/** The body under the pointer, with the place on it: { body, local }. */
function bodyAt(x, y, near) {
  const all = posesAt(indexAt(now));
  let best = null;
  data.bodies.forEach((body, k) => {
    for (const part of k ? body.parts : []) {
      const line = bone(part);
      if (!line) continue;
      const [a, b] = [placed(all[k], line[0]), placed(all[k], line[1])], [A, B] = [camera.at(a), camera.at(b)];
      const [u, v] = [B[0] - A[0], B[1] - A[1]], length2 = u * u + v * v;
      const share = length2 ? clamp(((x - A[0]) * u + (y - A[1]) * v) / length2, 0, 1) : 0;
      const away = Math.hypot(x - A[0] - share * u, y - A[1] - share * v) - line[2] * camera.scale;
      const P = onPage(plus(a, times(share, minus(b, a))), x, y);
      const rank = Math.max(away, 0) - 1e-3 * camera.depth(P);
      if (away < near && (!best || rank < best.rank)) best = { rank, body: k, local: placed(inverse(all[k]), P) };
    }
  });
  return best;
}

/** The point as far from the reader as another one, at a place of the page. */
function onPage(p, x, y) {
  const [X, Y] = camera.at(p);
  return plus(p, plus(times((x - X) / camera.scale, camera.right), times((Y - y) / camera.scale, camera.top)));
}

function grab(event) {
  if (event.shiftKey || event.button > 0) return false;
  const near = playing ? CATCHING : event.pointerType === "touch" ? TOUCHING : NEAR;
  const found = bodyAt(event.offsetX, event.offsetY, near);
  if (!found || (playing && !running.pushed)) return false;
  hand = { ...found, id: event.pointerId, x: event.offsetX, y: event.offsetY, drags: !playing };
  if (hand.drags) beginDrag();
  else beginPull();
  canvas.classList.add("holding");
  return true;
}

function haul(event) {
  if (!hand || event.pointerId !== hand.id) return false;
  Object.assign(hand, { x: event.offsetX, y: event.offsetY });
  if (hand.drags) dragOn();
  stale = true;
  return true;
}

function release(event) {
  if (!hand || event.pointerId !== hand.id) return;
  const { drags } = hand;
  hand = null;
  canvas.classList.remove("holding");
  if (drags) changed();
  else {
    running.pulled = null;
    running.push(running.forces, running.count - 1);
  }
}

/** Position and axes of a body in a state: p, then a function from its frame to the ground. */
function poseIn(y, body) {
  const [px, py, pz, ...R] = running.of("view", y).subarray(12 * (body - 1), 12 * body);
  return ([x, u, v]) => [0, 3, 6].map((k, i) => [px, py, pz][i] + R[k] * x + R[k + 1] * u + R[k + 2] * v);
}

/** The velocities of a point of a body, one for each unit speed; zero where that does not carry it. */
function leversOf(y, body, P) {
  const axes = running.of("axes", y), levers = Array.from({ length: running.nv }, () => [0, 0, 0]);
  for (const k of data.live.carrying[body - 1]) {
    const [wx, wy, wz, vx, vy, vz] = axes.subarray(6 * k, 6 * k + 6);
    levers[k] = plus([vx, vy, vz], cross([wx, wy, wz], P));
  }
  return levers;
}

// --- at rest: the mechanism follows by assembly

function beginDrag() {
  const y = Float64Array.from(running.row(indexAt(now).low));
  y.fill(0, running.nq, running.nq + running.nv + 1);
  running.startFrom(y, -1, 0);
  trace(0);
  seek(first);
}

/** One move of the hand: small motions that loops allow, each closed by Newton's method. */
function dragOn() {
  const { nq, nv, plain } = running, { body, local } = hand;
  let y = Float64Array.from(running.from), free = Infinity;
  for (let k = 0; k < SOLUTIONS; k += 1) {
    const P = poseIn(y, body)(local), away = minus(onPage(P, hand.x, hand.y), P);
    const wanted = [dot(away, camera.right), dot(away, camera.top)];
    if (Math.hypot(...wanted) < 1e-5 * data.unit) break;
    const levers = leversOf(y, body, P), N = running.of("axes", y).slice(6 * nv), allowed = running.allowed(y);
    const moves = allowed.map((d) => {
      const u = levers.reduce((sum, lever, i) => plus(sum, times(d[i], lever)), [0, 0, 0]);
      return [dot(u, camera.right), dot(u, camera.top)];
    });
    const shares = leastSquares(moves, wanted);
    free = moves.reduce((most, m) => Math.max(most, Math.hypot(...m)), k ? free : 0);
    const v = Array.from({ length: nv }, (_, i) => shares.reduce((sum, x, j) => sum + x * allowed[j][i], 0));
    const change = Array.from({ length: nq }, (_, i) => v.reduce((sum, x, j) => sum + N[i * nv + j] * x, 0));
    const share = Math.min(1, TURNED / Math.max(...change.map(Math.abs), 1e-12));
    const next = Float64Array.from(y);
    change.forEach((x, i) => { next[i] += share * x; });
    const closed = plain.motion.has("close") ? plain.closed(next, running.times[0]) : next;
    if (!closed) break;
    y = closed;
  }
  say(free < 1e-9 * data.unit ? words["live held"] : "");
  running.startFrom(y, -1, 0);
  trace(0);
}

/** Shares x of moves (n × 2) with the sum that is wanted, as small as they can be. */
function leastSquares(moves, [a, b]) {
  let [uu, uv, vv] = [0, 0, 0];
  for (const [u, v] of moves) [uu, uv, vv] = [uu + u * u, uv + u * v, vv + v * v];
  const softened = 1e-6 * (uu + vv) + 1e-30, det = (uu + softened) * (vv + softened) - uv * uv;
  const [x, y] = [((vv + softened) * a - uv * b) / det, ((uu + softened) * b - uv * a) / det];
  return moves.map(([u, v]) => u * x + v * y);
}

// --- while it moves: a spring to the hand, from sample to sample

function beginPull() {
  const { low, share } = indexAt(now);
  running.cut(Math.min(low + (share > 0 ? 1 : 0), running.count - 1));
  running.pulled = pull;
}

/** The forces along the speeds that the spring of the hand gives at a state. */
function pull(y) {
  const { body, local } = hand, { nq, nv } = running, P = poseIn(y, body)(local);
  const whole = data.bodies.reduce((sum, { mass }) => sum + mass, 0) || 1;
  const mass = Math.max(data.bodies[body].mass, 0.1 * whole), stiffness = mass * (2 * Math.PI / SWING) ** 2;
  const levers = leversOf(y, body, P), v = y.subarray(nq, nq + nv);
  const velocity = levers.reduce((sum, lever, k) => plus(sum, times(v[k], lever)), [0, 0, 0]);
  const damped = times(0.7 * Math.sqrt(stiffness * mass), velocity);
  const F = minus(times(stiffness, minus(onPage(P, hand.x, hand.y), P)), damped);
  hand.force = Math.hypot(...F);
  return levers.map((lever) => dot(F, lever) + 0).map((x, k) => x + running.forces[k]);
}

function drawHand(all) {
  if (!hand) return;
  const at = camera.at(placed(all[hand.body], hand.local));
  context.beginPath();
  context.arc(...at, 5, 0, 2 * Math.PI);
  context.fillStyle = theme.mark;
  context.fill();
  if (hand.drags) return;
  arrow(context, at, [hand.x, hand.y], theme.mark, 2.4);
  if (hand.force) label(`${figures(hand.force, 3)} N`, [hand.x, hand.y - 14], theme.mark);
}
