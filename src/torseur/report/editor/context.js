// The place of the caret in a description: in which mappings it stands, at a key or at a value.

/**
 * A mapping or a list that is open at some place of the text.
 * @typedef {{list: boolean, indent: number, key: string, keyAt: number, entries: Map<string, string>}} Frame
 */

/**
 * @typedef {object} Context
 * @property {string[]} path keys of the mappings around the caret, outermost first
 * @property {Map<string, string>} entries those of the innermost mapping, with their plain values
 * @property {string} key the entry whose value it is; empty at a key
 * @property {string} scalar the plain text before the caret: a part of a key, or of a value
 * @property {number} from where this text starts
 */

const KEY = /^("(?:[^"\\]|\\.)*"|'[^']*'|[^\s#:,[\]{}"'][^:#,[\]{}]*?)\s*:(?=\s|$)/u;
const bare = (text) => text.trim().replace(/^(["'])(.*)\1$/, "$2");

/** Reads a text line by line and notes the frames that are open at one place. */
class Scanner {
  /** @param {number} caret */
  constructor(caret) {
    this.caret = caret;
    /** @type {Frame[]} */
    this.frames = [this.frame(false, 0)];
    this.depth = 0;  // of brackets
    this.token = { text: "", from: 0 };
    /** @type {Context | null} */
    this.context = null;
  }

  frame(list, indent) {
    return { list, indent, key: "", keyAt: 0, entries: new Map() };
  }

  get top() {
    return this.frames.at(-1);
  }

  /** What the caret is in, now that all before it was read. */
  note(scalar, from, frames = this.frames) {
    const maps = frames.filter((one) => !one.list), inner = maps.at(-1);
    const path = maps.slice(0, -1).map((one) => one.key).filter(Boolean);
    this.context = { path, entries: inner.entries, key: inner.key, scalar, from };
  }

  /** A line outside of brackets: its indentation says to which mapping it belongs. */
  line(text, from) {
    const caret = this.caret - from, within = caret >= 0 && caret <= text.length;
    let indent = /^ */.exec(text)[0].length;
    const rest = text.slice(indent);
    if (!rest || rest.startsWith("#")) {
      if (within && !rest) this.blank(Math.min(caret, indent));
      return;
    }
    const dashes = /^(?:- +)*(?:-$)?/.exec(rest)[0].length;
    while (this.frames.length > 1 && this.top.indent > indent) this.frames.pop();
    if (dashes) {
      while (this.frames.length > 1 && !this.top.list && this.top.indent >= indent && this.top.item) this.frames.pop();
      indent += dashes;
      this.frames.push(Object.assign(this.frame(false, indent), { item: true }));
    } else this.enter(indent);
    const match = KEY.exec(text.slice(indent));
    const start = from + indent;
    this.begin(start);
    if (!match) {
      const plain = !/^[[{"']/.test(text.slice(indent));
      if (within && caret >= indent && plain) this.atKey(text.slice(indent, caret), start, this.frames);
      if (plain) this.top.key = "";
      this.flow(text.slice(indent), start);
      return;
    }
    if (within && caret >= indent && caret < indent + match[0].length) {
      this.atKey(text.slice(indent, caret), start, this.frames);
    }
    this.key(bare(match[1]), start);
    this.begin(start + match[0].length);
    this.flow(text.slice(indent + match[0].length), start + match[0].length);
  }

  /** The mapping of an indentation: one that is open, or a new one below the last key. */
  enter(indent) {
    if (this.top.indent < indent && (this.top.key || this.frames.length > 1)) {
      this.frames.push(this.frame(false, indent));
    }
  }

  /** A line without text belongs to the mapping of the caret's column. */
  blank(column) {
    const frames = this.frames.filter((one) => one.indent <= column);
    if (frames.at(-1).key && frames.at(-1).indent < column) frames.push(this.frame(false, column));
    this.atKey("", this.caret, frames);
  }

  atKey(text, from, frames) {
    const written = frames.at(-1).key;
    frames.at(-1).key = "";
    this.note(text, from, frames);
    frames.at(-1).key = written;
  }

  key(name, at) {
    Object.assign(this.top, { key: name, keyAt: at });
    if (!this.top.list) this.top.entries.set(name, "");
  }

  /** Characters of values: brackets open and close mappings and lists, commas end their parts. */
  flow(text, from) {
    let quote = "";
    for (let k = 0; k <= text.length; k += 1) {
      if (from + k === this.caret && !this.context) this.noteFlow();
      const sign = text[k];
      if (sign === undefined) break;
      if (quote) {
        if (sign === "\\" && quote === '"') k += 1;
        else if (sign === quote) quote = "";
        this.token.text += sign;
      } else if (sign === "#" && /\s|^$/.test(text[k - 1] ?? "")) {
        break;
      } else if (sign === '"' || sign === "'") {
        quote = sign;
        this.add(sign, from + k);
      } else if (sign === "{" || sign === "[") {
        this.frames.push(this.frame(sign === "[", Infinity));
        this.depth += 1;
        this.begin(from + k + 1);
      } else if ((sign === "}" || sign === "]") && this.depth) {
        this.finish();
        this.frames.pop();
        this.depth -= 1;
        this.begin(from + k + 1);
      } else if (sign === "," && this.depth) {
        this.finish();
        if (!this.top.list) this.top.key = "";
        this.begin(from + k + 1);
      } else if (sign === ":" && this.depth && !this.top.list && /[\s,}\]]|^$/.test(text[k + 1] ?? "")) {
        this.key(bare(this.token.text), this.token.from);
        this.begin(from + k + 1);
      } else this.add(sign, from + k);
    }
    if (!this.depth) this.finish();
    else this.token.text += " ";
  }

  /** The next part of a value starts. */
  begin(from) {
    this.token = { text: "", from };
  }

  add(sign, at) {
    if (!this.token.text.trim()) this.token = { text: "", from: at };
    this.token.text += sign;
  }

  /** The plain value of the last key is complete. */
  finish() {
    const { top } = this, value = bare(this.token.text);
    if (value && top.key && !top.list) top.entries.set(top.key, value);
  }

  noteFlow() {
    const { text, from } = this.token;
    this.note(text.trimStart(), text.trim() ? from : this.caret);
  }
}

/**
 * The context of a place in a text of the YAML form.
 * @param {string} text @param {number} caret @returns {Context}
 */
function contextAt(text, caret) {
  const scanner = new Scanner(caret);
  let from = 0;
  for (const line of text.split("\n")) {
    if (scanner.depth) scanner.flow(line, from);
    else scanner.line(line, from);
    from += line.length + 1;
  }
  const outside = { path: [], entries: scanner.frames[0].entries, key: "", scalar: "", from: caret };
  return scanner.context ?? outside;
}

/** The names of the parts of each section, by the section as it is written. */
function namesIn(text) {
  const scanner = new Scanner(-1), sections = new Map();
  let from = 0;
  scanner.key = function (name, at) {
    Scanner.prototype.key.call(this, name, at);
    const maps = this.frames.filter((one) => !one.list);
    if (maps.length !== 2) return;
    const section = maps[0].key;
    sections.set(section, [...(sections.get(section) ?? []), name]);
  };
  for (const line of text.split("\n")) {
    if (scanner.depth) scanner.flow(line, from);
    else scanner.line(line, from);
    from += line.length + 1;
  }
  return sections;
}

/** Whether a text is a description phrase: it has operators, and no key of the YAML form. */
const isPhrase = (text) => text.includes("(") && !text.includes(":");
