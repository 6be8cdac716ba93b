// What is asked of the server and shown: of the newest edit only, and of the panel that is seen.

const [start, said] = ["start", "said"].map((id) => JSON.parse($(id).textContent));
const answered = new Map();  // the edit that each panel shows
let stop = new AbortController();  // of what is asked about this edit
let edit = 0, waiting = 0, panel = "motion", file = "", latex = "";
/** The description that is seen. @type {Draft} */
let draft = { key: "", file: "", known: null, first: "", history: null };

function tell(text, busy = false) {
  $("state").textContent = text;
  $("state").classList.toggle("busy", busy);
}

const isSaved = () => area.value === draft.first && !Object.keys(values).length;
const settle = () => tell(isSaved() ? "" : said.unsaved);

/** The answer to a question about what is written now; nothing where it came too late. */
async function ask(path, more = {}) {
  const fields = ["masses", "duration", "rate", "rtol", "formalism", "kind"].map((id) => [id, $(id).value]);
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

/**
 * Something was changed: what was asked before is not waited for; once there is a pause, it is read.
 * @param {number} pause [ms] @param {string} kind of change: those of one kind are one step of undo
 */
function edited(pause = 250, kind = "") {
  remember(kind);
  edit += 1;
  stop.abort();
  stop = new AbortController();
  numberLines();
  clearTimeout(waiting);
  waiting = setTimeout(look, pause);
  settle();
  showTabs();
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

for (const id of ["masses", "duration", "rate", "rtol", "formalism", "kind"]) {
  $(id).addEventListener("change", () => edited(0));
}
for (const tab of every("[data-show]")) tab.addEventListener("click", () => show(tab.dataset.show));
$("copy").addEventListener("click", async () => {
  await navigator.clipboard.writeText(latex);
  tell(said.copied);
});
