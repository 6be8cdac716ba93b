// Computes live motions as a page does: reads documents from standard input, a line each, and
// writes for each the number of samples, a digest of their first numbers, and its events.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [room, width] = [process.argv[2], +process.argv[3]];
const { Motion } = await import(pathToFileURL(`${room}/motion.js`));
const { Course } = await import(pathToFileURL(`${room}/course.js`));

/** Digest of the first numbers of every sample. */
function digest(course) {
  const rows = new Float64Array(course.count * width);
  for (let k = 0; k < course.count; k += 1) {
    rows.set(course.states.subarray(k * course.size, k * course.size + width), k * width);
  }
  return createHash("sha256").update(Buffer.from(rows.buffer)).digest("hex");
}

const { document, changes } = JSON.parse(readFileSync(0, "utf-8"));
const course = new Course(await Motion.load({ ...document.program, settings: document.settings }), document);
const results = [];
for (const { parameters, start, kept, budget, from: sample, to } of changes) {
  if (parameters) course.motion.setParameters(parameters);
  const from = start && course.assembled(Float64Array.from(start), kept);
  course.begin(from || undefined);
  while (!course.advance(budget || 1000));
  if (sample !== undefined) {
    course.carryOn(course.states.slice(sample * course.size, (sample + 1) * course.size), sample, to);
    while (!course.advance(budget || 1000));
  }
  const { code, count, events } = course;
  const last = Array.from(course.states.subarray((count - 1) * course.size, count * course.size));
  results.push({ code, count, digest: digest(course), events, from: from && Array.from(from), last });
}
process.stdout.write(JSON.stringify(results));
