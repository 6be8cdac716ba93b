// A mechanism without loops that its reader moves: from coordinates to the poses of the bodies.

/** The rotation by `angle` about a coordinate axis, as a pose. */
function about(axis, angle) {
  const X = [...NOWHERE];
  X[3 + axis] = Math.sin(angle / 2);
  X[6] = Math.cos(angle / 2);
  return X;
}

/** The rotation of a rotation vector, as a pose. */
function rotation(v) {
  const angle = Math.hypot(...v), k = angle > 1e-9 ? Math.sin(angle / 2) / angle : 0.5;
  return [0, 0, 0, k * v[0], k * v[1], k * v[2], Math.cos(angle / 2)];
}

/** M in F at the coordinates q of a joint; `turn` is added to a quaternion. */
function moved(joint, q, turn) {
  let X = NOWHERE;
  for (const [kind, axis, k, factor] of joint.steps) {
    if (kind === "r") X = composed(X, about(axis, factor * q[k]));
    else if (kind === "t") {
      const along = [...NOWHERE];
      along[axis] = factor * q[k];
      X = composed(X, along);
    } else {
      const [w, x, y, z] = q.slice(k, k + 4);
      X = composed(composed(X, [0, 0, 0, x, y, z, w]), rotation(turn));
    }
  }
  return X;
}

/** The poses of all bodies, the ground first, from what the sliders of each joint say. */
function treePoses(tree, values, count) {
  const found = Array(count);
  found[0] = NOWHERE;
  tree.forEach((joint, i) => {
    const X = moved(joint, values[i].q, values[i].turn), [first, second] = joint.bodies;
    if (joint.backwards) {
      const seen = composed(composed(joint.M, inverse(X)), inverse(joint.F));
      found[first] = composed(found[second], seen);
    } else {
      const seen = composed(composed(joint.F, X), inverse(joint.M));
      found[second] = composed(found[first], seen);
    }
  });
  return found;
}

/** Sliders for every coordinate; `changed` is called after each change. */
function treeSliders(tree, unit, panel, changed) {
  const values = tree.map((joint) => ({ q: [...joint.q], turn: [0, 0, 0] }));
  const slider = (name, unitName, low, high, start, set) => {
    const label = document.createElement("label"), input = document.createElement("input");
    const title = document.createElement("span"), output = document.createElement("output");
    const degrees = unitName === "rad";
    const shown = (x) => (degrees ? `${Math.round((180 * x) / Math.PI)}°` : `${x.toFixed(3)} ${unitName}`);
    title.textContent = name;
    Object.assign(input, { type: "range", min: low, max: high, step: "any", value: start });
    output.textContent = shown(start);
    input.addEventListener("input", () => {
      set(+input.value);
      output.textContent = shown(+input.value);
      changed();
    });
    label.append(title, input, output);
    panel.append(label);
  };
  tree.forEach((joint, i) => joint.names.forEach((name, k) => {
    const quaternion = joint.steps.find(([kind, , at]) => kind === "q" && k >= at);
    if (!quaternion) {
      const unitName = joint.units[k], reach = unitName === "rad" ? Math.PI : 2 * unit;
      const [low, high] = joint.limits[k] || [joint.q[k] - reach, joint.q[k] + reach];
      slider(name, unitName, low, high, joint.q[k], (x) => (values[i].q[k] = x));
    } else if (k > quaternion[2]) {
      const axis = k - quaternion[2] - 1;
      slider(`${name} ↻`, "rad", -Math.PI, Math.PI, 0, (x) => (values[i].turn[axis] = x));
    }
  }));
  return values;
}
