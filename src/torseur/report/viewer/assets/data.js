// What the page carries, and what computes its motion where it does that itself.

const data = JSON.parse(document.getElementById("movement").textContent);
const words = JSON.parse(document.getElementById("words").textContent);
const root = document.querySelector(".viewer"), $ = (name) => root.querySelector(`[data-${name}]`);
let running = null;  // of a page that simulates: see live/run.js
