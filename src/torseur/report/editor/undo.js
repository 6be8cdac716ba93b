// Undo and redo of the description that is seen: its text, its values and its masses.

let typed = "";  // kind of the change that is being made

const stateNow = () => ({ text: area.value, values, masses: $("masses").value, caret: area.selectionStart });

/** The state after a change becomes a step. */
function remember(kind) {
  draft.history?.record(stateNow(), kind);
  showSteps();
}

function showSteps() {
  $("undo").disabled = !(draft.history?.at > 0);
  $("redo").disabled = !(draft.history?.at < draft.history?.states.length - 1);
}

/** One step back (-1) or forth (1). */
function step(way) {
  const state = draft.history?.step(way);
  if (!state) return;
  area.value = state.text;
  ({ values } = state);
  $("masses").value = state.masses;
  area.setSelectionRange(state.caret, state.caret);
  edited(0);
}

$("undo").addEventListener("click", () => step(-1));
$("redo").addEventListener("click", () => step(1));
addEventListener("keydown", (event) => {
  const key = event.key.toLowerCase();
  if (!(event.ctrlKey || event.metaKey) || event.altKey || !["z", "y"].includes(key)) return;
  const isField = event.target instanceof HTMLInputElement && event.target.type !== "range";
  if ($("desk").hidden || isField || document.querySelector("dialog[open]")) return;
  event.preventDefault();
  step(key === "y" || event.shiftKey ? 1 : -1);
});
area.addEventListener("beforeinput", (event) => {
  if (!event.inputType.startsWith("history")) return;
  event.preventDefault();
  step(event.inputType === "historyUndo" ? -1 : 1);
});
area.addEventListener("input", () => {
  const before = draft.history?.now.text ?? "";
  typed = kindOfTyping(before, area.value, area.selectionStart);
  edited(250, typed);
});
