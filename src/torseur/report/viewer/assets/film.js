// One clock for several animations side by side.

"use strict";
const slider = document.getElementById("time"), start = +slider.min, end = +slider.max;
const button = document.getElementById("play"), shown = document.getElementById("now");
const films = [...document.querySelectorAll("iframe")];
const said = { true: button.dataset.pause, false: button.getAttribute("aria-label") };
let playing = false, before = 0;

function seek(time) {
  slider.value = time;
  shown.textContent = `${time.toFixed(2)} s`;
  for (const film of films) {
    const own = film.contentDocument && film.contentDocument.querySelector("[data-slider]");
    if (!own) continue;
    own.value = time;
    own.dispatchEvent(new Event("input"));
  }
}

function play(on) {
  playing = on;
  button.setAttribute("aria-pressed", String(on));
  button.setAttribute("aria-label", said[on]);
  before = performance.now();
  if (on) requestAnimationFrame(tick);
}

function tick(instant) {
  if (!playing) return;
  const next = +slider.value + Math.max(0, Math.min(0.1, (instant - before) / 1000));
  before = instant;
  seek(next > end ? start : next);
  requestAnimationFrame(tick);
}

button.addEventListener("click", () => play(!playing));
slider.addEventListener("input", () => {
  play(false);
  seek(+slider.value);
});
addEventListener("keydown", (event) => {
  if (event.key !== " " || event.target === button) return;
  event.preventDefault();
  play(!playing);
});
addEventListener("load", () => {
  for (const film of films) film.contentDocument.body.classList.add("filmed");
  const asked = /^#t=(-?[0-9.]+)$/.exec(location.hash);
  seek(asked ? Math.max(start, Math.min(+asked[1], end)) : start);
  if (!asked) play(!matchMedia("(prefers-reduced-motion: reduce)").matches);
});
