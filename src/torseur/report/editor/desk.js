// What is asked of the server and shown: of the newest edit only, and of the panel that is seen.

const [start, said] = ["start", "said"].map((id) => JSON.parse($(id).textContent));
const answered = new Map();  // the edit that each panel shows
const drafts = new Map();  // what was written at other places of this page
let stop = new AbortController();  // of what is asked about this edit
let edit = 0, waiting = 0, place = null, panel = "motion", file = "", latex = "";
let known = null, first = "";  // what its file holds as far as this page knows; what it began with

function tell(text, busy = false) {
  $("state").textContent = text;
  $("state").classList.toggle("busy", busy);
}

const isSaved = () => area.value === first && !Object.keys(values).length;
const settle = () => tell(isSaved() ? "" : said.unsaved);

/** The answer to a question about what is written now; nothing where it came too late. */
async function ask(path, more = {}) {
  const fields = ["masses", "duration", "rate", "rtol", "formalism"].map((id) => [id, $(id).value]);
  const question = { page: start.page, edit, file, text: area.value, values, ...Object.fromEntries(fields), ...more };
  const mine = edit;
  try {
    const answer = await post(path, question, stop.signal);
    return mine === edit ? answer : null;
  } catch {
    if (mine === edit) tell(said.gone);
    return null;
  }
}

/** Something was changed: what was asked before is not waited for; once there is a pause, it is read. */
function edited(pause = 250) {
  edit += 1;
  stop.abort();
  stop = new AbortController();
  numberLines();
  clearTimeout(waiting);
  waiting = setTimeout(look, pause);
  settle();
}

/** Faults at once; the panel that is seen where there are none. */
async function look() {
  if (!area.value.trim()) return showFaults([]);
  const read = await ask("reading");
  if (!read) return;
  showFaults(read.faults);
  every(".panel").forEach((one) => one.classList.add("stale"));
  if (read.faults.length) return;
  $("phrase").hidden = !read.phrase;
  showControls(read.controls);
  await fill();
}

/** The panel that is seen, of the newest edit. */
async function fill() {
  const mine = edit, seen = panel, own = document.querySelector(`[data-panel="${seen}"]`);
  if (answered.get(seen) === mine || !area.value.trim()) return;
  tell(said.computing, true);
  const answer = await ask(seen);
  if (!answer || mine !== edit) return;
  settle();
  showFaults(answer.faults);
  if (answer.page) showMotion(own, answer);
  else if (answer.html !== undefined) own.querySelector(".content").innerHTML = answer.html;
  else return;
  if (answer.latex) latex = answer.latex;
  answered.set(seen, mine);
  own.classList.remove("stale");
  if (panel !== seen) await fill();
}

/** The animation takes the place of the one before when it is ready, and is seen as that was. */
function showMotion(own, { page, lines }) {
  const screen = own.querySelector(".screen"), before = every("iframe", screen);
  const frame = document.createElement("iframe");
  const viewer = before.at(-1)?.contentDocument?.querySelector(".viewer");
  if (viewer?.kept) frame.dataset.view = JSON.stringify(viewer.kept());
  frame.className = "coming";
  frame.title = own.querySelector("label")?.textContent || "";
  frame.addEventListener("load", () => {
    before.forEach((old) => old.remove());
    frame.contentDocument.body.classList.add("inside");
    frame.classList.remove("coming");
  }, { once: true });
  frame.srcdoc = page;
  screen.append(frame);
  own.querySelector(".quality").textContent = lines.join("\n");
}

function show(name) {
  document.body.dataset.shown = name;
  if (name !== "text") panel = name;
  for (const tab of every("[data-show]")) {
    tab.setAttribute("aria-selected", String(tab.dataset.show === name));
  }
  for (const one of every(".panel")) one.classList.toggle("now", one.dataset.panel === panel);
  if (name !== "text") fill();
}

// --- places of this page: examples, an empty description, the model it was opened with

function open(draft) {
  if (place !== null) drafts.set(place, { file, known, first, values, masses: $("masses").value, text: area.value });
  place = location.hash;
  ({ file, known } = draft);
  first = draft.first ?? draft.text;
  values = draft.values || {};
  $("masses").value = draft.masses || "";
  area.value = draft.text;
  $("file").textContent = file;
  $("controls").replaceChildren();
  drawn = "";
  $("phrase").hidden = true;
  $("changed").hidden = true;
  every(".screen, .content").forEach((one) => one.replaceChildren());
  choosing(false);
  edited(0);
}

function choosing(on) {
  $("chooser").hidden = !on;
  $("desk").hidden = on;
  document.body.classList.toggle("choosing", on);
}

async function arrive() {
  const name = decodeURIComponent(location.hash.slice(1));
  if (drafts.has(location.hash)) return open(drafts.get(location.hash));
  if (name === "empty") return open({ file: "model.yaml", known: null, text: "" });
  if (!name && start.text !== null) return open(start);
  if (!name || name === "examples") return choosing(true);
  const response = await fetch(`example/${encodeURIComponent(name)}`);
  if (response.ok) open({ known: null, ...(await response.json()) });
}

$("search").addEventListener("input", ({ target }) => {
  const wanted = target.value.toLowerCase().split(/\s+/);
  for (const card of every(".card")) {
    card.hidden = !wanted.every((word) => card.dataset.words.includes(word));
  }
});

// --- files

let saving = "";

function askName(what) {
  saving = what;
  const ending = { page: "-view.html", report: "-report.html", run: ".nc" }[what];
  const stem = file.replace(/\.[^.]*$/, "");
  $("saving").querySelector("span").textContent = document.querySelector(`[data-save="${what}"]`).textContent;
  $("saving").querySelector(".told").textContent = "";
  $("name").value = what === "description" ? file : stem + ending;
  $("saving").showModal();
  $("name").setSelectionRange(0, $("name").value.lastIndexOf("."));
}

async function save(replace = false) {
  tell(said.computing, true);
  const more = { what: saving, as: $("name").value.trim(), replace, known };
  const answer = await ask("save", more);
  settle();
  if (!answer) return;
  if (answer.exists) {
    if (confirm(said.replace.replace("{}", answer.exists))) await save(true);
    return;
  }
  const wrong = answer.faults.map(({ message }) => message).join("\n");
  $("saving").querySelector(".told").textContent = wrong;
  if (wrong) return;
  $("saving").close();
  if (saving === "description") {
    file = $("file").textContent = answer.saved;
    known = first = answer.text;
    written(answer.text);
  }
  tell(said.saved.replace("{}", answer.saved));
}

/** The text that holds the values; they are no longer beside it. */
function written(text) {
  if (text === area.value && !Object.keys(values).length) return;
  area.value = text;
  values = {};
  edited(0);
}

for (const button of every("[data-save]")) button.addEventListener("click", () => askName(button.dataset.save));
for (const button of every("#saving button")) {
  button.addEventListener("click", () => (button.value ? save() : $("saving").close()));
}
$("name").addEventListener("keydown", (event) => {
  if (event.key === "Enter") save();
});
$("write").addEventListener("click", async () => {
  const answer = await ask("written");
  if (answer && !answer.faults.length) written(answer.text);
});
$("reset").addEventListener("click", () => {
  values = {};
  edited(0);
});
$("copy").addEventListener("click", async () => {
  await navigator.clipboard.writeText(latex);
  tell(said.copied);
});

area.addEventListener("input", () => edited());
for (const id of ["masses", "duration", "rate", "rtol", "formalism"]) {
  $(id).addEventListener("change", () => edited(0));
}
for (const tab of every("[data-show]")) tab.addEventListener("click", () => show(tab.dataset.show));
addEventListener("keydown", (event) => {
  if (event.key !== "s" || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  if (!$("desk").hidden) askName("description");
});
addEventListener("beforeunload", (event) => {
  if (!isSaved()) event.preventDefault();
});
addEventListener("hashchange", arrive);
show(matchMedia("(max-width: 56rem)").matches ? "text" : "motion");
arrive();
