// The text of the description: numbers of its lines, and its faults at their places.

"use strict";
const $ = (id) => document.getElementById(id);
const every = (selector, within = document) => [...within.querySelectorAll(selector)];
const area = $("text");

const MOST_NUMBERED = 20000;  // lines; a text that has more has no numbers

/** A number for each line; those of faults are marked, and say what is wrong. */
function numberLines(faults = []) {
  const all = area.value.split("\n").length, count = all > MOST_NUMBERED ? 0 : all, lines = $("lines");
  while (lines.childElementCount > count) lines.lastChild.remove();
  while (lines.childElementCount < count) {
    const line = document.createElement("div");
    line.textContent = lines.childElementCount + 1;
    lines.append(line);
  }
  for (const line of every(".wrong", lines)) {
    line.className = "";
    line.removeAttribute("title");
  }
  for (const { line, message } of faults) {
    const wrong = lines.children[line - 1];
    if (!wrong) continue;
    wrong.className = "wrong";
    wrong.title = wrong.title ? `${wrong.title}\n${message}` : message;
  }
  lines.scrollTop = area.scrollTop;
}

/** The caret to a place, which is then seen. */
function goTo(line, column) {
  const before = area.value.split("\n").slice(0, line - 1).join("\n").length;
  const at = before + (line > 1 ? 1 : 0) + Math.max(0, column - 1);
  area.focus();
  area.setSelectionRange(at, at);
  const high = parseFloat(getComputedStyle(area).lineHeight);
  area.scrollTop = Math.max(0, (line - 1) * high - area.clientHeight / 2);
}

let faultsNow = [];

/** Errors at their lines, and below the text unless a list of words is open over it. */
function showFaults(faults) {
  faultsNow = faults;
  numberLines(faults);
  if (!isOffering()) listFaults();
}

function listFaults() {
  $("faults").replaceChildren(...faultsNow.map(({ line, column, message }) => {
    const item = document.createElement("li");
    item.textContent = message;
    if (line) {
      item.dataset.line = line;
      item.addEventListener("click", () => goTo(line, column));
    }
    return item;
  }));
  if (document.activeElement === area) keepInView();
}

/** The caret stays in sight when errors take room from the text. */
function keepInView() {
  const { y, high } = spotOf(area.selectionStart);
  if (y + 2 * high > area.clientHeight) area.scrollTop += y + 2 * high - area.clientHeight;
}

/** Text in place of a part of the description, as if it had been typed. */
function insert(from, to, text) {
  area.setRangeText(text, from, to, "end");
  area.dispatchEvent(new Event("input"));
}

/** Width of a character and height of a line [px]; the type has one width. */
function cell() {
  const look = getComputedStyle(area), pen = document.createElement("canvas").getContext("2d");
  pen.font = `${look.fontSize} ${look.fontFamily}`;
  return { wide: pen.measureText("0".repeat(100)).width / 100, high: parseFloat(look.lineHeight), look };
}

/** Where a place of the text is seen, from the corner of its field [px]. */
function spotOf(caret) {
  const { wide, high, look } = cell(), lines = area.value.slice(0, caret).split("\n");
  return {
    x: parseFloat(look.paddingLeft) + wide * lines.at(-1).length - area.scrollLeft,
    y: parseFloat(look.paddingTop) + high * (lines.length - 1) - area.scrollTop,
    high,
  };
}

/** The place of the text under a point of its field; -1 where there is none. */
function placeAt(x, y) {
  const { wide, high, look } = cell(), lines = area.value.split("\n");
  const row = Math.floor((y + area.scrollTop - parseFloat(look.paddingTop)) / high);
  const column = Math.floor((x + area.scrollLeft - parseFloat(look.paddingLeft)) / wide);
  if (row < 0 || row >= lines.length || column < 0 || column >= lines[row].length) return -1;
  return lines.slice(0, row).join("\n").length + (row > 0 ? 1 : 0) + column;
}

area.addEventListener("scroll", () => ($("lines").scrollTop = area.scrollTop));
area.addEventListener("keydown", (event) => {  // a new line is indented like the one before
  if (event.key !== "Enter" || event.isComposing || event.ctrlKey || event.metaKey) return;
  if (event.defaultPrevented) return;
  const before = area.value.slice(0, area.selectionStart).split("\n").pop();
  const [indent] = /^ */.exec(before);
  if (!indent && !before.endsWith(":")) return;
  event.preventDefault();
  const more = before.trimEnd().endsWith(":") ? "  " : "";
  insert(area.selectionStart, area.selectionEnd, `\n${indent}${more}`);
});
