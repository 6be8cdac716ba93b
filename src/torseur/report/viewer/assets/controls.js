// What the reader does: time, views, what is shown, keys, fingers and sliders.

// --- time

function seek(time) {
  now = clamp(time, first, until());
  stale = true;
}

function play(on) {
  playing = on && !still;
  $("play").setAttribute("aria-pressed", String(playing));
  $("play").setAttribute("aria-label", playing ? words.pause : words.play);
}

let before = performance.now();
function tick(instant) {
  const elapsed = Math.min(0.1, (instant - before) / 1000);
  before = instant;
  if (playing) {
    const next = now + elapsed * speed * pace;
    if (running) running.follow(next);
    now = next <= until() ? next : running && !running.repeats ? until() : first;
    stale = true;
  }
  if (running) runOn();
  if (stale) {
    stale = false;
    draw();
  }
  requestAnimationFrame(tick);
}

// --- what the reader does

const pointers = new Map();
canvas.addEventListener("pointerdown", (event) => {
  canvas.setPointerCapture(event.pointerId);
  if (running && !pointers.size && grab(event)) return;
  pointers.set(event.pointerId, [event.offsetX, event.offsetY]);
});
for (const end of ["pointerup", "pointercancel"]) {
  canvas.addEventListener(end, (event) => {
    if (running) release(event);
    pointers.delete(event.pointerId);
  });
}
canvas.addEventListener("pointermove", (event) => {
  if (running && haul(event)) return;
  const old = pointers.get(event.pointerId);
  if (!old) return;
  const here = [event.offsetX, event.offsetY], [dx, dy] = [here[0] - old[0], here[1] - old[1]];
  if (pointers.size === 2) {  // two fingers: move and enlarge
    const [, other] = [...pointers].find(([id]) => id !== event.pointerId);
    const apart = (p) => Math.hypot(p[0] - other[0], p[1] - other[1]);
    camera.zoom(apart(here) / (apart(old) || 1), (here[0] + other[0]) / 2, (here[1] + other[1]) / 2);
    camera.x += dx / 2;
    camera.y += dy / 2;
  } else if (event.shiftKey || event.buttons > 1) {
    camera.x += dx;
    camera.y += dy;
  } else camera.orbit(dx, dy, middle(posesAt(indexAt(now))));
  pointers.set(event.pointerId, here);
  stale = aimed = true;
});
canvas.addEventListener("contextmenu", (event) => event.preventDefault());
canvas.addEventListener("dblclick", fit);
canvas.addEventListener("wheel", (event) => {
  event.preventDefault();
  camera.zoom(Math.exp(-0.0015 * event.deltaY), event.offsetX, event.offsetY);
  stale = aimed = true;
}, { passive: false });

// a page around this one may let another animation go on as its reader left this one
const kept = JSON.parse(globalThis.frameElement?.dataset.view || "null");
root.kept = () => ({ now, playing, speed, shown, azimuth: camera.azimuth, elevation: camera.elevation });
if (kept) {
  Object.assign(camera, { azimuth: kept.azimuth, elevation: kept.elevation });
  camera.aim();
}

const VIEWS = {
  xy: [[0, 0, 1], [1, 0, 0]], xz: [[0, -1, 0], [1, 0, 0]], yz: [[1, 0, 0], [0, 1, 0]],
};
for (const button of root.querySelectorAll("[data-view]")) {
  button.addEventListener("click", () => {
    const view = VIEWS[button.dataset.view];
    if (view) camera.look(...view);
    else {
      [camera.azimuth, camera.elevation] = data.camera.oblique;
      camera.aim();
    }
    fit();
  });
}
for (const box of root.querySelectorAll("[data-show]")) {
  const key = box.dataset.show;
  const useful = {
    traces: data.points.length, contacts: !!touches, reactions: strongest, follow: !still,
    weights: heaviest && Math.hypot(...data.gravity),
  };
  if (key in useful && !useful[key]) box.closest("label").hidden = true;
  if (key === "follow") box.checked = travels && !still;
  if (kept) box.checked = kept.shown[key];
  shown[key] = box.checked;
  box.addEventListener("change", () => {
    shown[key] = box.checked;
    if (key === "follow") fit();
    if (key === "contacts") showLegend();
    stale = true;
  });
}
showLegend();

const step = (shift) => {
  play(false);
  const { low, share } = indexAt(now);
  seek(s[clamp(shift < 0 && share > 0 ? low + shift + 1 : low + shift, 0, known() - 1)]);
};
addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || /INPUT|SELECT|TEXTAREA/.test(event.target.tagName)) return;
  const keys = {
    " ": () => play(!playing), ArrowLeft: () => step(event.shiftKey ? -10 : -1),
    ArrowRight: () => step(event.shiftKey ? 10 : 1), Home: () => seek(first), End: () => seek(last), f: fit,
    ...(running ? liveKeys : {}),
  };
  if (/^(BUTTON|SUMMARY|A)$/.test(event.target.tagName) && event.key === " ") return;
  if (!(event.key in keys) || (still && event.key !== "f")) return;
  event.preventDefault();
  keys[event.key]();
});

const go = (time) => {
  play(false);
  seek(time);
};
const plots = [];

/** Marks of the events that are known. */
function markEvents() {
  for (const mark of $("timeline").querySelectorAll("i")) mark.remove();
  $("timeline").append(...eventMarks(go));
}

/** A panel of curves, which its reader may close. */
function addPlot(panel) {
  const plot = new Plot(panel, { s, ...data.axis }, data.events, go, words.close, () => {
    plots.splice(plots.indexOf(plot), 1);
    plot.element.remove();
  });
  plots.push(plot);
  $("plots").append(plot.element);
  return plot;
}
for (const panel of data.curves) addPlot({ ...panel, title: words[panel.title] });

/** A curve that its reader chooses, with others of its unit that were chosen. */
function choose(curve) {
  let plot = plots.find(({ chosen, unit }) => chosen && unit === curve.unit);
  if (plot) plot.add(curve);
  else {
    plot = addPlot({ title: words.chosen, unit: curve.unit, lines: [curve] });
    plot.chosen = true;
    $("plots").insertBefore(plot.element, $("chooser").nextSibling);
  }
  plot.resize();
  plot.element.scrollIntoView({ block: "nearest" });
  stale = true;
}
const choices = [
  ...data.offered, ...data.curves.flatMap(({ unit, lines }) => lines.map((line) => ({ ...line, unit }))),
];
$("chooser").hidden = !choices.length;
choices.forEach(({ name, unit }, k) => $("chooser").append(new Option(titled(name, unit), k)));
$("chooser").addEventListener("change", ({ target }) => {
  if (target.value) choose(choices[+target.value]);
  target.value = "";
});
if (data.tree) values = treeSliders(data.tree, data.unit, $("sliders"), () => (stale = true));
if (still) $("player").hidden = true;
else {
  Object.assign($("slider"), { min: first, max: last, step: "any", value: first });
  $("slider").addEventListener("input", (event) => {
    play(false);
    seek(+event.target.value);
  });
  markEvents();
  $("play").addEventListener("click", () => play(!playing));
  const speeds = [0.001, 0.01, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10];
  const usual = kept ? kept.speed : timed ? speeds.filter((x) => x <= 1 && (last - first) / x >= 3).pop() || 0.001 : 1;
  for (const x of speeds) $("speed").append(new Option(`${x}×`, x, x === usual, x === usual));
  speed = usual;
  $("speed").addEventListener("change", (event) => (speed = +event.target.value));
}

function resize() {
  const ratio = devicePixelRatio || 1, fresh = !canvas.width || camera.scale === 1;
  canvas.width = Math.round(canvas.clientWidth * ratio);
  canvas.height = Math.round(canvas.clientHeight * ratio);
  if (fresh) fit();
  for (const plot of plots) plot.resize();
  stale = true;
}
readTheme();
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
  readTheme();
  resize();
});
new ResizeObserver(() => {
  resize();
  fit();
  draw();
}).observe(canvas);
resize();
const asked = /[#&]t=([-\d.e]+)/.exec(location.hash);
if (running) furnish();
if (asked) seek(+asked[1]);
else if (kept) {
  seek(kept.now);
  play(kept.playing);
} else play(!matchMedia("(prefers-reduced-motion: reduce)").matches && timed);
if (shown.follow) fit();
draw();
requestAnimationFrame(tick);
