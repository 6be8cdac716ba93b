// The text of the description: numbers of its lines, and its faults at their places.

"use strict";
const $ = (id) => document.getElementById(id);
const every = (selector, within = document) => [...within.querySelectorAll(selector)];
const area = $("text");

/** A number for each line; those of faults are marked, and say what is wrong. */
function numberLines(faults = []) {
  const count = area.value.split("\n").length, lines = $("lines");
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

function showFaults(faults) {
  numberLines(faults);
  $("faults").replaceChildren(...faults.map(({ line, column, message }) => {
    const item = document.createElement("li");
    item.textContent = message;
    if (line) {
      item.dataset.line = line;
      item.addEventListener("click", () => goTo(line, column));
    }
    return item;
  }));
}

area.addEventListener("scroll", () => ($("lines").scrollTop = area.scrollTop));
area.addEventListener("keydown", (event) => {  // a new line is indented like the one before
  if (event.key !== "Enter" || event.isComposing || event.ctrlKey || event.metaKey) return;
  const before = area.value.slice(0, area.selectionStart).split("\n").pop();
  const [indent] = /^ */.exec(before);
  if (!indent && !before.endsWith(":")) return;
  event.preventDefault();
  const more = before.trimEnd().endsWith(":") ? "  " : "";
  document.execCommand("insertText", false, `\n${indent}${more}`);
});
