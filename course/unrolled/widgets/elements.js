// What the views of all widgets are made of: elements, sliders, rows of radio buttons, and the tie to the traits.
// Text goes in as text, never as markup.

/** An element with its attributes and children. */
export function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

/** The same for what stands inside a drawing. */
export function svgElement(tag, attributes = {}, ...children) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

export const button = (text, hint) => element("button", { type: "button", title: hint }, text);

/** A slider with its name before it and its value behind it. */
export function slider(name, range) {
  const input = element("input", { type: "range", "aria-label": name, ...range });
  const output = element("output");
  return { input, output, root: element("label", { class: "unr-slider" }, element("span", {}, name), input, output) };
}

let choices = 0; // radio buttons of two views must not share a name

/** One of several: `options` are [value, …what stands on its button]. */
export function choice(label, options) {
  const name = `unr-choice-${++choices}`;
  const radios = options.map(([value]) => element("input", { type: "radio", name, value }));
  const labels = options.map(([, ...content], i) => element("label", {}, radios[i], ...content));
  return { radios, root: element("div", { role: "radiogroup", "aria-label": label, class: "unr-choice" }, ...labels) };
}

/** One of several with longer names, folded away; `options` are [value, name]. */
export function menu(label, options) {
  const select = element("select", {}, ...options.map(([value, name]) => element("option", { value }, name)));
  return { select, root: element("label", { class: "unr-menu" }, element("span", {}, label), select) };
}

/** Whether a key pressed in a widget is meant for the notebook around it. */
export const isForNotebook = ({ key, ctrlKey, metaKey, shiftKey }) =>
  ctrlKey || metaKey || (shiftKey && key === "Enter");

/** The outermost element of a view. */
export function frame(name, className) {
  const root = element("div", { class: `unr ${className}`, role: "group", "aria-label": name });
  keepKeys();
  return root;
}

const KEEPS = Symbol.for("unrolled: a page's widgets keep their keys");

/**
 * JupyterLab hears each key before any widget does: arrows would choose a cell, x would cut it. It leaves alone what is
 * pressed on an element with a mark. The mark must stand on that element itself, since the rules for a notebook in
 * command mode speak of whatever has the focus; it goes for the keys that the notebook is to hear.
 */
function keepKeys() {
  if (globalThis[KEEPS] || !globalThis.window) return;
  globalThis[KEEPS] = true;
  const mark = (event) => {
    const { target } = event;
    if (target.closest?.(".unr")) target.toggleAttribute("data-lm-suppress-shortcuts", !isForNotebook(event));
  };
  window.addEventListener("keydown", mark, { capture: true }); // the window's turn comes before the document's
}

/** Reads and writes the traits of these names: get() gives all of them, set({ name: value, … }) changes some. */
export function traits(model, names) {
  const get = () => Object.fromEntries(names.map((name) => [name, model.get(name)]));
  const set = (changes) => {
    for (const [name, value] of Object.entries(changes)) model.set(name, value);
    model.save_changes();
  };
  return { get, set };
}

/** Shows `root` in `el`, drawn now and after each change of a trait; returns what takes it away again. */
export function show({ model, el }, root, names, draw) {
  draw();
  el.replaceChildren(root);
  for (const name of names) model.on(`change:${name}`, draw);
  return () => {
    for (const name of names) model.off(`change:${name}`, draw);
    el.replaceChildren();
  };
}
