// Solids in parallel projection. Each is cut into pieces { z, paint }, painted from far to near.

const LIGHT = unit([-0.5, 0.7, 0.55]);  // to the right, to the top, to the reader
const across = (dx, dy) => {  // the unit normal of a direction of the page, towards the light
  const size = Math.hypot(dx, dy);
  const n = size > 1e-6 ? [-dy / size, dx / size] : [LIGHT[0], -LIGHT[1]];
  return n[0] * LIGHT[0] - n[1] * LIGHT[1] >= 0 ? n : [-n[0], -n[1]];
};

/** A colour between dark (0) and light (1), from two triples. */
const shade = ([light, dark], t) =>
  `rgb(${light.map((x, k) => Math.round(dark[k] + t * (x - dark[k]))).join(" ")})`;

function sheen(context, colours, middle, normal, radius) {
  const [x, y] = [radius * normal[0], radius * normal[1]];
  const g = context.createLinearGradient(
    middle[0] + x, middle[1] + y, middle[0] - x, middle[1] - y);
  g.addColorStop(0, shade(colours, 0.25));
  g.addColorStop(0.3, shade(colours, 1));
  g.addColorStop(1, shade(colours, 0));
  return g;
}

/** A tapered rod, cut along its length so that each piece has its own depth.
 *  Its ends are round, or flat where they stand on a surface; then these alone are lifted. */
function limb(part, X, view, look, pieces) {
  const a = placed(X, part.a), b = placed(X, part.b);
  const radii = [part.thick, part.thin], A = view.at(a), B = view.at(b), [ra, rb] = radii.map((r) => r * view.scale);
  const length = Math.hypot(B[0] - A[0], B[1] - A[1]), whole = Math.hypot(...minus(b, a));
  if (length <= Math.abs(ra - rb) + 0.01) {
    const near = view.depth(a) > view.depth(b) ? a : b;
    pieces.push(disc(near, Math.max(...radii), view, look, part.lift));
    return;
  }
  const fill = sheen(look.context, look.colours, [(A[0] + B[0]) / 2, (A[1] + B[1]) / 2],
    across(B[0] - A[0], B[1] - A[1]), Math.max(ra, rb));
  const heading = Math.atan2(B[1] - A[1], B[0] - A[0]), spread = Math.acos((ra - rb) / length);
  const anyFlat = part.flat[0] || part.flat[1], slope = Math.sqrt(Math.max(0, 1 - (length / view.scale / whole) ** 2));
  const count = clamp(Math.ceil(whole / (4.5 * Math.max(...radii))), anyFlat ? 2 : 1, 10);
  const at = (s) => ({ x: A[0] + s * (B[0] - A[0]), y: A[1] + s * (B[1] - A[1]), r: ra + s * (rb - ra) });
  for (let k = 0; k < count; k++) {
    const [s, e] = [at(k / count), at((k + 1) / count)];
    const middle = plus(a, times((k + 0.5) / count, minus(b, a)));
    const [first, last] = [k === 0 && part.flat[0], k === count - 1 && part.flat[1]];
    pieces.push({
      z: view.depth(middle) + (!anyFlat || first || last ? part.lift : 0),
      paint(context) {
        const from = heading + spread, to = heading - spread;
        const end = ({ x, y, r }, flat, low, high) =>
          context.ellipse(x, y, flat ? slope * r : r, r, heading, low - heading, high - heading);
        context.beginPath();
        end(s, first, from, to + 2 * Math.PI);
        end(e, last, to, from);
        context.closePath();
        context.fillStyle = fill;
        context.fill();
        context.beginPath();
        if (k === 0) end(s, first, from, to + 2 * Math.PI);
        else context.moveTo(s.x + s.r * Math.cos(to), s.y + s.r * Math.sin(to));
        context.lineTo(e.x + e.r * Math.cos(to), e.y + e.r * Math.sin(to));
        if (k === count - 1) end(e, last, to, from);
        else context.moveTo(e.x + e.r * Math.cos(from), e.y + e.r * Math.sin(from));
        context.lineTo(s.x + s.r * Math.cos(from), s.y + s.r * Math.sin(from));
        context.stroke();
      },
    });
  }
}

function disc(p, radius, view, look, lift) {
  const [x, y] = view.at(p), r = radius * view.scale;
  const g = look.context.createRadialGradient(x - 0.3 * r, y - 0.4 * r, 0.1 * r, x, y, 1.05 * r);
  g.addColorStop(0, shade(look.colours, 1));
  g.addColorStop(1, shade(look.colours, 0));
  return {
    z: view.depth(p) + lift,
    paint(context) {
      context.beginPath();
      context.arc(x, y, r, 0, 2 * Math.PI);
      context.fillStyle = g;
      context.fill();
      context.stroke();
    },
  };
}

/** A ball; that of a body has a great circle, so that one sees it turn. */
function ball(part, X, view, look, pieces) {
  const centre = placed(X, part.centre), whole = disc(centre, part.radius, view, look, part.lift);
  pieces.push(whole);
  if (part.style !== "own") return;
  const [u, v] = [turned(X, [1, 0, 0]), turned(X, [0, 0.6, 0.8])];
  pieces.push({
    z: whole.z,
    paint(context) {
      context.beginPath();
      for (let k = 0, pen = false; k <= 48; k++) {
        const angle = (2 * Math.PI * k) / 48;
        const e = plus(times(Math.cos(angle), u), times(Math.sin(angle), v));
        const [x, y] = view.at(plus(centre, times(part.radius, e))), seen = dot(e, view.reader) > 0;
        if (seen) pen ? context.lineTo(x, y) : context.moveTo(x, y);
        pen = seen;
      }
      faint(context);
    },
  });
}

/** A mark on a body. */
function faint(context) {
  context.globalAlpha = 0.45;
  context.stroke();
  context.globalAlpha = 1;
}

/** A cylinder cut along its axis; the cap that is seen belongs to the nearest piece. */
function cylinder(part, X, view, look, pieces) {
  const centre = placed(X, part.centre);
  let axis = turned(X, part.axis);
  const spoke = turned(X, unit(cross(part.axis, Math.abs(part.axis[0]) < 0.9 ? [1, 0, 0] : [0, 1, 0])));
  if (dot(axis, view.reader) < 0) axis = times(-1, axis);
  const r = part.radius * view.scale, minor = r * Math.min(1, dot(axis, view.reader));
  const far = view.at(plus(centre, times(-part.half, axis)));
  const near = view.at(plus(centre, times(part.half, axis)));
  const n = across(near[0] - far[0], near[1] - far[1]), tilt = Math.atan2(n[1], n[0]);
  const fill = sheen(look.context, look.colours, [(far[0] + near[0]) / 2, (far[1] + near[1]) / 2], n, r);
  const turn = -n[1] * (near[0] - far[0]) + n[0] * (near[1] - far[1]) < 0;
  const count = clamp(Math.round(part.half / (1.5 * part.radius)), 1, 8);
  const at = (s) => [far[0] + s * (near[0] - far[0]), far[1] + s * (near[1] - far[1])];
  for (let k = 0; k < count; k++) {
    const [s, e] = [at(k / count), at((k + 1) / count)];
    const along = ((2 * k + 1) / count - 1) * part.half;
    pieces.push({
      z: view.depth(plus(centre, times(along, axis))) + part.lift,
      paint(context) {
        const outline = (closed) => {
          context.beginPath();
          context.moveTo(e[0] - r * n[0], e[1] - r * n[1]);
          context.lineTo(s[0] - r * n[0], s[1] - r * n[1]);
          if (closed || k === 0) context.ellipse(s[0], s[1], r, minor, tilt, Math.PI, turn ? 0 : 2 * Math.PI, turn);
          else context.moveTo(s[0] + r * n[0], s[1] + r * n[1]);
          context.lineTo(e[0] + r * n[0], e[1] + r * n[1]);
        };
        outline(true);
        context.ellipse(e[0], e[1], r, minor, tilt, 0, turn ? -Math.PI : Math.PI, turn);
        context.fillStyle = fill;
        context.fill();
        outline(false);
        context.stroke();
        if (k < count - 1) return;
        context.beginPath();
        context.ellipse(near[0], near[1], r, minor, tilt, 0, 2 * Math.PI);
        context.fillStyle = shade(look.colours, 0.45 + 0.5 * lit(axis, view));
        context.fill();
        context.stroke();
        if (part.style !== "own") return;
        context.beginPath();  // a diameter, so that one sees it turn
        for (const side of [-1, 1]) {
          context.lineTo(...view.at(plus(centre, plus(times(part.half, axis), times(side * part.radius, spoke)))));
        }
        faint(context);
      },
    });
  }
}

/** How much light a face receives, from its normal. */
const lit = (normal, view) => clamp(
  LIGHT[0] * dot(normal, view.right) + LIGHT[1] * dot(normal, view.top) +
  LIGHT[2] * dot(normal, view.reader), 0, 1);

function polygon(context, corners) {
  context.beginPath();
  corners.forEach(([x, y], k) => (k ? context.lineTo(x, y) : context.moveTo(x, y)));
  context.closePath();
}

/** Flat faces; those that look away are not seen. Each has its depth, but in a symbol all have one. */
function mesh(part, X, view, look, pieces) {
  const vertices = part.vertices.map((p) => placed(X, p));
  const mean = (points) => times(1 / points.length, points.reduce(plus, [0, 0, 0]));
  for (const face of part.faces) {
    const [a, b, c] = face.map((k) => vertices[k]);
    let normal = unit(cross(minus(b, a), minus(c, b)));
    if (dot(normal, view.reader) <= 0) {
      if (!part.open) continue;
      normal = times(-1, normal);
    }
    const middle = mean(part.lift ? vertices : face.map((k) => vertices[k]));
    const colour = shade(look.colours, 0.1 + 0.9 * lit(normal, view));
    const corners = face.map((k) => view.at(vertices[k]));
    pieces.push({
      z: view.depth(middle) + part.lift,
      paint(context) {
        polygon(context, corners);
        context.fillStyle = colour;
        context.fill();
        if (!part.edges) context.strokeStyle = colour;
        context.stroke();
        context.strokeStyle = look.ink;
      },
    });
  }
}

/** A piece of the ground, hatched; one that is not closed is an outline. */
function path(part, X, view, look, pieces) {
  const corners = part.points.map((p) => placed(X, p));
  const depth = corners.reduce((sum, p) => sum + view.depth(p), 0) / corners.length;
  const strip = part.closed ? edgeOn(corners, view, look) : null;
  pieces.push({
    z: depth + part.lift,
    paint(context) {
      if (part.closed) {
        polygon(context, strip || corners.map((p) => view.at(p)));
        context.fillStyle = look.hatching;
        context.fill();
      } else {
        context.beginPath();
        for (const p of corners) context.lineTo(...view.at(p));
      }
      context.strokeStyle = part.style === "belt" ? look.text : look.soft;
      if (part.style === "belt") context.lineWidth = 3;
      if (strip) {
        context.beginPath();
        context.lineWidth = 1.6;
        strip.slice(0, 2).forEach(([x, y]) => context.lineTo(x, y));
      }
      context.stroke();
      context.lineWidth = 1;
      context.strokeStyle = look.ink;
    },
  });
}

/** The strip beside a plate that is seen edge-on, away from the nearest place; none of another. */
function edgeOn(corners, view, look) {
  const [a, b, c] = corners, normal = unit(cross(minus(b, a), minus(c, b)));
  if (Math.abs(dot(normal, view.reader)) > 0.05) return null;
  const seen = corners.map((p) => view.at(p)), far = (p, q) => Math.hypot(p[0] - q[0], p[1] - q[1]);
  let ends = [seen[0], seen[1]];
  for (const p of seen) for (const q of seen) if (far(p, q) > far(...ends)) ends = [p, q];
  const length = far(...ends) || 1, middle = [(ends[0][0] + ends[1][0]) / 2, (ends[0][1] + ends[1][1]) / 2];
  const across = [-(ends[1][1] - ends[0][1]) / length, (ends[1][0] - ends[0][0]) / length];
  const side = (p) => (p[0] - middle[0]) * across[0] + (p[1] - middle[1]) * across[1];
  const off = look.places.map((p) => view.at(p)).filter((p) => Math.abs(side(p)) > 0.02 * length);
  const nearest = off.reduce((best, p) => (!best || far(p, middle) < far(best, middle) ? p : best), null);
  const deep = 9 * (nearest && side(nearest) > 0 ? -1 : 1);
  return [...ends, ...ends.reverse().map(([x, y]) => [x + deep * across[0], y + deep * across[1]])];
}

const PARTS = { limb, ball, cylinder, mesh, path };

/** A spring, a damper or a rod between two points, drawn on the page. */
function tie({ style, strands, shift }, a, b, view, look, width, pieces) {
  const [A, B] = [view.at(a), view.at(b)];
  const length = Math.hypot(B[0] - A[0], B[1] - A[1]) || 1e-9;
  const [ux, uy] = [(B[0] - A[0]) / length, (B[1] - A[1]) / length], w = width * view.scale;
  const at = (s, n) => {
    const off = n + 2.6 * shift;
    return [A[0] + s * length * ux - off * w * uy, A[1] + s * length * uy + off * w * ux];
  };
  pieces.push({
    z: view.depth(times(0.5, plus(a, b))),
    paint(context) {
      context.lineWidth = { rod: 3, link: 1.2 }[style] || 1.8;
      context.strokeStyle = look.line;
      context.setLineDash(style === "link" ? [2, 4] : []);
      for (const strand of strands) {
        context.beginPath();
        strand.forEach(([s, n]) => context.lineTo(...at(s, n)));
        context.stroke();
      }
      context.setLineDash([]);
      context.lineWidth = 1;
      context.strokeStyle = look.ink;
    },
  });
}

/** An arrow on the page, from one point to another. */
function arrow(context, [x, y], [X, Y], colour, width = 2) {
  const length = Math.hypot(X - x, Y - y), head = Math.min(9, 0.6 * length);
  if (length < 1) return;
  const [u, v] = [(X - x) / length, (Y - y) / length];
  context.strokeStyle = context.fillStyle = colour;
  context.lineWidth = width;
  context.beginPath();
  context.moveTo(x, y);
  context.lineTo(X - 0.8 * head * u, Y - 0.8 * head * v);
  context.stroke();
  polygon(context, [
    [X, Y],
    [X - head * u - 0.42 * head * v, Y - head * v + 0.42 * head * u],
    [X - head * u + 0.42 * head * v, Y - head * v - 0.42 * head * u],
  ]);
  context.fill();
  context.lineWidth = 1;
}
