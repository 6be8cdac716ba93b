// The picture: bodies, traces, forces and names at one time, seen by the camera.

const canvas = $("scene"), context = canvas.getContext("2d");
const camera = new Camera(data.camera), timed = data.axis.unit === "s" && data.axis.name === "t";
const pace = timed ? 1 : (last - first) / 6;  // of the axis in a second, at speed 1
const HUES = [213, 158, 282, 190, 338, 128, 250, 24];
const shown = {};  // what the reader wants to see
let aimed = false;  // whether the reader turned, moved or enlarged the picture
let now = first, playing = false, speed = 1, theme = null, stale = true, followed = null;

function fit() {
  const balls = shown.follow ? held([indexAt(now).low], false) : held(some(), true);
  const room = Math.min(48, 0.08 * canvas.clientWidth) * (shown.follow ? 2.5 : 1);
  camera.fit(balls, canvas.clientWidth, canvas.clientHeight, room);
  followed = null;
  aimed = false;
  stale = true;
}

/** Keep the middle of the bodies where it is on the page. */
function follow(all) {
  const [x, y] = camera.at(middle(all));
  if (followed) {
    const [X, Y] = camera.at(followed);
    camera.x += X - x;
    camera.y += Y - y;
  }
  followed = middle(all);
}

// --- colours

const triple = (text) => {  // #rrggbb, or hue, saturation and lightness
  if (typeof text === "string") return [1, 3, 5].map((k) => parseInt(text.trim().slice(k, k + 2), 16));
  const [h, sat, l] = text, a = sat * Math.min(l, 1 - l);
  return [0, 8, 4].map((n) => {
    const k = (n + h / 30) % 12;
    return 255 * (l - a * Math.max(-1, Math.min(k - 3, 9 - k, 1)));
  });
};

function readTheme() {
  const style = getComputedStyle(root), read = (name) => style.getPropertyValue(`--${name}`).trim();
  const dark = read("dark") === "1";
  const own = HUES.map((h) => dark
    ? [triple([h, 0.32, 0.83]), triple([h, 0.28, 0.42])] : [triple([h, 0.5, 0.95]), triple([h, 0.33, 0.6])]);
  const pair = (name) => [triple(read(`${name}-a`)), triple(read(`${name}-b`))];
  const tile = document.createElement("canvas"), c = tile.getContext("2d");
  tile.width = tile.height = 8;
  c.fillStyle = read("panel");
  c.fillRect(0, 0, 8, 8);
  c.strokeStyle = read("quiet");
  c.globalAlpha = 0.55;
  for (const shift of [-8, 0, 8]) {
    c.beginPath();
    c.moveTo(shift - 1, 9);
    c.lineTo(shift + 9, -1);
    c.stroke();
  }
  theme = {
    ink: read("ink"), soft: read("quiet"), text: read("text"), panel: read("panel"), line: read("quiet"),
    stick: read("stick"), slip: read("slip"), roll: read("roll"), push: read("normal"),
    axes: [read("x"), read("y"), read("z")], mark: read("mark"), weight: read("y"), reaction: read("x"),
    lines: LINES[dark ? "dark" : "light"], joint: pair("joint"), ground: pair("ground"), own,
    hatching: context.createPattern(tile, "repeat"),
  };
  theme.lines.forEach((colour, k) => root.style.setProperty(`--line-${k}`, colour));
}

// --- the picture

const label = (text, [x, y], colour, align = "center") => {
  context.font = "600 12px system-ui, sans-serif";
  context.textAlign = align;
  context.textBaseline = "middle";
  const wide = context.measureText(text).width, end = canvas.clientWidth;
  const before = { left: 0, center: wide / 2, right: wide }[align];
  if (x > 0 && x < end) x = clamp(x, before + 3, Math.max(end - wide + before - 3, before + 3));  // not cut
  context.lineWidth = 3.5;
  context.strokeStyle = theme.panel;
  context.strokeText(text, x, y);
  context.fillStyle = colour;
  context.fillText(text, x, y);
  context.lineWidth = 1;
};

/** One sees through a piece: what is inside of it is seen. */
function seenThrough(piece) {
  const { paint } = piece;
  piece.paint = (context) => {
    context.globalAlpha = 0.3;
    paint(context);
    context.globalAlpha = 1;
  };
}

function drawBodies(all, bodies = data.bodies, ties = data.ties) {
  const places = bodies.flatMap(({ places }, k) => places.map((p) => placed(all[k], p)));
  const pieces = [], look = { ...theme, context, places };
  bodies.forEach((body, k) => {
    for (const part of body.parts) {
      const own = k ? theme.own[(k + 7) % 8] : theme.ground, through = part.style === "hint";
      const colours = part.style === "own" || through ? own : theme[part.style], from = pieces.length;
      PARTS[part.kind](part, all[k], camera, { ...look, colours }, pieces);
      if (through) pieces.slice(from).forEach(seenThrough);
    }
  });
  for (const line of ties) {
    const [a, b] = line.ends.map(([body, p]) => placed(all[body], p));
    tie(line, a, b, camera, look, 0.09 * data.unit, pieces);
  }
  pieces.sort((a, b) => a.z - b.z);
  context.lineJoin = context.lineCap = "round";
  context.strokeStyle = theme.ink;
  for (const piece of pieces) piece.paint(context);
}

const TRAIL = 800;  // samples of a path behind a point, on a page that simulates

function drawTraces(low) {
  data.points.forEach(({ path }, k) => {
    const { colour, dash } = strokeOf(k);
    context.strokeStyle = theme.lines[colour];
    context.setLineDash(dash);
    context.lineWidth = 1.6;
    for (const [start, end, alpha] of running ? [[low - TRAIL, low + 1, 1]] : [[0, path.length, 0.25], [0, low + 1, 1]]) {
      context.globalAlpha = alpha;
      context.beginPath();
      for (let i = Math.max(0, start); i < Math.min(end, path.length); i++) context.lineTo(...camera.at(path[i]));
      context.stroke();
    }
    context.globalAlpha = 1;
  });
  context.setLineDash([]);
}

function drawPoints(all) {
  data.points.forEach(({ name, body, at }, k) => {
    const [x, y] = camera.at(placed(all[body], at));
    context.beginPath();
    context.arc(x, y, 4, 0, 2 * Math.PI);
    const own = theme.lines[strokeOf(k).colour];
    context.fillStyle = own;
    context.strokeStyle = theme.panel;
    context.fill();
    context.stroke();
    nameAt(name, [x, y], nameRanks[data.joints.length + k], 16, own);
  });
}

/** Names at one place are written around it: a rank for each place, in the first pose. */
function ranked(places) {
  return places.map((p, k) =>
    places.slice(0, k).filter((q) => Math.hypot(...minus(p, q)) < 0.3 * data.unit).length);
}
const middles = data.bodies.map(({ places, centre }) =>
  times(1 / (places.length + 1), places.reduce(plus, centre)));
const nameRanks = ranked([
  ...data.joints.map(({ bodies, at }) => placed(sample(0, bodies[1]), at)),
  ...data.points.map(({ body, at }) => placed(sample(0, body), at)),
]);
const bodyRanks = ranked(middles.map((p, k) => placed(sample(0, k), p)));

/** A name beside a place, in the quarter of its rank. */
function nameAt(name, [x, y], rank, away, colour) {
  const angle = ((1 + 2 * rank) * Math.PI) / 4, [u, v] = [Math.cos(angle), Math.sin(angle)];
  label(name, [x + away * u, y - away * v], colour, u > 0 ? "left" : "right");
}

function drawNames(all) {
  const away = 0.3 * data.unit * camera.scale;
  if (shown.joints) data.joints.forEach(({ name, bodies, at }, k) => {
    nameAt(name, camera.at(placed(all[bodies[1]], at)), nameRanks[k], away, theme.mark);
  });
  if (shown.bodies) data.bodies.forEach(({ name }, k) => {
    if (!k) return;
    const [x, y] = camera.at(placed(all[k], middles[k]));
    label(name, [x, y + 15 * bodyRanks[k]], theme.text);
  });
}

function drawCentres(all) {
  data.bodies.forEach(({ mass, centre }, k) => {
    if (!mass || !k) return;
    const [x, y] = camera.at(placed(all[k], centre)), r = 6;
    context.lineWidth = 1.2;
    context.strokeStyle = theme.text;
    context.beginPath();
    context.arc(x, y, r, 0, 2 * Math.PI);
    context.fillStyle = theme.panel;
    context.fill();
    context.stroke();
    context.fillStyle = theme.text;
    for (const start of [0, Math.PI]) {
      context.beginPath();
      context.moveTo(x, y);
      context.arc(x, y, r, start, start + Math.PI / 2);
      context.fill();
    }
  });
}

function drawForces(all, { low, share }) {
  const size = Math.hypot(...data.gravity);
  if (shown.weights && size) data.bodies.forEach(({ mass, centre }, k) => {
    if (!mass || !k) return;
    const p = placed(all[k], centre), long = (data.unit * mass) / heaviest / size;
    arrow(context, camera.at(p), camera.at(plus(p, times(long, data.gravity))), theme.weight, 2.4);
  });
  if (shown.reactions && strongest) data.joints.forEach(({ force, bodies, at }) => {
    if (!force) return;
    const here = Array.from(force.subarray(3 * low, 3 * low + 3));
    const next = share ? Array.from(force.subarray(3 * low + 3, 3 * low + 6)) : here;
    const F = plus(here, times(share, minus(next, here)));
    const p = placed(all[bodies[1]], at), end = plus(p, times((1.6 * data.unit) / strongest, F));
    arrow(context, camera.at(p), camera.at(end), theme.reaction, 2.4);
    const [x, y] = camera.at(end);
    if (Math.hypot(...F) > 0.02 * strongest) label(`${figures(Math.hypot(...F), 3)} N`, [x, y - 10], theme.reaction);
  });
}

/** The axes of a frame, `length` pixels long when they face the reader. */
function drawAxes(X, origin, length, names) {
  const order = [0, 1, 2].map((k) => ({ k, e: turned(X, [0, 1, 2].map((j) => +(j === k))) }));
  order.sort((a, b) => camera.depth(a.e) - camera.depth(b.e));
  for (const { k, e } of order) {
    const [dx, dy] = [dot(e, camera.right), -dot(e, camera.top)];
    arrow(context, origin, [origin[0] + length * dx, origin[1] + length * dy], theme.axes[k]);
    if (names && Math.hypot(dx, dy) > 0.15) {
      label("XYZ"[k], [origin[0] + (length + 10) * dx, origin[1] + (length + 10) * dy], theme.axes[k]);
    }
  }
}

function draw() {
  const ratio = devicePixelRatio || 1, index = indexAt(now), all = posesAt(index);
  if (shown.follow) follow(all);
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, canvas.clientWidth, canvas.clientHeight);
  if (running) drawGhost(index);
  drawBodies(all);
  if (shown.traces && !still) drawTraces(index.low);
  if (shown.traces) drawPoints(all);
  if (shown.frames) all.forEach((X, k) => k && drawAxes(X, camera.at(X), 26, false));
  if (shown.centres) drawCentres(all);
  drawForces(all, index);
  if (shown.contacts && touches) drawContacts(index);
  drawNames(all);
  if (running) drawLive(all, index);
  drawAxes(NOWHERE, [46, canvas.clientHeight - 46], 30, true);
  for (const plot of plots) plot.show(now, index);
  if (!still) {
    $("slider").value = now;
    $("time").textContent = timed ? `${now.toFixed(3)} s`
      : data.axis.name ? `${data.axis.name} = ${figures(now)} ${data.axis.unit}` : `${Math.round(now) + 1} / ${s.length}`;
  }
}
