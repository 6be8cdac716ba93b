// Curves beside the animation: one panel for each unit, with a cursor at the time that is shown.

const LINES = {
  light: ["#1f6fd1", "#c2410c", "#15803d", "#8b2fc9", "#0e7490", "#be185d", "#6b7280", "#a16207"],
  dark: ["#79b0ff", "#ffb469", "#6ee7a0", "#d0a3ff", "#67e8f9", "#ff9ac4", "#b6c2d1", "#f3d36b"],
};
const DASHES = [[], [7, 3], [2, 3], [9, 3, 2, 3]];  // of the first eight curves, of the next eight …

/** Curve k: which of the colours it has, and its dashes; no two of 32 look alike. */
const strokeOf = (k) => {
  const count = LINES.light.length;
  return { colour: k % count, dash: DASHES[Math.floor(k / count) % DASHES.length] };
};

/** The same as a background of CSS, for the legend. */
const swatch = (k) => {
  const { colour, dash } = strokeOf(k), own = `var(--line-${colour})`;
  let end = 0;
  const stops = dash.map((length, i) => `${i % 2 ? "transparent" : own} ${end}px ${(end += length)}px`);
  return dash.length ? `repeating-linear-gradient(90deg, ${stops.join(", ")})` : own;
};

const MARGIN = { left: 52, right: 10, top: 8, bottom: 22 };

/** Round numbers 1, 2, 5 × 10ⁿ from low to high, about `count` of them. */
function ticks(low, high, count) {
  const rough = (high - low) / count, power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((k) => k * power).find((k) => k >= rough);
  const found = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; k++) found.push(k * step);
  return found;
}

/** A number with few figures: 0.05, 12.3, 4.1e-7. */
function figures(x, count = 4) {
  if (x === 0) return "0";
  const size = Math.abs(x);
  const text = size >= 1e5 || size < 1e-3 ? x.toExponential(count - 2) : String(+x.toPrecision(count));
  return text.replace("-", "−");
}

const titled = (name, unit) => (unit === "1" || !unit ? name : `${name} [${unit}]`);

class Plot {
  constructor({ title, unit, lines }, axis, events, seek, closing, close) {
    Object.assign(this, { axis, events, unit, lines: [...lines], hidden: new Set() });
    this.element = document.createElement("figure");
    this.legend = document.createElement("figcaption");
    this.canvas = document.createElement("canvas");
    this.canvas.setAttribute("role", "img");
    this.canvas.setAttribute("aria-label", titled(title, unit));
    const heading = document.createElement("strong");
    heading.textContent = titled(title[0].toUpperCase() + title.slice(1), unit);
    this.legend.append(heading);
    this.values = lines.map((line, k) => this.entry(line, k));
    const cross = document.createElement("button");
    Object.assign(cross, { type: "button", className: "close", textContent: "×", title: closing });
    cross.setAttribute("aria-label", closing);
    cross.addEventListener("click", close);
    this.element.append(cross);
    this.element.append(this.legend, this.canvas);
    this.still = document.createElement("canvas");
    this.isVisible = true;
    new IntersectionObserver(([{ isIntersecting }]) => {
      this.isVisible = isIntersecting;
      if (isIntersecting && this.index) this.show(this.now, this.index);
    }).observe(this.element);
    const drag = (event) => {
      const { left, width } = this.canvas.getBoundingClientRect();
      const share = (event.clientX - left - MARGIN.left) / (width - MARGIN.left - MARGIN.right);
      const [first, last] = [axis.s[0], axis.s[axis.s.length - 1]];
      seek(first + clamp(share, 0, 1) * (last - first));
    };
    this.canvas.addEventListener("pointerdown", (event) => {
      this.canvas.setPointerCapture(event.pointerId);
      drag(event);
    });
    this.canvas.addEventListener("pointermove", (event) => event.buttons && drag(event));
  }

  /** One more curve. */
  add(line) {
    if (this.lines.some(({ name }) => name === line.name)) return;
    this.values.push(this.entry(line, this.lines.length));
    this.lines.push(line);
  }

  /** A curve in the legend, with its value now; a click hides it. */
  entry(line, k) {
    const button = document.createElement("button"), value = document.createElement("output");
    const name = document.createElement("span");
    name.textContent = line.name;
    button.type = "button";
    button.style.setProperty("--line", swatch(k));
    button.setAttribute("aria-pressed", "true");
    value.setAttribute("aria-live", "off");
    button.append(name, value);
    button.addEventListener("click", () => {
      if (!this.hidden.delete(k)) this.hidden.add(k);
      button.setAttribute("aria-pressed", String(!this.hidden.has(k)));
      this.resize();
      this.show(this.now, this.index);
    });
    this.legend.append(button);
    return value;
  }

  range() {
    let [low, high] = [Infinity, -Infinity];
    this.lines.forEach((line, k) => {
      if (!this.hidden.has(k)) for (const values of [line.values, line.ghost || []]) for (const x of values) {
        if (x < low) low = x;
        if (x > high) high = x;
      }
    });
    if (low > high || Math.max(-low, high) < 1e-12) return [-1, 1];  // nothing but rounding
    const size = Math.max(-low, high), flat = high - low < 1e-9 * size;  // nothing but rounding either
    const room = flat ? 0.1 * size : 0.06 * (high - low);
    return [low - room, high + room];
  }

  /** Paint what does not move. */
  resize() {
    const ratio = devicePixelRatio || 1, width = this.canvas.clientWidth, height = this.canvas.clientHeight;
    if (!width || !height) return;
    for (const canvas of [this.canvas, this.still]) {
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
    }
    const context = this.still.getContext("2d");
    context.scale(ratio, ratio);
    const style = getComputedStyle(this.element), s = this.axis.s;
    const [low, high] = this.range(), [first, last] = [s[0], s[s.length - 1]];
    const right = width - MARGIN.right, bottom = height - MARGIN.bottom;
    this.x = (t) => MARGIN.left + ((t - first) / (last - first)) * (right - MARGIN.left);
    this.y = (v) => bottom - ((v - low) / (high - low)) * (bottom - MARGIN.top);
    context.font = "11px system-ui, sans-serif";
    context.lineWidth = 1;
    context.strokeStyle = style.getPropertyValue("--rule");
    context.fillStyle = style.getPropertyValue("--quiet");
    const rule = (x, y, X, Y) => {
      context.beginPath();
      context.moveTo(x, y);
      context.lineTo(X, Y);
      context.stroke();
    };
    context.textAlign = "right";
    context.textBaseline = "middle";
    for (const v of ticks(low, high, height / 38)) {
      rule(MARGIN.left, this.y(v), right, this.y(v));
      context.fillText(figures(v), MARGIN.left - 6, this.y(v));
    }
    context.textAlign = "center";
    context.textBaseline = "top";
    const name = titled(this.axis.name, this.axis.unit), end = right - context.measureText(name).width - 12;
    for (const t of ticks(first, last, width / 90)) {
      if (this.x(t) < end) context.fillText(figures(t), this.x(t), bottom + 6);
    }
    context.textAlign = "right";
    context.fillText(name, right, bottom + 6);
    context.setLineDash([2, 3]);
    for (const { at } of this.events) rule(this.x(at), MARGIN.top, this.x(at), bottom);
    context.setLineDash([]);
    context.lineWidth = 1.6;
    context.lineJoin = "round";
    this.lines.forEach((line, k) => {
      if (this.hidden.has(k)) return;
      const { colour, dash } = strokeOf(k);
      context.strokeStyle = style.getPropertyValue(`--line-${colour}`);
      context.setLineDash(dash);
      for (const values of line.ghost ? [line.ghost, line.values] : [line.values]) {
        context.globalAlpha = values === line.ghost ? 0.35 : 1;
        context.beginPath();
        values.forEach((v, i) => context.lineTo(this.x(s[i]), this.y(v)));
        context.stroke();
      }
    });
    context.setLineDash([]);
  }

  /** Put the cursor at a time, which is `share` of the way from sample `index` to the next. */
  show(now, index) {
    Object.assign(this, { now, index });
    if (!this.isVisible) return;
    const { low, share } = index;
    this.lines.forEach(({ values }, k) => {
      const next = share ? values[Math.min(low + 1, values.length - 1)] : values[low];
      const text = figures(values[low] + share * (next - values[low]));
      if (this.values[k].textContent !== text) this.values[k].textContent = text;
    });
    if (!this.x) return;
    const context = this.canvas.getContext("2d"), ratio = devicePixelRatio || 1;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, this.canvas.width, this.canvas.height);
    context.drawImage(this.still, 0, 0);
    context.scale(ratio, ratio);
    context.strokeStyle = getComputedStyle(this.element).getPropertyValue("--mark");
    context.lineWidth = 1.4;
    context.beginPath();
    context.moveTo(this.x(now), MARGIN.top);
    context.lineTo(this.x(now), this.canvas.clientHeight - MARGIN.bottom);
    context.stroke();
  }
}
