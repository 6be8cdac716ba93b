/**
 * A motion that a page computes: the machine code of a mechanism in WebAssembly, and its memory.
 *
 * The code is that of Torseur for any other processor, and so are the numbers. This script copies
 * memory, writes inputs, calls `advance` and reads samples; it integrates nothing itself.
 *
 * @typedef {object} Program what `torseur.machine.page.program` writes
 * @property {string[]} elementary modules of WebAssembly whose functions others import
 * @property {string[]} modules modules of WebAssembly, deflated, in base64
 * @property {number[]} data where the data of each of these modules stand
 * @property {[number, string][]} table module and export of each function
 * @property {number} first index of the first of them
 * @property {number} start where the image of memory begins; the stack ends there
 * @property {string} memory image of memory, deflated, in base64
 * @property {number} pages of 64 KiB
 * @property {number} kernel index of the function that moves the record
 * @property {[number, number]} record its address and size
 * @property {Object<string, number>} fields words of the record by name
 * @property {Object<string, [number, number]>} arrays address and length of arrays of numbers
 * @property {Object<string, [number, number, number]>} functions index, table and clock of each
 * @property {[string, number, string[], number[]][]} constants what makes constants of parameters
 * @property {number} free address of memory that nothing uses
 * @property {{derived: string[], entries: [string, number][], starts: number[]}} [settings] what the
 *   function "settings" makes of parameters: others, numbers of arrays, numbers of the start
 */

/** Why the kernel returned, as in `torseur.machine.integrators.codes`. */
export const CODE = {
  PAUSED: 0, DONE: 1, TERMINAL_EVENT: 2, STEP_TOO_SMALL: 3, NOT_FINITE: 4,
  LOOP_OPEN: 5, STEP_TOO_LONG: 7, UNSETTLED: 9,
};

const PAGE = 65536;
const WHOLE = new Set(["counter", "codes"]); // arrays of whole numbers

/** Bytes of deflated base64. @param {string} text @returns {Promise<Uint8Array>} */
export async function unpacked(text) {
  const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

export class Motion {
  /** Makes the motion of a program ready. @param {Program} program @returns {Promise<Motion>} */
  static async load(program) {
    const memory = new WebAssembly.Memory({ initial: program.pages + 1 });
    const table = new WebAssembly.Table({
      initial: program.first + program.table.length, element: "anyfunc",
    });
    const stack = new WebAssembly.Global({ value: "i32", mutable: true }, program.start);
    const env = { memory, __indirect_function_table: table, __stack_pointer: stack };
    const exported = async (text) => (await WebAssembly.instantiate(await unpacked(text), { env })).instance.exports;
    for (const text of program.elementary) Object.assign(env, await exported(text));
    const modules = [];
    for (const [k, text] of program.modules.entries()) {
      env.__memory_base = new WebAssembly.Global({ value: "i32", mutable: false }, program.data[k]);
      modules.push(await exported(text));
    }
    program.table.forEach(([module, name], k) => table.set(program.first + k, modules[module][name]));
    const image = await unpacked(program.memory);
    new Uint8Array(memory.buffer).set(image, program.start);
    return new Motion(program, memory, table, modules, image);
  }

  /**
   * @param {Program} program @param {WebAssembly.Memory} memory
   * @param {WebAssembly.Table} table @param {object[]} modules @param {Uint8Array} image
   */
  constructor(program, memory, table, modules, image) {
    this.program = program;
    this.image = image;
    this.memory = memory;
    this.table = table;
    this.makers = Object.assign({}, ...modules); // names of exports of the mechanism are its own
    this.free = program.free;
    this.views();
    const [address, size] = program.record;
    this.fresh = image.slice(address - program.start, address - program.start + size);
    this.times = Float64Array.from(this.arrays.times);
    this.acting = new Set(this.arrays.acting ? this.times.filter((_, k) => this.arrays.acting[k]) : []);
    this.first = Float64Array.from(this.arrays.y);
    this.input = this.room(2 * this.first.length + 1); // more than any function takes
    this.output = this.room(this.first.length + 1);
    this.parameters = {};
    this.given = program.constants.map(([, , names, values]) => {
      names.forEach((name, k) => { this.parameters[name] = values[k]; });
      return this.room(Math.max(values.length, 1));
    });
    this.making = this.room(2);
  }

  /** Numbers of free memory. @param {number} count @returns {Float64Array} */
  room(count) {
    const address = this.free;
    this.free += 8 * count;
    if (this.free > this.memory.buffer.byteLength) {
      this.memory.grow(Math.ceil((this.free - this.memory.buffer.byteLength) / PAGE));
    }
    this.views();
    return new Float64Array(this.memory.buffer, address, count);
  }

  /** Views of memory, which a growing memory makes anew. */
  views() {
    const { buffer } = this.memory;
    if (this.buffer === buffer) return;
    const moved = this.buffer !== undefined;
    this.buffer = buffer;
    this.words = new BigInt64Array(buffer);
    this.numbers = new Float64Array(buffer);
    this.arrays = {};
    for (const [name, [address, count]] of Object.entries(this.program.arrays)) {
      const Kind = WHOLE.has(name) ? BigInt64Array : Float64Array;
      this.arrays[name] = new Kind(buffer, address, count);
    }
    if (!moved) return;
    const again = (x) => new Float64Array(buffer, x.byteOffset, x.length);
    for (const name of ["input", "output", "making", "settled"]) if (this[name]) this[name] = again(this[name]);
    this.given = this.given && this.given.map(again);
  }

  /** Index of a field of the record among the words of memory. @param {string} name */
  field(name) { return this.program.record[0] / 8 + this.program.fields[name]; }

  get time() { return this.arrays.t[0]; }

  get state() { return this.arrays.y; }

  /** How many samples are filled. */
  get filled() { return this.arrays.filled[0]; }

  get steps() { return this.arrays.accepted[0] + this.arrays.rejected[0]; }

  /** Forgets all that happened; parameters stay as they were set. */
  reset() {
    new Uint8Array(this.buffer).set(this.image, this.program.start);
    if (this.changed) this.setParameters({});
  }

  /**
   * Goes to a start, with as many times as the program has or fewer.
   * @param {ArrayLike<number>} start @param {ArrayLike<number>} times
   */
  restart(start, times) {
    const { arrays } = this, count = times.length, end = times[count - 1];
    new Uint8Array(this.buffer).set(this.fresh, this.program.record[0]);
    arrays.counter[0] = 0n;
    arrays.row[0] = -1;
    arrays.t[0] = times[0];
    arrays.y.set(start);
    arrays.times.set(times);
    this.holdActing(times);
    this.numbers[this.field("end")] = end;
    this.words[this.field("samples")] = BigInt(count);
  }

  /** When the state is acted on, and how far steps may go until then. */
  holdActing(times) {
    const { acting, limits } = this.arrays;
    if (!acting) return;
    let limit = times[times.length - 1];
    for (let k = times.length - 1; k >= 0; k -= 1) {
      acting[k] = this.acting.has(times[k]) ? 1 : 0;
      if (acting[k]) limit = Math.min(limit, times[k]);
      limits[k] = limit;
    }
  }

  /**
   * Some more steps. @param {number} budget @returns {number} PAUSED, or why it ended
   */
  advance(budget) {
    this.words[this.field("budget")] = BigInt(budget);
    const [address] = this.program.record;
    const code = Number(this.table.get(this.program.kernel)(BigInt(address)));
    if (code === CODE.PAUSED) return code;
    return Number(this.arrays.codes[0]);
  }

  /**
   * The output of a function of the state and the time.
   * @param {string} name @param {ArrayLike<number>} y @param {number} t
   * @param {Float64Array} [output] numbers in the memory of the program
   */
  call(name, y, t, output = this.output) {
    const [index, table, clock] = this.program.functions[name];
    this.input.set(y);
    this.words[table / 8 + 1] = BigInt(this.input.byteOffset);
    this.words[table / 8 + 3] = BigInt(output.byteOffset);
    this.numbers[clock / 8] = t;
    this.table.get(index)(BigInt(table));
    return output;
  }

  /** Whether there is a function. @param {string} name */
  has(name) { return name in this.program.functions; }

  /** Rows of events that the integrator located, which are taken out of its table. */
  taken() {
    const place = this.field("recorded"), count = Number(this.words[place]), width = this.first.length + 3;
    this.words[place] = 0n;
    return Array.from({ length: count }, (_, k) => this.arrays.records.slice(k * width, (k + 1) * width));
  }

  /**
   * Other values of parameters: the exported constants are computed again, and what depends on them.
   * @param {Object<string, number>} values by name
   */
  setParameters(values) {
    Object.assign(this.parameters, values);
    this.changed = true;
    this.computeConstants();
    if (!this.program.settings) return;
    const { derived, entries } = this.program.settings, made = this.derivedNumbers();
    derived.forEach((name, k) => { this.parameters[name] = made[k]; });
    if (derived.length) this.computeConstants();
    entries.forEach(([name, place], k) => { this.arrays[name][place] = made[derived.length + k]; });
  }

  /** What the function "settings" gives, numbers of the start last. @returns {Float64Array} */
  derivedNumbers() {
    return this.call("settings", this.first, this.times[0], this.roomOfSettings()).slice();
  }

  /** Memory for that. */
  roomOfSettings() {
    const { derived, entries, starts } = this.program.settings;
    const count = Math.max(1, derived.length + entries.length + starts.length);
    if (!this.settled) this.settled = this.room(count);
    return this.settled;
  }

  computeConstants() {
    this.program.constants.forEach(([name, address, names], k) => {
      const given = this.given[k];
      names.forEach((one, place) => { given[place] = this.parameters[one]; });
      const both = new BigInt64Array(this.buffer, this.making.byteOffset, 2);
      both[0] = BigInt(given.byteOffset);
      both[1] = BigInt(address);
      this.makers[name](BigInt(this.making.byteOffset));
    });
  }
}
