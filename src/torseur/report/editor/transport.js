// Questions to the server of the app.

/** The answer to a question; null where a newer one takes its place. @returns {Promise<?object>} */
async function post(path, question, signal) {
  const response = await fetch(path, {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(question), signal,
  });
  return response.status === 409 ? null : response.json();
}
