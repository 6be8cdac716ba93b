// A film in the format GIF 89a: one table of 256 colours, images packed by LZW.

const COLOURS = 256, CODES = 4096;

class Film {
  constructor() { this.images = []; }

  /** One more image. @param {ImageData} image */
  add(image) {
    Object.assign(this, { width: image.width, height: image.height });
    const shades = new Uint16Array(image.width * image.height);  // five bits of each colour
    for (let k = 0; k < shades.length; k += 1) {
      const [r, g, b] = image.data.subarray(4 * k, 4 * k + 3);
      shades[k] = ((r >> 3) << 10) | ((g >> 3) << 5) | (b >> 3);
    }
    this.images.push(shades);
  }

  /** The shades that are seen most, far enough from each other. */
  colours() {
    const often = new Float64Array(32768);
    for (const shades of this.images) for (const shade of shades) often[shade] += 1;
    const order = Array.from(often.keys()).filter((x) => often[x]).sort((a, b) => often[b] - often[a]);
    for (const apart of [3, 2, 1]) {
      const chosen = [];
      for (const shade of order) {
        if (chosen.length < COLOURS && chosen.every((x) => distance(x, shade) >= apart)) chosen.push(shade);
      }
      if (chosen.length === COLOURS || apart === 1) return chosen;
      if (order.length <= COLOURS) return order;
    }
    return order;
  }

  /** The file. @param {number} delay of an image [1/100 s] */
  bytes(delay) {
    const colours = this.colours(), nearest = new Int16Array(32768).fill(-1), out = [];
    const word = (x) => out.push(x & 255, x >> 8), text = (x) => out.push(...Array.from(x, (c) => c.charCodeAt(0)));
    text("GIF89a");
    word(this.width);
    word(this.height);
    out.push(0xf7, 0, 0);
    for (let k = 0; k < COLOURS; k += 1) out.push(...parts(colours[k] || 0).map((x) => (x << 3) | (x >> 2)));
    out.push(0x21, 0xff, 11);
    text("NETSCAPE2.0");
    out.push(3, 1, 0, 0, 0);
    for (const shades of this.images) {
      out.push(0x21, 0xf9, 4, 0);
      word(delay);
      out.push(0, 0, 0x2c, 0, 0, 0, 0);
      word(this.width);
      word(this.height);
      out.push(0, 8);
      const pixels = Uint8Array.from(shades, (shade) => {
        if (nearest[shade] < 0) nearest[shade] = closest(colours, shade);
        return nearest[shade];
      });
      const packed = lzw(pixels);
      for (let k = 0; k < packed.length; k += 255) {
        const block = packed.slice(k, k + 255);
        out.push(block.length);
        for (const x of block) out.push(x);
      }
      out.push(0);
    }
    out.push(0x3b);
    return Uint8Array.from(out);
  }
}

const parts = (shade) => [shade >> 10, (shade >> 5) & 31, shade & 31];

function distance(a, b) {
  const [p, q] = [parts(a), parts(b)];
  return Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]);
}

function closest(colours, shade) {
  let best = 0;
  for (let k = 1; k < colours.length; k += 1) {
    if (distance(colours[k], shade) < distance(colours[best], shade)) best = k;
  }
  return best;
}

/** Bytes packed by LZW with codes of nine bits to twelve (GIF 89a, appendix F). */
function lzw(pixels) {
  const out = [], clear = 256, end = 257;
  let bits = 0, count = 0, size = 9, next = 258, known = new Map();
  const write = (code) => {
    bits |= code << count;
    for (count += size; count >= 8; count -= 8, bits >>>= 8) out.push(bits & 255);
  };
  write(clear);
  let code = pixels[0];
  for (let k = 1; k < pixels.length; k += 1) {
    const key = (code << 8) | pixels[k], found = known.get(key);
    if (found !== undefined) {
      code = found;
      continue;
    }
    write(code);
    if (next < CODES) {
      known.set(key, next);
      if (next === 1 << size && size < 12) size += 1;
      next += 1;
    } else {
      write(clear);
      known = new Map();
      [size, next] = [9, 258];
    }
    code = pixels[k];
  }
  write(code);
  if (next === 1 << size && size < 12) size += 1;
  write(end);
  if (count) out.push(bits & 255);
  return out;
}
