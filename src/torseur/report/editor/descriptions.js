// The descriptions that are open: examples, files of the folder, shared links; one of them is seen.

/**
 * A description and what it began with.
 * @typedef {object} Draft
 * @property {string} key the part of the address at which it is open
 * @property {string} file its name
 * @property {string | null} known what its file holds as far as this page knows
 * @property {string} first what it began with, or was saved as
 * @property {EditHistory | null} history
 */

/** @type {Map<string, Draft>} */
const drafts = new Map();

/** Whether a description differs from its file, or from what it began with. */
const isChanged = ({ history, first }) => history.now.text !== first || Object.keys(history.now.values).length > 0;

/** A description that was not open before. */
function begin(key, { file, text, known = null, masses = "", values: given = {} }) {
  const same = [...drafts.values()].find((one) => known !== null && one.known !== null && one.file === file);
  if (same) return see(same);
  const history = new EditHistory({ text, values: given, masses, caret: 0 });
  const fresh = { key, file, known, first: text, history };
  drafts.set(key, fresh);
  see(fresh);
}

/** A description is seen, as it was left. */
function see(wanted) {
  draft = wanted;
  ({ file } = draft);
  if (location.hash !== draft.key) window.history.replaceState(null, "", draft.key || location.pathname);
  const { text, values: beside, masses, caret } = draft.history.now;
  values = beside;
  $("masses").value = masses;
  area.value = text;
  area.setSelectionRange(caret, caret);
  $("controls").replaceChildren();
  drawn = "";
  $("phrase").hidden = true;
  $("changed").hidden = true;
  every(".screen, .content").forEach((one) => one.replaceChildren());
  choosing(false);
  edited(0);
}

/** A description is closed; the one beside it is seen, or the examples where there is none. */
function shut(closed) {
  if (isChanged(closed) && !confirm(said.discard.replace("{}", closed.file))) return;
  const keys = [...drafts.keys()], at = keys.indexOf(closed.key);
  drafts.delete(closed.key);
  if (closed !== draft) return showTabs();
  const beside = drafts.get(keys[at + 1] ?? keys[at - 1]);
  if (beside) see(beside);
  else {
    draft = { key: null, file: "", known: null, first: "", history: null };
    location.hash = "#examples";
  }
}

/** The tabs of the descriptions that are open. */
function showTabs() {
  const isShown = !$("desk").hidden;
  $("open").replaceChildren(...[...drafts.values()].map((one) => {
    const tab = document.createElement("span"), name = document.createElement("button");
    const end = document.createElement("button"), seen = isShown && one === draft;
    tab.className = "draft";
    tab.classList.toggle("changed", isChanged(one));
    Object.assign(name, { type: "button", textContent: one.file });
    name.setAttribute("aria-current", seen ? "page" : "false");
    name.addEventListener("click", () => see(one));
    Object.assign(end, { type: "button", textContent: "×", className: "end", title: said.close.replace("{}", one.file) });
    end.setAttribute("aria-label", end.title);
    end.addEventListener("click", () => shut(one));
    tab.append(name, end);
    return tab;
  }));
  const tab = $("open").querySelector('[aria-current="page"]');
  tab?.scrollIntoView({ block: "nearest", inline: "nearest" });
}

function choosing(on) {
  $("chooser").hidden = !on;
  $("desk").hidden = on;
  document.body.classList.toggle("choosing", on);
  showTabs();
  if (on) showFiles();
}

/** The descriptions of the folder, beside the examples. */
async function showFiles() {
  const answer = await ask("files");
  const names = answer?.files ?? [];
  $("folder").hidden = !names.length;
  $("files").replaceChildren(...names.map((name) => {
    const item = document.createElement("a");
    Object.assign(item, { className: "button", textContent: name, href: `#file=${encodeURIComponent(name)}` });
    return item;
  }));
}

/** A text of the server is opened; its errors are told. */
async function fetched(key, path, name) {
  const answer = await ask(path, { name });
  if (!answer && !drafts.size) choosing(true);
  if (!answer) return;
  const wrong = answer.faults.map(({ message }) => message).join("\n");
  if (!wrong) return begin(key, answer);
  if (!drafts.size) choosing(true);
  tell(wrong);
}

/** A part of an address as it was meant; as it stands where it is broken. */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The address leads to a description, or to the choice of one. */
async function arrive() {
  const key = location.hash, name = decoded(key.slice(1));
  if (drafts.has(key)) return see(drafts.get(key));
  if (/^empty\d*$/.test(name)) {
    const number = name.slice(5);
    return begin(key, { file: number ? `model-${number}.yaml` : "model.yaml", text: "" });
  }
  if (name.startsWith("s=")) return openShared(key, name.slice(2));
  if (name.startsWith("file=")) return fetched(key, "file", name.slice(5));
  if (!name && start.text !== null) return begin(key, start);
  if (!name || name === "examples") return choosing(true);
  await fetched(key, "example", name);
}

$("search").addEventListener("input", ({ target }) => {
  const wanted = target.value.toLowerCase().split(/\s+/);
  for (const card of every(".card")) {
    card.hidden = !wanted.every((word) => card.dataset.words.includes(word));
  }
});
document.querySelector('.card[href="#empty"]').addEventListener("click", (event) => {
  if (!drafts.has("#empty")) return;
  event.preventDefault();
  let number = 2;
  while (drafts.has(`#empty${number}`)) number += 1;
  location.hash = `#empty${number}`;
});
addEventListener("beforeunload", (event) => {
  if ([...drafts.values()].some(isChanged)) event.preventDefault();
});
addEventListener("hashchange", arrive);
show(matchMedia("(max-width: 56rem)").matches ? "text" : "motion");
arrive();
