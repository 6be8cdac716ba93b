// What the reader of a page that simulates sets and reads: sliders, events, ghost, address.

const REFRESH = 120;  // milliseconds between two drawings of curves that grow
let ghost = null, drawnCount = 0, drawnAt = 0, settled = true;
const bars = new Map();  // sliders by their key in the address
const say = (text) => { $("said").textContent = text; };

// --- as the run goes on

/** Each frame: more samples, and what they change on the page. */
function runOn() {
  if (!running.pulled) running.onwards(5);
  if (playing && !running.repeats && now >= until() && running.isOver) play(false);
  const grown = running.count !== drawnCount, instant = performance.now();
  if (!grown && settled) return;
  if (grown && !running.isOver && instant - drawnAt < REFRESH) return;
  settled = running.isOver && !running.pulled;
  if (settled && !shown.follow && !isInside()) fit();
  drawnAt = instant;
  drawnCount = running.count;
  trace(running.traced);
  running.traced = running.count;
  strongest = largestForce();
  for (const plot of plots) plot.resize();
  markEvents();
  listEvents();
  tellTrouble();
  stale = true;
}

/** Whether all that moves is inside of the picture, or its reader chose what is. */
function isInside() {
  const outside = held(some(), false).filter(([p, r]) => {
    const [x, y] = camera.at(p), far = r * camera.scale;
    return x < far || y < far || x > canvas.clientWidth - far || y > canvas.clientHeight - far;
  });
  return aimed || !outside.length;
}

/** After a change of the start or of parameters: everything is drawn anew. */
function changed() {
  drawnCount = 0;
  settled = false;
  running.onwards(40);
  trace(running.traced);
  running.traced = running.count;
  for (const [key, { bar, read }] of bars) if (bar.root !== document.activeElement?.closest("label")) bar.show(read(key));
  seek(Math.min(now, until()));
  remember();
}

function tellTrouble() {
  const { trouble } = running, text = trouble && (words[`live trouble ${trouble}`] || words["live trouble"]);
  $("trouble").hidden = !trouble;
  $("trouble").textContent = text || "";
}

function listEvents() {
  const list = $("events"), { events } = running, shownFirst = events.slice(0, 200);
  list.closest("details").hidden = !events.length;
  $("count").textContent = events.length;
  list.replaceChildren(...shownFirst.map(({ name, at, cause, effect }) => {
    const item = document.createElement("li"), link = document.createElement("button");
    const more = [words[`event ${cause}`], words[`contact ${effect}`]].filter(Boolean).join(", ");
    link.type = "button";
    link.textContent = `${figures(at, 6)} s  ${name}${more && `: ${more}`}`;
    link.addEventListener("click", () => go(at));
    item.append(link);
    return item;
  }));
}

// --- sliders

const inDegrees = (unit) => unit === "rad";
const short = (x) => String(+x.toPrecision(5));
const factorOf = (unit) => (inDegrees(unit) ? 180 / Math.PI : 1);

/** A slider and a number for a value in SI, shown in degrees where it is an angle. */
function bar(panel, { name, unit = "", meaning = "", low, high }, set) {
  const label = document.createElement("label"), title = document.createElement("span");
  const range = document.createElement("input"), number = document.createElement("input");
  const factor = factorOf(unit), small = document.createElement("small");
  title.textContent = name;
  small.textContent = inDegrees(unit) ? "°" : unit;
  label.title = meaning;
  Object.assign(range, { type: "range", step: "any", min: low * factor, max: high * factor });
  Object.assign(number, { type: "text", inputMode: "decimal", autocomplete: "off" });
  range.setAttribute("aria-label", meaning ? `${name}: ${meaning}` : name);
  number.setAttribute("aria-label", `${name} ${small.textContent}`);
  const show = (x) => {
    const there = x * factor;
    range.min = Math.min(range.min, there);
    range.max = Math.max(range.max, there);
    range.value = there;
    number.value = short(there);
  };
  const give = (text) => {
    const x = Number(String(text).replace(",", "."));
    if (!Number.isFinite(x) || text === "") return false;
    return set(x / factor) !== false;
  };
  range.addEventListener("input", () => {
    if (give(range.value)) number.value = short(+range.value);
    else say(words["live unreached"]);
  });
  number.addEventListener("change", () => {
    if (give(number.value)) show(Number(number.value.replace(",", ".")) / factor);
    else say(words["live unreached"]);
  });
  label.append(title, range, number, small);
  panel.append(label);
  return { root: label, show };
}

/** Sliders of parameters, of the start and of forces. */
function furnish() {
  root.run = Object.assign(running, { onScreen });
  const { parameters, start } = data.live, { motion } = running.plain;
  for (const one of parameters) {
    const set = (x) => setParameter(one.name, x), read = () => motion.parameters[one.name];
    keep(`p.${one.name}`, bar($("parameters"), one, set), set, read, one.value);
  }
  for (const one of start) {
    const set = (x) => setStart(one.at, x), read = () => running.from[one.at];
    keep(`y.${one.name}`, bar($("start"), one, set), set, read, one.value);
  }
  if (running.pushed) for (const one of start.filter(({ at }) => at >= running.nq)) {
    const k = one.at - running.nq, turns = one.unit === "rad/s", most = data.live.efforts[turns ? 1 : 0];
    const named = { name: one.name.replace(/\.$/, ""), unit: turns ? "N m" : "N", low: -most, high: most };
    const set = (x) => setForce(k, x), read = () => running.forces[k];
    keep(`f.${named.name}`, bar($("forces"), named, set), set, read, 0);
  }
  for (const name of ["parameters", "start", "forces"]) {
    if (!$(name).childElementCount) $(name).closest("details").hidden = true;
  }
  for (const [name, action] of Object.entries(ACTIONS)) $(name)?.addEventListener("click", action);
  recall(location.hash || $("player").dataset.state || "");
  listEvents();
  say(words["live hint"]);
}

/** Where a named point is in the window, for scripts around the page. */
function onScreen(name) {
  const { body, at } = data.points.find((point) => point.name === name), { left, top } = canvas.getBoundingClientRect();
  const [x, y] = camera.at(placed(posesAt(indexAt(now))[body], at));
  return [x + left, y + top];
}

function keep(key, bar, set, read, usual) {
  bar.show(read());
  bars.set(key, { bar, set, read, usual });
}

function setParameter(name, x) {
  const done = running.setParameters({ [name]: x });
  reshape();
  changed();
  return done;
}

function setStart(at, x) {
  const wanted = Float64Array.from(running.from);
  wanted[at] = x;
  const done = running.startFrom(wanted, at);
  if (done) changed();
  return done;
}

/** A force along a speed, from the sample that is shown on. */
function setForce(k, x) {
  running.forces[k] = x;
  const { low, share } = indexAt(now);
  if (low === 0 && !share) running.begin();
  else running.push(running.forces, Math.min(low + (share > 0 ? 1 : 0), running.count - 1));
  running.repeats = low === 0 && !share;
  changed();
}

function restart() {
  running.begin();
  changed();
  seek(first);
}

/** All values as the page was made. */
function reset() {
  running.forces.fill(0);
  running.setParameters(running.usual.parameters);
  reshape();
  running.from = Float64Array.from(running.usual.start);
  running.moved = false;
  running.set = {};
  restart();
}

// --- shapes that follow parameters

const leaf = (path) => [path.slice(0, -1).reduce((x, key) => x[key], data), path[path.length - 1]];
const drawnNumbers = new Map();  // by path: where the number stands, and its value at first
for (const rows of running ? Object.values(data.live.drawn) : []) for (const [path] of rows) {
  const [holder, key] = leaf(path), name = path.join(" ");
  if (!drawnNumbers.has(name)) drawnNumbers.set(name, { holder, key, first: holder[key] });
}

function reshape() {
  for (const { holder, key, first } of drawnNumbers.values()) holder[key] = first;
  for (const { name, value } of data.live.parameters) {
    const change = running.plain.motion.parameters[name] - value;
    if (change) for (const [path, slope] of data.live.drawn[name] || []) {
      const { holder, key } = drawnNumbers.get(path.join(" "));
      holder[key] += slope * change;
    }
  }
}

// --- the run before, as a ghost

function keepGhost() {
  ghost = ghost ? null : {
    poses: running.poses.slice(0, 7 * (count - 1) * running.count), count: running.count,
    bodies: structuredClone(data.bodies), ties: structuredClone(data.ties),
  };
  for (const line of running.lines) line.ghost = ghost && line.values.slice();
  $("ghost").setAttribute("aria-pressed", String(!!ghost));
  for (const plot of plots) plot.resize();
  stale = true;
}

function drawGhost({ low, share }) {
  if (!ghost) return;
  const size = 7 * (count - 1), at = (k, body) => Array.from(
    ghost.poses.subarray(Math.min(k, ghost.count - 1) * size + 7 * body - 7, Math.min(k, ghost.count - 1) * size + 7 * body));
  const all = data.bodies.map((_, body) => (body ? between(at(low, body), at(low + 1, body), share) : NOWHERE));
  drawBodies(all, ghost.bodies, ghost.ties);
  context.globalAlpha = 0.7;
  context.fillStyle = theme.panel;
  context.fillRect(0, 0, canvas.clientWidth, canvas.clientHeight);
  context.globalAlpha = 1;
}

/** What is drawn above the bodies, and the closure of what is shown. */
function drawLive(all, { low }) {
  drawHand(all);
  const closed = data.live.gaps ? running.gapOf(running.row(low), s[low]) : 0;
  $("closure").textContent = data.live.gaps ? `${words["live closure"]} ${figures(closed, 2)}` : "";
}

// --- a link is a configuration

function address() {
  const parts = [...bars].flatMap(([key, { read, usual }]) =>
    (read() === usual ? [] : [`${encodeURIComponent(key)}=${read()}`]));
  if (!playing && now !== first) parts.push(`t=${now}`);
  return parts.length ? `#${parts.join("&")}` : "";
}

let remembering = 0;
function remember() {
  clearTimeout(remembering);
  remembering = setTimeout(() => {
    try { history.replaceState(null, "", address() || location.pathname + location.search); } catch { /* in a frame */ }
  }, 250);
}

/** The configuration of an address. */
function recall(text) {
  const given = new Map(text.replace(/^#/, "").split("&").map((part) => part.split("=").map(decodeURIComponent)));
  const number = (key) => (given.has(key) && Number.isFinite(+given.get(key)) ? +given.get(key) : null);
  const values = {}, wanted = Float64Array.from(running.from);
  for (const { name } of data.live.parameters) if (number(`p.${name}`) !== null) values[name] = number(`p.${name}`);
  if (Object.keys(values).length) running.setParameters(values);
  const moves = data.live.start.filter(({ name }) => number(`y.${name}`) !== null);
  for (const { name, at } of moves) wanted[at] = number(`y.${name}`);
  for (const [key, { set }] of bars) if (key.startsWith("f.") && number(key) !== null) set(number(key));
  const kept = moves.length === 1 ? moves[0].at : -1;
  if (moves.length && !running.startFrom(wanted, kept)) say(words["live unreached"]);
  reshape();
  changed();
}

const ACTIONS = {
  restart, reset, ghost: keepGhost, step: () => step(1),
  html: () => saveText("html", savedPage()), csv: () => saveText("csv", table()),
  png: savePicture, gif: saveFilm, link: copyLink,
};
const liveKeys = { r: restart, g: keepGhost };
