// A description in an address: its name, text, values and masses, compressed.

const LONGEST_LINK = 65000;  // characters that every browser opens
const USUAL_LINK = 8000;  // characters that mail programs and chats keep
const LARGEST_SHARED = 1e6;  // bytes of a description in a link, as many lines as are numbered

/** Bytes through a stream; more than `most` of them are refused. */
async function streamed(bytes, stream, most = Infinity) {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  const parts = [];
  let size = 0;
  for (let { done, value } = await reader.read(); !done; { done, value } = await reader.read()) {
    size += value.length;
    if (size > most) {
      await reader.cancel();
      throw new RangeError("too long");
    }
    parts.push(value);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

/** A document as letters, digits, - and _. */
async function packed(document) {
  const bytes = new TextEncoder().encode(JSON.stringify(document));
  const short = await streamed(bytes, new CompressionStream("deflate-raw"));
  let text = "";
  for (const byte of short) text += String.fromCharCode(byte);
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** The document that was packed; an error where it is none, or too long. */
async function unpacked(text) {
  const short = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (x) => x.charCodeAt(0));
  const bytes = await streamed(short, new DecompressionStream("deflate-raw"), LARGEST_SHARED);
  return JSON.parse(new TextDecoder().decode(bytes));
}

/** The description of a link is opened; one that is broken is told. */
async function openShared(key, text) {
  try {
    const { file, text: description, values: given, masses } = await unpacked(text);
    if (typeof description !== "string") throw new TypeError("no description");
    if (description.split("\n").length > MOST_NUMBERED) throw new RangeError("too long");
    const isTable = given && typeof given === "object" && !Array.isArray(given);
    begin(key, {
      file: typeof file === "string" && file ? file : "model.yaml", text: description,
      masses: ["lever", "full"].includes(masses) ? masses : "", values: isTable ? given : {},
    });
  } catch {
    choosing(true);
    tell(said.broken);
  }
}

/** The link of the description that is seen: in the address, and to be copied. */
async function share() {
  const { file } = draft, masses = $("masses").value;
  const text = await packed({ file, text: area.value, values, ...(masses ? { masses } : {}) });
  const whole = `${location.href.split("#")[0]}#s=${text}`;
  const isLong = whole.length > LONGEST_LINK;
  $("link").value = isLong ? "" : whole;
  $("command").value = isLong ? "" : `torseur app "#s=${text}"`;
  every("#sharing .row").forEach((row) => (row.hidden = isLong));
  const size = isLong ? said.long : whole.length > USUAL_LINK ? said.cut : said.size;
  const numbers = [whole.length, isLong ? LONGEST_LINK : USUAL_LINK].map((x) => x.toLocaleString(document.documentElement.lang));
  $("sharing").querySelector(".told").textContent = size.replace("{}", numbers[0]).replace("{}", numbers[1]);
  $("sharing").showModal();
}

$("share").addEventListener("click", share);
for (const button of every("#sharing [data-copy]")) {
  button.addEventListener("click", async () => {
    const field = $(button.dataset.copy);
    field.select();
    await navigator.clipboard.writeText(field.value);
    $("sharing").querySelector(".told").textContent = said.copied;
  });
}
$("sharing").querySelector('[value=""]').addEventListener("click", () => $("sharing").close());
