// Files that are saved: the description, its page, its report, its run.

let saving = "";

function askName(what) {
  saving = what;
  $("exporting").close();
  const ending = { page: "-view.html", report: "-report.html", run: ".nc" }[what];
  const stem = draft.file.replace(/\.[^.]*$/, "");
  $("saving").querySelector("span").textContent = document.querySelector(`[data-save="${what}"]`).textContent;
  $("saving").querySelector(".told").textContent = "";
  $("name").value = what === "description" ? draft.file : stem + ending;
  $("saving").showModal();
  $("name").setSelectionRange(0, $("name").value.lastIndexOf("."));
}

async function save(replace = false) {
  tell(said.computing, true);
  const more = { what: saving, as: $("name").value.trim(), replace, known: draft.known };
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
    file = answer.saved;
    Object.assign(draft, { file: answer.saved, known: answer.text, first: answer.text });
    written(answer.text);
    showTabs();
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
$("export").addEventListener("click", () => $("exporting").showModal());
$("exporting").querySelector('[value=""]').addEventListener("click", () => $("exporting").close());
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
addEventListener("keydown", (event) => {
  if (event.key !== "s" || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  if (!$("desk").hidden) askName("description");
});
