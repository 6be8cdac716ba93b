// The motion that the page carries: samples, the poses between them, how far it goes.

const s = unpacked(data.s, Float64Array), count = data.bodies.length, still = s.length < 2;
const first = s[0], last = s[s.length - 1], poses = unpacked(data.poses);
let values = null;  // of the coordinates that its reader moves

for (const panel of data.curves) for (const line of panel.lines) line.values = unpacked(line.values);
for (const curve of data.offered) {
  curve.values = Float64Array.from(unpacked(curve.values, Int16Array), (k) => curve.middle + k * curve.step);
}
for (const joint of data.joints) if (joint.force) joint.force = unpacked(joint.force);

/** How many samples there are, and until when they reach. */
const known = () => (running ? running.count : s.length), until = () => s[known() - 1];

/** The largest reaction, for the length of arrows. */
const largestForce = () => data.joints.reduce((most, { force }) => {
  for (let k = 0; force && k < 3 * known(); k += 3) most = Math.max(most, Math.hypot(force[k], force[k + 1], force[k + 2]));
  return most;
}, 0);
let strongest = largestForce();
const heaviest = Math.max(...data.bodies.map((body) => body.mass), 0);

/** The sample before a time, and the share of the way to the next. */
function indexAt(time) {
  let low = 0, high = s.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (s[middle] <= time) low = middle;
    else high = middle;
  }
  return { low, share: still ? 0 : clamp((time - s[low]) / (s[low + 1] - s[low]), 0, 1) };
}

const sample = (k, body) => {
  const start = 7 * (k * (count - 1) + body - 1);
  return body ? Array.from(poses.subarray(start, start + 7)) : NOWHERE;
};

function posesAt({ low, share }) {
  if (values) return treePoses(data.tree, values, count);
  const all = Array.from({ length: count }, (_, body) => sample(low, body));
  return share ? all.map((X, body) => between(X, sample(low + 1, body), share)) : all;
}

/** The path of each point, from a sample on. */
function trace(from = 0) {
  for (const point of data.points) {
    point.path = (point.path || []).slice(0, from);
    for (let k = point.path.length; k < known(); k++) point.path.push(placed(sample(k, point.body), point.at));
  }
}
trace();

/** The balls that hold a body, for a view that shows all of it. */
function bounds(body) {
  const balls = body.places.map((p) => [p, 0.2 * data.unit]);
  for (const part of body.parts) {
    if (part.kind === "limb") balls.push([part.a, part.thick], [part.b, part.thin]);
    else if (part.kind === "path") part.points.forEach((p) => balls.push([p, 0]));
    else if (part.kind === "mesh") part.vertices.forEach((p) => balls.push([p, 0]));
    else if (part.kind === "ball") balls.push([part.centre, part.radius]);
    else for (const end of [-1, 1]) balls.push([plus(part.centre, times(end * part.half, part.axis)), part.radius]);
  }
  return balls;
}

/** The balls that hold what moves at some samples; with the ground, if it is wanted. */
function held(samples, ground) {
  const balls = [];
  data.bodies.forEach((body, k) => {
    if (!k && !ground) return;
    const own = bounds(body);
    for (const i of k ? samples : [0]) {
      const X = values ? posesAt({})[k] : sample(i, k);
      for (const [p, r] of own) balls.push([placed(X, p), r]);
    }
  });
  return balls;
}
const some = () => Array.from({ length: Math.min(60, known()) }, (_, k) =>
  Math.round((k * (known() - 1)) / Math.max(1, Math.min(60, known()) - 1)));

/** The longest side of a box around balls. */
function extent(balls) {
  const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
  for (const [p, r] of balls) {
    for (const k of [0, 1, 2]) [low[k], high[k]] = [Math.min(low[k], p[k] - r), Math.max(high[k], p[k] + r)];
  }
  return Math.max(...minus(high, low));
}

/** Whether what moves goes so far that all of its way would show it too small. */
function goesFar() {
  const up = data.camera.up, level = ([p, r]) => [minus(p, times(dot(p, up), up)), r];
  const seen = (balls) => extent(data.touching ? balls.map(level) : balls);  // with the ground it falls on
  const tied = data.ties.flatMap(({ ends }) => ends).filter(([body]) => !body).map(([, p]) => [p, 0]);
  const way = seen(held(some(), false)), own = seen(held([0], false));
  return way > 20 * own || way > 10 * seen([...held([0], false), ...tied]);
}
const travels = goesFar();

/** The middle of the bodies. */
const middle = (all) => times(1 / Math.max(1, count - 1), all.slice(1).reduce((sum, X) => plus(sum, X), [0, 0, 0]));
