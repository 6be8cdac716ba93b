/**
 * The course of a motion: from its start through events to its end, with a state at each sample.
 *
 * What Python does between two calls of the kernel is done here in the same order: events are taken
 * out of their tables, and an event that the kernel left open is settled by the function "settle".
 *
 * @typedef {object} Described what `torseur.simulation.live` writes
 * @property {string[]} coordinates
 * @property {string[]} speeds
 * @property {string[]} events of the mechanism itself
 * @property {number} mechanical numbers of a state before those of contacts
 * @property {?{names: string[], modes: [number, number], size: number, noted: number,
 *   by_steps: boolean}} contacts
 */

import { CODE } from "./motion.js";

const AFTER_ACT = -1, AT_START = -2; // instead of an event function
const SETTLED = 1; // a verdict
const CAUSES = ["touch", "lift-off", "limit of friction", "end of sliding", "act", "shock", "change"];
const STATES = ["open", "stick", "slip"];
const UNKNOWN = -1; // the mode of an element before any was chosen
const CLOSED = 1e-24; // the square of a gap: that of a loop that is closed
const MOST = 100; // steps of Newton's method

export class Course {
  /** @param {import("./motion.js").Motion} motion @param {Described} described */
  constructor(motion, described) {
    this.motion = motion;
    this.described = described;
    this.times = motion.times;
    this.size = motion.first.length;
    this.states = new Float64Array(this.times.length * this.size);
    this.begin();
  }

  get elements() { return this.described.contacts ? this.described.contacts.names.length : 0; }

  /** Goes to the start, or to another one, which is settled first. @param {Float64Array} [start] */
  begin(start) {
    const { motion } = this;
    motion.reset();
    this.events = [];
    this.code = CODE.PAUSED;
    const y = start ? this.settledStart(start) : motion.first;
    if (this.code === CODE.PAUSED) motion.restart(y, this.times);
    this.states.fill(NaN);
    this.states.set(y);
    this.count = 1; // samples that are known
    this.base = 0; // the sample of the first row of this stretch
    this.end = this.times.length; // samples that are wanted
  }

  /**
   * Goes on from a state at sample `from` to sample `to`, after something acted on that state.
   * @param {ArrayLike<number>} y @param {number} from @param {number} [to]
   */
  carryOn(y, from, to = this.times.length - 1) {
    const { motion } = this, { contacts } = this.described;
    motion.reset();
    this.events = [];
    this.code = CODE.PAUSED;
    this.states.set(y, from * this.size);
    Object.assign(this, { count: from + 1, base: from, end: to + 1 });
    motion.restart(y, this.times.subarray(from, to + 1));
    if (!contacts || contacts.by_steps) return;
    motion.arrays.progress.set([-Infinity, 0]);
    motion.arrays.noted[0] = 0;
    this.goOn(AFTER_ACT);
  }

  /** The start on the modes of its contacts. */
  settledStart(start) {
    const { contacts } = this.described, y = Float64Array.from(start);
    if (!contacts) return y;
    y.fill(0, contacts.modes[0] - (contacts.modes[1] - contacts.modes[0]));
    y.fill(contacts.by_steps ? 0 : UNKNOWN, ...contacts.modes);
    if (contacts.by_steps) return this.apart(y);
    this.motion.arrays.progress.set([-Infinity, 0]);
    this.motion.arrays.noted[0] = 0;
    return this.settled(y, this.times[0], AT_START);
  }

  /** The start of steps; bodies inside each other end it. */
  apart(y) {
    y.set(this.motion.first.subarray(this.described.contacts.size), this.described.contacts.size);
    const deepest = this.motion.call("see", y, this.times[0])[0];
    if (deepest >= 0) this.fail("inside", deepest);
    return y;
  }

  /** The state as it goes on after an event. */
  settled(y, t, event) {
    const { motion } = this;
    motion.output[this.size] = event;
    const output = motion.call("settle", y, t);
    this.takeNotes();
    if (output[this.size] !== SETTLED) this.fail("unsettled", output[this.size]);
    return output.slice(0, this.size);
  }

  fail(reason, detail) {
    this.code = CODE.UNSETTLED;
    this.reason = reason;
    this.detail = detail;
  }

  get isOver() { return this.code !== CODE.PAUSED; }

  /**
   * Some more steps. @param {number} budget @returns {boolean} whether the motion is over
   */
  advance(budget) {
    if (this.isOver) return true;
    const { motion } = this;
    const code = motion.advance(budget);
    this.takeSamples();
    if (this.described.contacts && !this.described.contacts.by_steps) this.takeNotes();
    const found = motion.taken();
    for (const row of found) this.note(row);
    if (code === CODE.UNSETTLED) this.goOn(AFTER_ACT);
    else if (code === CODE.TERMINAL_EVENT && this.isContact(found[found.length - 1][2])) {
      this.goOn(found[found.length - 1][2]);
    } else this.code = code;
    return this.isOver;
  }

  isContact(index) { return index < 3 * this.elements; }

  /** Goes on from an event with the times ahead. */
  goOn(event) {
    const { motion, times, count, end } = this, t = motion.time;
    const y = this.settled(motion.state, t, event);
    if (this.isOver) return;
    if (event === AFTER_ACT) this.states.set(y, (count - 1) * this.size);
    if (count === end) {
      this.code = CODE.DONE;
      return;
    }
    const atSample = t === times[count - 1];
    let later = atSample ? count : Math.max(count, times.findIndex((x) => x > t));
    if (later < count || later > end) later = end;
    const ahead = new Float64Array(end - later + 1);
    ahead[0] = t;
    ahead.set(times.subarray(later, end), 1);
    this.base = later - 1;
    motion.restart(y, ahead);
  }

  /** Copies the states of samples that are filled. */
  takeSamples() {
    const { motion, size } = this, filled = motion.filled;
    for (let row = this.count - this.base; row < filled; row += 1) {
      this.states.set(motion.arrays.states.subarray(row * size, (row + 1) * size), this.count * size);
      this.count += 1;
    }
  }

  /** Takes the events that machine code noted out of its table. */
  takeNotes() {
    const { notes, noted } = this.motion.arrays, { contacts } = this.described;
    const width = contacts.noted + contacts.size;
    for (let k = 0; k < noted[0]; k += 1) {
      const [at, which, cause, effect] = notes.subarray(k * width, k * width + 4);
      if (cause < CAUSES.length) {
        const after = CAUSES[cause] === "shock" ? "" : STATES[effect];
        this.events.push({ name: contacts.names[which], at, cause: CAUSES[cause], effect: after });
      }
    }
    noted[0] = 0;
  }

  /** Notes an event of the mechanism itself, or what a step of Moreau tells. */
  note([, at, index]) {
    const { contacts, events } = this.described;
    if (contacts && contacts.by_steps) this.noteStep(at, index);
    else if (!this.isContact(index)) {
      this.events.push({ name: events[index - 3 * this.elements], at, cause: "", effect: "" });
    }
  }

  noteStep(at, index) {
    const { names } = this.described.contacts;
    if (index < 0) {
      this.events.push({ name: names[-1 - index], at, cause: "shock", effect: "" });
      return;
    }
    const change = Math.floor(index / names.length), [old, now] = [Math.floor(change / 4) - 1, (change % 4) - 1];
    const cause = { "0 1": 0, "0 2": 0, "1 0": 1, "2 0": 1, "1 2": 2, "2 1": 3 }[`${old} ${now}`];
    this.events.push({
      name: names[index % names.length], at, cause: cause === undefined ? "change" : CAUSES[cause], effect: STATES[now],
    });
  }

  // --- starts that the reader chooses

  /**
   * The state nearest to a wanted one with its loops closed, and one number kept as wanted.
   * @param {Float64Array} wanted @param {number} [kept] index of that number
   */
  assembled(wanted, kept = -1) {
    const t = this.times[0], y = Float64Array.from(wanted);
    const positions = (from) => this.closed(from, t);
    if (!this.motion.has("close")) return y;
    let given = Float64Array.from(y), closed = positions(given);
    for (let k = 0; kept >= 0 && closed && k < MOST; k += 1) {
      const off = wanted[kept] - closed[kept];
      if (Math.abs(off) < 1e-13 * (1 + Math.abs(wanted[kept]))) break;
      given = Float64Array.from(closed);
      given[kept] += off;
      closed = positions(given);
    }
    if (!closed) return null;
    return this.motion.has("calm") ? this.mechanical("calm", closed, t) : closed;
  }

  /** A state whose mechanical part a function gives; contacts stay. */
  mechanical(name, y, t) {
    const result = Float64Array.from(y);
    result.set(this.motion.call(name, y, t).subarray(0, this.described.mechanical));
    return result;
  }

  /** Newton's method onto the constraints; null where it does not come to them. */
  closed(from, t) {
    let y = from;
    for (let k = 0; k < MOST; k += 1) {
      y = this.mechanical("close", y, t);
      const gap = this.motion.output[this.described.mechanical];
      if (!Number.isFinite(gap)) return null;
      if (gap < CLOSED) return y;
    }
    return null;
  }
}
