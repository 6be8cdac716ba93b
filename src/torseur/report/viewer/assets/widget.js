// The page of an animation in a notebook: a frame, whose clock is the time of the widget.

function render({ model, el }) {
  const frame = document.createElement("iframe");
  frame.style.cssText = `width: 100%; height: ${model.get("height")}px; border: 0`;
  frame.srcdoc = model.get("page");
  el.append(frame);
  const slider = () => frame.contentDocument && frame.contentDocument.querySelector("[data-slider]");

  /** The frame shows the time of the widget. */
  function seek() {
    const own = slider();
    if (!own || own.value === String(model.get("time"))) return;
    own.value = model.get("time");
    own.dispatchEvent(new Event("input"));
  }

  /** The widget has the time of the frame. */
  const listening = setInterval(() => {
    const own = slider();
    if (!own || own.max === "" || +own.value === model.get("time")) return;
    model.set("time", +own.value);
    model.save_changes();
  }, 250);
  model.on("change:time", seek);
  model.on("change:page", () => (frame.srcdoc = model.get("page")));
  return () => {
    clearInterval(listening);
    model.off("change:time", seek);
  };
}

export default { render };
