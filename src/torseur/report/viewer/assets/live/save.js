// The run as files: the page itself, a table, a picture, a film; and its link.

const pristine = `<!DOCTYPE html>\n${document.documentElement.outerHTML}`;  // before scripts change it
const MOST_FRAMES = 150, FILM_WIDTH = 480, FILM_STEP = 0.05;  // pixels, seconds

function offer(ending, blob) {
  const link = document.createElement("a"), place = URL.createObjectURL(blob);
  Object.assign(link, { href: place, download: `${data.name || "mechanism"}.${ending}` });
  link.click();
  setTimeout(() => URL.revokeObjectURL(place), 10_000);
  say(`${words["live saved"]} ${link.download}`);
}

const TYPES = { html: "text/html", csv: "text/csv", gif: "image/gif" };
const saveText = (ending, content) => offer(ending, new Blob([content], { type: TYPES[ending] }));

/** This page with its present configuration. */
function savedPage() {
  const state = address().replace(/&/g, "&amp;").replace(/"/g, "&quot;");
  return pristine.replace(/data-player=""( data-state="[^"]*")?/, () => `data-player="" data-state="${state}"`);
}

/** Times, coordinates, speeds and energies with all their figures. */
function table() {
  const { motion } = data.live, { nq, nv } = running, names = [...motion.coordinates, ...motion.speeds];
  const energies = ["kinetic", "potential", "work"], quoted = (name) => (/[",]/.test(name) ? `"${name.replace(/"/g, '""')}"` : name);
  const lines = [["t", ...names, ...energies].map(quoted).join(",")];
  for (let k = 0; k < running.count; k += 1) {
    const y = running.row(k), view = running.of("view", y, s[k]), place = 12 * (count - 1);
    lines.push([s[k], ...y.subarray(0, nq + nv), view[place], view[place + 1], y[nq + nv]].join(","));
  }
  return `${lines.join("\n")}\n`;
}

/** The picture on the colour of its panel, `wide` pixels wide or as it is. */
function pictured(wide = canvas.width) {
  const copy = document.createElement("canvas"), painted = copy.getContext("2d", { willReadFrequently: true });
  copy.width = wide;
  copy.height = Math.round((canvas.height * wide) / canvas.width);
  painted.fillStyle = theme.panel;
  painted.fillRect(0, 0, copy.width, copy.height);
  painted.drawImage(canvas, 0, 0, copy.width, copy.height);
  return copy;
}

function savePicture() {
  draw();
  pictured().toBlob((blob) => offer("png", blob), "image/png");
}

/** The run as a film, from its start to its end. */
async function saveFilm() {
  const [time, moved] = [now, playing], wide = Math.min(FILM_WIDTH, canvas.width);
  play(false);
  while (!running.isOver) running.onwards(50);
  const span = until() - first, pace = Math.max(FILM_STEP, span / MOST_FRAMES), film = new Film();
  for (let t = first; t <= until() + 1e-9; t += pace) {
    seek(t);
    draw();
    const { width, height } = pictured(wide), image = pictured(wide).getContext("2d").getImageData(0, 0, width, height);
    film.add(image);
    say(`${words["live film"]} ${Math.round((100 * (t - first)) / (span || 1))} %`);
    await new Promise((done) => setTimeout(done));
  }
  saveText("gif", film.bytes(Math.round(100 * FILM_STEP)));
  seek(time);
  play(moved);
}

async function copyLink() {
  remember();
  const link = `${location.href.split("#")[0]}${address()}`;
  try {
    await navigator.clipboard.writeText(link);
    say(words["live copied"]);
  } catch {
    say(link);
  }
}
