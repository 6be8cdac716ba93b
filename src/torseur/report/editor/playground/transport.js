// Questions to Python in this page: a worker answers them one after the other.

const post = (() => {
  const PATIENCE = 4000;  // ms that a worker may go on with a question that nobody waits for
  const { lang, loading, failed } = JSON.parse(document.getElementById("start").textContent);
  const queue = [];  // questions; the first is being answered once Python is there
  const sign = Object.assign(document.createElement("p"), { className: "loading", textContent: loading });
  sign.setAttribute("role", "status");
  let worker = null, isReady = false;

  function begin() {
    isReady = false;
    document.body.prepend(sign);
    worker = new Worker("worker.js", { type: "module" });
    worker.addEventListener("message", ({ data }) => {
      if (data.ready) ready();
      else if (data.missing) missing(data.missing);
      else if (data.broken) broken(data.broken);
      else done(JSON.parse(data.answer));
    });
    worker.addEventListener("error", ({ message }) => missing(message || ""));
  }

  function missing(message) {
    sign.textContent = `${failed} ${message}`;
    document.body.prepend(sign);
  }

  /** Python has stopped, as where its stack ends: another one takes its place. */
  function broken(message) {
    worker.terminate();
    queue.shift().resolve({ faults: [{ message, line: 0, column: 0 }] });
    begin();
  }

  function ready() {
    isReady = true;
    sign.remove();
    next();
  }

  /** Ask the first question of the queue, those left out that nobody waits for. */
  function next() {
    while (queue.length && queue[0].signal?.aborted) queue.shift().resolve(null);
    if (!isReady || !queue.length) return;
    const { path, question } = queue[0];
    worker.postMessage({ lang, path, question: JSON.stringify(question) });
  }

  function done(answer) {
    const { resolve, signal } = queue.shift();
    if (answer.content) download(answer.saved, answer.content);
    resolve(signal?.aborted ? null : answer);
    next();
  }

  /** A long computation that nobody waits for ends with its worker. */
  function abandon(one) {
    setTimeout(() => {
      if (!isReady || queue[0] !== one) return;
      worker.terminate();
      queue.shift().resolve(null);
      begin();
    }, PATIENCE);
  }

  async function download(name, content) {
    const bytes = Uint8Array.from(atob(content), (c) => c.charCodeAt(0));
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([bytes]));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60000);
  }

  begin();
  if (navigator.serviceWorker) navigator.serviceWorker.register("service.js");

  /** A text beside this page: it is there before Python is. */
  async function example(name, signal) {
    const response = await fetch(`example/${lang}/${encodeURIComponent(name)}`, { signal });
    return response.ok ? response.json() : null;
  }

  function computed(path, question, signal) {
    return new Promise((resolve) => {
      const one = { path, question, signal, resolve };
      queue.push(one);
      signal?.addEventListener("abort", () => abandon(one));
      if (queue.length === 1) next();
    });
  }

  return async (path, question, signal) => {
    if (path === "example") return example(question.name, signal);
    return path === "files" ? { faults: [], files: [] } : computed(path, question, signal);
  };
})();
