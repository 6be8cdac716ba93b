// Values beside the text: a slider and a field for each parameter, coordinate and speed.

let values = {}, drawn = "";

const short = (x) => (x === null ? "" : String(+x.toPrecision(6)));

/** A change by its reader; a field that is emptied has the value of the text again. */
function change(name, value) {
  if (value === "") values = Object.fromEntries(Object.entries(values).filter(([one]) => one !== name));
  else values = { ...values, [name]: value };
  edited(60, `value ${name}`);
}

function control({ name, kind, unit, meaning, low, high, free }) {
  const row = document.createElement("label"), field = document.createElement("input");
  const [label, units] = ["b", "small"].map((tag) => document.createElement(tag));
  const slider = Object.assign(document.createElement("input"), { type: "range", tabIndex: -1 });
  Object.assign(slider, { min: low, max: high, step: (high - low) / 400, value: (low + high) / 2, disabled: !free });
  Object.assign(field, { disabled: !free, spellcheck: false, inputMode: "decimal" });
  [label.textContent, units.textContent] = [name, unit];
  row.title = meaning;
  row.className = "control";
  Object.assign(row.dataset, { name, kind });
  slider.addEventListener("input", () => {
    field.value = short(+slider.value);
    change(name, +field.value);
  });
  field.addEventListener("change", () => {
    const text = field.value.trim().replace(/^([-+]?\d*),(\d+)$/, "$1.$2");
    change(name, text === "" || Number.isNaN(+text) ? text : +text);
  });
  row.append(label, slider, field, units);
  return row;
}

function group(title, found) {
  const box = document.createElement("details"), head = document.createElement("summary");
  box.open = found.length <= 20;
  head.textContent = title;
  box.append(head, ...found.map(control));
  return found.length ? [box] : [];
}

/** The controls, made again where there are others; those in use are left alone. */
function showControls(found) {
  const shape = JSON.stringify(found.map(({ value, ...fixed }) => fixed));
  if (shape !== drawn) {
    const [own, start] = [true, false].map((x) => found.filter(({ kind }) => (kind === "parameter") === x));
    $("controls").replaceChildren(...group(said.parameters, own), ...group(said.start, start));
    drawn = shape;
  }
  const rows = new Map(every(".control", $("controls")).map((row) => [row.dataset.name, row]));
  for (const { name, value, low, high } of found) {
    const row = rows.get(name), [slider, field] = every("input", row);
    row.classList.toggle("changed", name in values);
    if (value !== null) {
      Object.assign(slider, { min: Math.min(low, value), max: Math.max(high, value) });
      if (document.activeElement !== slider) slider.value = value;
    }
    if (document.activeElement !== field) field.value = short(value);
  }
  $("changed").hidden = !Object.keys(values).length;
}
