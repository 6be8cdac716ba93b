// The list of words that may stand at the caret, and the line that explains the word there.

const terms = new Vocabulary(JSON.parse($("vocabulary").textContent), document.documentElement.lang);
const list = $("choices");
/** @type {{from: number, choices: Choice[]}} */
let offered = { from: 0, choices: [] };
let chosenAt = -1;  // among the choices; none is taken by Enter while the list opened by itself

const LONGEST_READ = 2e5;  // characters of a text that is read at each key
const isOffering = () => !list.hidden;
const coordinatesNow = () => every('#controls [data-kind="coordinate"], #controls [data-kind="speed"]').map((one) => one.dataset.name);

function offer(asked) {
  if (area.value.length > LONGEST_READ) return;
  const caret = area.selectionStart;
  offered = terms.choicesAt(area.value, caret, coordinatesNow());
  const word = area.value.slice(offered.from, caret).trim();
  const only = offered.choices.length === 1 && offered.choices[0].label === word;
  if (!offered.choices.length || (!asked && (!word || only))) return close();
  list.replaceChildren(...offered.choices.map(({ label, detail }, k) => {
    const item = document.createElement("li"), name = document.createElement("b"), more = document.createElement("span");
    Object.assign(item, { id: `choice-${k}`, role: "option" });
    [name.textContent, more.textContent] = [label, detail];
    item.append(name, more);
    item.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      take(k);
    });
    return item;
  }));
  list.hidden = false;
  put();
  area.setAttribute("aria-expanded", "true");
  choose(asked ? 0 : -1);
  $("offered").textContent = said.choices.replace("{}", offered.choices.length);
}

/** The list stands below the word, or above it where there is more room. */
function put() {
  const { x, y, high } = spotOf(offered.from), sheet = area.parentElement;
  if (y < -high || y > area.clientHeight) return close();
  const left = Math.min(area.offsetLeft + x, sheet.clientWidth - list.offsetWidth - 4);
  const below = y + high, fits = below + list.offsetHeight <= sheet.clientHeight || y < list.offsetHeight;
  list.style.left = `${Math.max(0, left)}px`;
  list.style.top = `${fits ? below : y - list.offsetHeight}px`;
}

function close() {
  if (list.hidden) return;
  list.hidden = true;
  listFaults();
  $("offered").textContent = "";
  area.setAttribute("aria-expanded", "false");
  area.removeAttribute("aria-activedescendant");
}

function choose(k) {
  chosenAt = k;
  every("li", list).forEach((item, n) => item.setAttribute("aria-selected", String(n === k)));
  if (k < 0) return area.removeAttribute("aria-activedescendant");
  area.setAttribute("aria-activedescendant", `choice-${k}`);
  list.children[k].scrollIntoView({ block: "nearest" });
}

/** A choice takes the place of what was written of it. */
function take(k) {
  const { from, choices } = offered, caret = area.selectionStart;
  const rest = /^[\p{L}\p{N}_]*/u.exec(area.value.slice(caret))[0].length;
  close();
  insert(from, caret + rest, choices[k].insert);
  close();
  explain();
}

area.addEventListener("keydown", (event) => {
  if (event.key === " " && event.ctrlKey) {
    event.preventDefault();
    return offer(true);
  }
  if (!isOffering() || event.isComposing) return;
  const count = offered.choices.length;
  const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 };
  if (event.key in steps) {
    event.preventDefault();
    const wide = Math.abs(steps[event.key]) > 1, next = chosenAt + steps[event.key];
    choose(wide ? Math.max(0, Math.min(count - 1, next)) : chosenAt < 0 && next < 0 ? count - 1 : (next + count) % count);
  } else if (event.key === "Escape") {
    event.preventDefault();
    close();
  } else if ((event.key === "Enter" && chosenAt >= 0) || (event.key === "Tab" && !event.shiftKey)) {
    event.preventDefault();
    take(Math.max(0, chosenAt));
  } else if (event.key === "ArrowLeft" || event.key === "ArrowRight") close();
}, { capture: true });
area.addEventListener("blur", close);
area.addEventListener("scroll", () => isOffering() && put());
area.addEventListener("input", (event) => {
  if (event.inputType === "insertText" && /[\p{L}_]$/u.test(event.data ?? "")) offer(false);
  else if (event.inputType === "deleteContentBackward" && isOffering()) offer(false);
  else if (event.inputType) close();
});

// --- help

/** The line below the text explains the word at the caret, or under the pointer. */
function explain(caret = area.selectionStart) {
  const known = area.value && area.value.length < LONGEST_READ ? terms.helpAt(area.value, caret) : null;
  $("help").replaceChildren();
  if (!known) return;
  const name = document.createElement("b");
  name.textContent = known.title;
  $("help").append(name, ` ${known.detail}`);
}

document.addEventListener("selectionchange", () => document.activeElement === area && explain());
area.addEventListener("pointermove", (event) => {
  if (event.pointerType !== "mouse" || event.buttons) return;
  const caret = placeAt(event.offsetX, event.offsetY);
  const known = caret < 0 || area.value.length > LONGEST_READ ? null : terms.helpAt(area.value, caret);
  area.title = known ? `${known.title}: ${known.detail}` : "";
});
