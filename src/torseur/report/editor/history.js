// What was written, step by step: text and values go back and forth together.

/**
 * A state of a description.
 * @typedef {{text: string, values: Object<string, number | string>, masses: string, caret: number}} State
 */

const MOST_STATES = 500, MOST_CHARACTERS = 2e7;

class EditHistory {
  /** @param {State} first */
  constructor(first) {
    this.states = [first];
    this.at = 0;
    this.kind = "";
  }

  get now() {
    return this.states[this.at];
  }

  /**
   * A new state; one of the same kind as the last replaces it, so that a word is one step.
   * @param {State} state @param {string} kind "" for a step of its own
   */
  record(state, kind) {
    const { now } = this;
    const isSame = state.text === now.text && state.masses === now.masses;
    if (isSame && JSON.stringify(state.values) === JSON.stringify(now.values)) return;
    if (kind && kind === this.kind && this.at === this.states.length - 1 && this.at > 0) this.at -= 1;
    this.states = [...this.states.slice(0, this.at + 1), state];
    this.kind = kind;
    let held = this.states.reduce((sum, { text }) => sum + text.length, 0);
    while (this.states.length > 2 && (this.states.length > MOST_STATES || held > MOST_CHARACTERS)) {
      held -= this.states.shift().text.length;
    }
    this.at = this.states.length - 1;
  }

  /** The state before (-1) or after (1), if there is one. @returns {State | null} */
  step(way) {
    const state = this.states[this.at + way];
    if (!state) return null;
    this.at += way;
    this.kind = "";
    return state;
  }
}

/** Kind of a change of the text by typing: the characters of a word are one step. */
function kindOfTyping(before, after, caret) {
  const more = after.length - before.length, typed = after.slice(caret - 1, caret);
  if (more === 1 && before === after.slice(0, caret - 1) + after.slice(caret)) {
    return /\s/.test(typed) ? "" : "typing";
  }
  return more === -1 && after === before.slice(0, caret) + before.slice(caret + 1) ? "removing" : "";
}
