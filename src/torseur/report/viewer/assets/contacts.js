// What touches: places coloured by their state, forces as arrows, events on the time line.

const CONTACT_STATES = ["stick", "slip", "roll"];
const FEW_TOUCHES = 6;  // whose forces are written in numbers
const touches = data.touches && Object.assign(data.touches, {
  starts: unpacked(data.touches.starts, Uint32Array), which: unpacked(data.touches.which, Uint32Array),
  states: unpacked(data.touches.states, Uint8Array), places: unpacked(data.touches.places),
  forces: unpacked(data.touches.forces, Int16Array),
});

/** Three numbers of a table between two of its rows. */
const mixed = (table, width, column, i, j, share) => [0, 1, 2].map((k) => {
  const a = table[width * i + column + k], b = table[width * j + column + k];
  return a + share * (b - a);
});

/** The touches of an instant: each with the row of the next sample, if it is there in the same state. */
function touchesAt({ low, share }) {
  const { starts, which, states } = touches, found = [];
  const end = starts[low + 1], last = share && low + 2 < starts.length ? starts[low + 2] : end;
  for (let i = starts[low], j = end; i < end; i++) {
    while (j < last && which[j] < which[i]) j++;
    const same = j < last && which[j] === which[i] && states[j] === states[i];
    found.push([i, same ? j : i]);
  }
  return found;
}

function drawContacts(index) {
  const here = touchesAt(index), { places, forces, states, newton, usual } = touches;
  const reach = Math.min(1.6 * data.unit, (0.28 * canvas.clientHeight) / camera.scale);
  const long = usual ? (reach * newton) / usual : 0, few = here.length <= FEW_TOUCHES;
  for (const [i, j] of here) {
    const p = mixed(places, 3, 0, i, j, index.share), colour = theme[CONTACT_STATES[states[i]]];
    const [x, y] = camera.at(p);
    context.beginPath();
    context.arc(x, y, few ? 5 : 2.5, 0, 2 * Math.PI);
    context.fillStyle = colour;
    context.strokeStyle = theme.panel;
    context.fill();
    if (few) context.stroke();
    for (const [column, shade] of [[0, theme.push], [3, colour]]) {
      const F = mixed(forces, 6, column, i, j, index.share), size = Math.hypot(...F);
      const end = camera.at(plus(p, times(Math.min(long, (1.5 * reach) / (size || 1)), F)));
      arrow(context, [x, y], end, shade, few ? 2.4 : 1.4);
      if (few && size * newton > 0.02 * usual) {
        label(`${figures(size * newton, 3)} N`, [end[0], end[1] + (column ? 12 : -10)], shade);
      }
    }
  }
}

function showLegend() {
  if (touches) $("legend").hidden = !shown.contacts;
}

/** Marks of events on the time line, in the colour of what follows; a click goes there. */
function eventMarks(go) {
  const marks = new Map();
  for (const { name, at, cause, effect } of data.events) {
    const share = (at - first) / (last - first), key = Math.round(500 * share);
    const told = [words[`event ${cause}`], words[`contact ${effect}`]].filter(Boolean).join(", ");
    const text = `${figures(at, 6)} s, ${name}${told && `: ${told}`}`;
    if (marks.has(key)) {
      if (marks.get(key).title.length < 400) marks.get(key).title += `\n${text}`;
      continue;
    }
    const mark = document.createElement("i");
    mark.title = text;
    if (effect) mark.className = effect;
    mark.style.left = `calc(8px + ${share} * (100% - 16px))`;
    mark.addEventListener("click", () => go(at));
    marks.set(key, mark);
  }
  return marks.values();
}
