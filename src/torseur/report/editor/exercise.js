// Answers to the questions of an exercise: each is sent, and the reply is shown below it.

const said = JSON.parse(document.getElementById("words").textContent);
const { exercise } = document.body.dataset, page = +document.body.dataset.page;
const points = new Map();  // of each question that was answered
const hinted = new Set();

async function ask(path, form, more = {}) {
  const shown = form.querySelector(".reply");
  shown.className = "reply";
  shown.textContent = said.computing;
  const question = form.dataset.question;
  try {
    const response = await fetch(`../${path}`, {
      method: "POST", headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ page, exercise, question, ...more }),
    });
    const reply = await response.json();
    const faults = reply.faults.map(({ message }) => message);
    shown.textContent = faults.length ? faults.join("\n") : reply.text;
    if (faults.length || reply.right === false) shown.classList.add("wrong");
    if (reply.right) shown.classList.add("right");
    return faults.length ? null : reply;
  } catch {
    shown.textContent = said.gone;
    return null;
  }
}

function showMark(total) {
  let sum = 0;
  for (const x of points.values()) sum += x;
  const digits = { minimumFractionDigits: 1, maximumFractionDigits: 1 };
  const mark = (20 * sum / total).toLocaleString(document.documentElement.lang, digits);
  document.getElementById("mark").textContent = `${mark}/20`;
}

for (const form of document.querySelectorAll(".question")) {
  const name = form.dataset.question;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const answer = form.elements.answer.value.trim();
    if (!answer) return;
    const reply = await ask("reply", form, { answer, hinted: hinted.has(name) });
    if (!reply) return;
    points.set(name, reply.points);
    showMark(reply.total);
  });
  for (const button of form.querySelectorAll("[data-ask]")) {
    button.addEventListener("click", async () => {
      if (button.dataset.ask === "hint") hinted.add(name);
      await ask(button.dataset.ask, form);
    });
  }
}
