// The run of a page that simulates: samples as they are computed, from a start and parameters.

const SLICE = 40, BUDGET = 1000;  // steps before the clock is read, and up to the next sample
const NEARLY = 1e-9;  // of a number of the start: as parameters gave it

class LiveRun {
  /** Makes the motion of the page ready, with its first samples. */
  static async start() {
    const { motion } = data.live, { settings } = motion;
    const plain = new Course(await Motion.load({ ...motion.program, settings }), motion);
    const glass = data.live.touching ? await Motion.load({ ...motion.program, settings }) : plain.motion;
    if (!motion.pushed) return new LiveRun(plain, null, glass);
    const shared = motion.pushed.modules.map((x) => (typeof x === "number" ? motion.program.modules[x] : x));
    const program = { ...motion.pushed, modules: shared, settings }, more = motion.speeds.length;
    const { contacts } = motion, after = contacts && {
      ...contacts, size: contacts.size + more, modes: contacts.modes.map((k) => k + more),
    };
    const described = { ...motion, mechanical: motion.mechanical + more, contacts: after };
    return new LiveRun(plain, new Course(await Motion.load(program), described), glass);
  }

  /** What is seen of contacts changes memory: the glass has its own. */
  constructor(plain, pushed, glass) {
    const { motion } = data.live, size = data.bodies.length - 1, samples = plain.times.length;
    Object.assign(this, { plain, pushed, glass, times: plain.times, width: plain.size, events: [], repeats: true });
    this.nq = motion.coordinates.length;
    this.nv = motion.speeds.length;
    this.states = new Float64Array(samples * this.width);
    this.poses = new Float32Array(7 * size * samples);
    this.forces = new Float64Array(this.nv);  // that act along the speeds, from outside
    this.from = Float64Array.from(plain.motion.first);  // where it starts
    this.usual = { start: Float64Array.from(this.from), parameters: { ...plain.motion.parameters } };
    this.set = {};  // parameters that the reader changed
    Object.assign(data, { s: this.times, poses: this.poses, events: this.events });
    this.lines = data.curves.flatMap(({ lines }) => lines);
    for (const line of this.lines) line.values = new Float64Array(samples).fill(NaN);
    const { touching } = data.live, rows = touching ? touching.placed.length * samples : 0;
    for (const [, k] of data.live.reactions) data.joints[k].force = new Float32Array(3 * samples);
    data.touches = rows ? {
      names: touching.placed.map(({ name }) => name), starts: new Uint32Array(samples + 1), newton: 1, usual: 0,
      which: new Uint32Array(rows), states: new Uint8Array(rows), places: new Float32Array(3 * rows),
      forces: new Float32Array(6 * rows),
    } : null;
    this.roomForOutputs();
    this.begin();
  }

  /** Memory for the outputs of the functions that this script reads. */
  roomForOutputs() {
    const { glass } = this, { touching } = data.live;
    const sizes = {
      view: 12 * (data.bodies.length - 1) + 2 + data.live.gaps, axes: 6 * this.nv + this.nq * this.nv,
      reactions: 3 * data.live.wrenches, touching: touching ? 15 * touching.placed.length : 0,
      forces: touching ? 2 * this.width + this.nv : 0,
    };
    const whole = glass.room(Object.values(sizes).reduce((sum, x) => sum + x, 0));
    let place = 0;
    this.outputs = {};
    for (const [name, count] of Object.entries(sizes)) {
      this.outputs[name] = whole.subarray(place, place += count);
    }
  }

  /** The output of a function of the page at a state. */
  of(name, y, t = this.times[0]) {
    return this.glass.call(name, y, t, this.outputs[name]);
  }

  /** The forces of the rows of contacts at a state that has its contact states in it. */
  forcesAt(y, t) {
    const { glass, nq, nv } = this, { slow, forces } = data.live.touching, { modes: at } = data.live.motion.contacts;
    const modes = y.slice(...at), sliding = modes.some((x) => x === 2), call = (name) => glass.call(name, y, t, this.outputs.forces);
    let along = modes.map(() => null);
    if (sliding) {
      this.setStates(modes.map((x) => (x === 2 ? 1 : x)), along);
      call("forces");
      const starting = this.directions(y.subarray(...forces), -1), u = this.directions(glass.arrays.u, 1);
      along = Array.from(modes, (_, k) => (u[k].size <= slow[k] ? starting[k] : u[k]).along);
    }
    this.setStates(modes, along);
    if (y.subarray(nq, nq + nv).some((x) => x === 0)) for (const name of ["look", "stand"]) call(name);
    call("forces");
    return glass.arrays.z;
  }

  /** A state, the accelerations at it and the forces of its rows. */
  withRows(y, z) {
    const { mechanical } = data.live.motion;
    return [...y.subarray(0, mechanical), ...this.outputs.forces.subarray(0, this.nv), ...z];
  }

  /** Contact states and directions of sliding in the table of elements. */
  setStates(modes, along) {
    const { element } = this.glass.arrays, { width, mode, direction } = data.live.touching.columns;
    modes.forEach((x, k) => {
      element[k * width + mode] = x;
      element.set(along[k] || [0, 0, 0], k * width + direction);
    });
    this.glass.call("part", this.from, this.times[0], this.outputs.forces);
  }

  /** Size and direction of what rows of friction have, for each element. */
  directions(rows, sign) {
    return data.live.touching.rubbing.map((places) => {
      const x = [0, 1, 2].map((k) => (k < places.length ? sign * rows[places[k]] : 0)), size = Math.hypot(...x);
      return { size, along: size ? x.map((part) => part / size) : places.length ? [1, 0, 0] : [0, 0, 0] };
    });
  }

  /** From the start that is set, by the parameters that are set. */
  begin(limit = 60) {
    const { plain } = this, anew = this.moved || Object.keys(this.set).length;
    plain.begin(anew ? this.from : undefined);
    this.course = plain;
    this.trouble = null;
    this.events.length = this.before = 0;
    this.count = this.traced = 0;  // samples that are known; that are in the paths of points
    this.repeats = true;
    this.take();
    if (this.forces.some((x) => x)) this.push(this.forces, 0);
    this.onwards(limit);
  }

  get isOver() { return this.course.isOver; }

  /** A state of the motion that is pushed by forces. */
  withForces(y, forces) {
    const place = this.nq + this.nv + 1;
    return Float64Array.from([...y.subarray(0, place), ...forces, ...y.subarray(place)]);
  }

  /** The state at a sample. */
  row(k) { return this.states.subarray(k * this.width, (k + 1) * this.width); }

  /** Some more steps, for so many milliseconds. */
  onwards(limit) {
    const end = performance.now() + limit;
    while (!this.isOver && performance.now() < end) {
      this.course.advance(SLICE);
      this.take();
    }
  }

  /** Goes on up to a time; a hand that pulls gives its forces from sample to sample. */
  follow(time) {
    while (this.pulled && this.count < this.times.length && this.times[this.count - 1] < time && !this.trouble) {
      this.push(this.pulled(this.row(this.count - 1)), this.count - 1, this.count);
      while (!this.pushed.advance(BUDGET));
      this.take();
      this.repeats = false;
      if (this.course.code !== CODE.DONE) break;
    }
  }

  /** Forces along the speeds act on the state at a sample, up to another one. */
  push(forces, from, to = this.times.length - 1) {
    this.cut(from);
    this.course = this.pushed;
    this.before = this.events.length;
    if (from < to) this.pushed.carryOn(this.withForces(this.row(from), forces), from, to);
  }

  /** Forgets what comes after a sample. */
  cut(k) {
    this.count = Math.min(this.count, k + 1);
    this.traced = Math.min(this.traced, this.count);
    const end = this.times[k], later = this.events.findIndex(({ at }) => at > end);
    if (later >= 0) this.events.length = later;
    for (const line of this.lines) line.values.fill(NaN, this.count);
    this.before = this.events.length;
  }

  /** Takes the samples and events that the course has. */
  take() {
    const { course } = this, place = this.nq + this.nv + 1, more = course === this.plain ? 0 : this.nv;
    for (; this.count < course.count; this.count += 1) {
      const y = course.states.subarray(this.count * course.size, (this.count + 1) * course.size);
      const row = this.row(this.count);
      row.set(y.subarray(0, place));
      row.set(y.subarray(place + more), place);
      this.fill(this.count);
    }
    this.events.length = this.before;
    this.events.push(...course.events);
    this.trouble = course.reason || (course.isOver && course.code > CODE.TERMINAL_EVENT ? course.code : null);
  }

  /** What is drawn at a sample: poses, curves, reactions, contacts. */
  fill(k) {
    const y = this.row(k), t = this.times[k], view = this.of("view", y, t), bodies = data.bodies.length - 1;
    for (let body = 0; body < bodies; body += 1) this.pose(k, body, view.subarray(12 * body, 12 * body + 12));
    const [kinetic, potential] = view.subarray(12 * bodies), work = y[this.nq + this.nv];
    const closure = view.subarray(12 * bodies + 2).reduce((most, x) => Math.max(most, Math.abs(x)), 0);
    const z = data.live.touching ? this.forcesAt(y, t) : null;
    const reactions = data.live.reactions.length ? this.of("reactions", z ? this.withRows(y, z) : y, t) : null;
    for (const [place, joint] of data.live.reactions) {
      data.joints[joint].force.set(reactions.subarray(3 * place, 3 * place + 3), 3 * k);
    }
    if (data.touches) this.touch(k, y, t, z);
    const energy = { kinetic, potential, work, total: kinetic + potential };
    const value = {
      state: (at) => y[at], energy: (at) => energy[at], closure: () => closure,
      reaction: (at) => Math.hypot(...reactions.subarray(3 * at, 3 * at + 3)), normal: (at) => this.pressed[at],
    };
    for (const { of: [kind, at], values } of this.lines) values[k] = value[kind](at);
  }

  /** Position and quaternion of a body, on the side of the sample before. */
  pose(k, body, [px, py, pz, ...R]) {
    const size = 7 * (data.bodies.length - 1), start = k * size + 7 * body, q = quaternion(R);
    const old = k ? this.poses.subarray(start - size + 3, start - size + 7) : q;
    const side = q.reduce((sum, x, i) => sum + x * old[i], 0) < 0 ? -1 : 1;
    this.poses.set([px, py, pz, ...q.map((x) => side * x)], start);
  }

  /** The contacts of a sample. */
  touch(k, y, t, z) {
    const { placed } = data.live.touching, { modes } = data.live.motion.contacts, out = this.of("touching", y, t);
    const { starts, which, states, places, forces } = data.touches;
    let place = starts[k];
    this.pressed = placed.map(({ element, rows }, i) => {
      const mode = y[modes[0] + element], axes = out.subarray(15 * i + 6, 15 * i + 15);
      if (mode < 1) return 0;
      which[place] = i;
      states[place] = mode === 1 ? 0 : 1;
      places.set(out.subarray(15 * i, 15 * i + 3), 3 * place);
      rows.forEach((row, n) => {
        for (let j = 0; j < 3; j += 1) {
          const at = 6 * place + (n ? 3 : 0) + j;
          forces[at] = (n > 1 ? forces[at] : 0) + z[row] * axes[3 * n + j];
        }
      });
      place += 1;
      data.touches.usual = Math.max(data.touches.usual, Math.abs(z[rows[0]]));
      return z[rows[0]];
    });
    starts[k + 1] = place;
  }

  // --- what the reader sets

  /** Other values of parameters; numbers of the start that follow from them follow. */
  setParameters(values) {
    const before = this.startsOfParameters();
    for (const [name, x] of Object.entries(values)) {
      if (x === this.usual.parameters[name]) delete this.set[name];
      else this.set[name] = x;
    }
    for (const motion of new Set([this.plain.motion, this.glass, this.pushed?.motion])) motion?.setParameters(values);
    const { starts } = data.live.motion.settings, after = this.startsOfParameters();
    const wanted = Float64Array.from(this.from);
    starts.forEach((at, k) => {
      const follows = Math.abs(wanted[at] - before[k]) <= NEARLY * (1 + Math.abs(before[k]));
      if (before[k] !== after[k] && follows) wanted[at] = after[k];
    });
    return this.startFrom(wanted);
  }

  startsOfParameters() {
    const { derived, entries } = data.live.motion.settings;
    return this.plain.motion.derivedNumbers().slice(derived.length + entries.length);
  }

  /** Another start, with its loops closed and one number kept; false where there is none. */
  startFrom(wanted, kept = -1, limit = undefined) {
    const y = kept < this.nq ? this.plain.assembled(wanted, kept) : this.withSpeed(wanted, kept);
    if (!y) return false;
    this.from = y;
    this.moved = y.some((x, k) => x !== this.usual.start[k]);
    this.begin(limit);
    return true;
  }

  /** A state with one speed as it is wanted, and the others moved as little as loops allow. */
  withSpeed(wanted, kept) {
    const y = this.plain.assembled(wanted);
    if (!y || !this.plain.motion.has("calm")) return y;
    const along = this.allowed(y)[kept - this.nq], k = kept - this.nq;
    if (Math.abs(along[k]) < 1e-9) return y;
    const change = (wanted[kept] - y[kept]) / along[k];
    along.forEach((x, i) => { y[this.nq + i] += change * x; });
    return y;
  }

  /** What loops leave of each unit speed. */
  allowed(y) {
    const { nq, nv, plain } = this;
    const calmed = (k) => {
      const given = Float64Array.from(y);
      given.fill(0, nq, nq + nv);
      if (k >= 0) given[nq + k] = 1;
      const result = plain.motion.has("calm") ? plain.mechanical("calm", given, this.times[0]) : given;
      return result.slice(nq, nq + nv);
    };
    const still = calmed(-1);
    return Array.from({ length: nv }, (_, k) => calmed(k).map((x, i) => x - still[i]));
  }

  /** The largest gap of a loop at a state. */
  gapOf(y, t = this.times[0]) {
    const gaps = this.of("view", y, t).subarray(12 * (data.bodies.length - 1) + 2);
    return gaps.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
  }
}

/** The quaternion (x, y, z, w) of a rotation matrix given by rows. */
function quaternion([a, b, c, d, e, f, g, h, i]) {
  const trace = a + e + i;
  const [x, y, z, w] = trace > 0 ? [h - f, c - g, d - b, 1 + trace]
    : a > e && a > i ? [1 + a - e - i, b + d, c + g, h - f]
      : e > i ? [b + d, 1 + e - a - i, f + h, c - g] : [c + g, f + h, 1 + i - a - e, d - b];
  const size = Math.hypot(x, y, z, w);
  return [x / size, y / size, z / size, w / size];
}

running = await LiveRun.start();
