// The worker of the playground: Python with Torseur, which answers as the process of the app does.

import { loadPyodide } from "./pyodide/pyodide.mjs";

const home = new URL(".", import.meta.url), distribution = new URL("pyodide/", home).href;

async function content(path, read) {
  const response = await fetch(new URL(path, home));
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return response[read]();
}

/** Packages of the distribution of Pyodide by name, and wheels of any platform by file. */
async function load(python, { names, files }) {
  const contents = files.map((file) => content(`packages/${file}`, "arrayBuffer"));
  if (names.length) await python.loadPackage(names, { messageCallback() {} });
  for (const wheel of contents) {
    python.unpackArchive(await wheel, "wheel", { extractDir: python.runPython("import site; site.getsitepackages()[0]") });
  }
}

async function begin() {
  const packages = await content("packages.json", "json");
  const python = await loadPyodide({ indexURL: distribution, packageBaseUrl: distribution });
  await load(python, packages.first);
  const answers = python.pyimport("torseur.cli.playground.answers_in_page");
  answers.expect(JSON.stringify(Object.keys(packages.late)));
  return { python, packages, answers };
}

/** The answer to a question, after the packages came that it turned out to need. */
async function answer({ lang, path, question }) {
  const { python, packages, answers } = await started;
  for (;;) {
    const text = answers.answer(lang, path, question), { needs } = JSON.parse(text);
    if (!needs) return text;
    await load(python, packages.late[needs]);
    answers.arrived(needs);
  }
}

const started = begin();
let turn = started;
self.addEventListener("message", ({ data }) => {
  const said = async () => self.postMessage({ answer: await answer(data) });
  turn = turn.then(() => said().catch((error) => self.postMessage({ broken: String(error.message || error) })));
});
started.then(
  () => self.postMessage({ ready: true }),
  (error) => self.postMessage({ missing: String(error.message || error) }),
);
