// Draws the notebooks' widgets on a page without a kernel, each when the reader comes near it.
//
// The page holds each widget's state in one script element and a view where each output was. This file reads both,
// imports a widget's own module from its state and hands it a model small enough to read here: get, set, on, off,
// save_changes. Views of one widget share one model. Messages to a kernel go nowhere: there is none.
// Core widgets (sliders, boxes) are left out on purpose; ours carry their own controls.

const STATE = 'script[type="application/vnd.jupyter.widget-state+json"]';
const VIEW = 'script[type="application/vnd.jupyter.widget-view+json"]';
const NEAR = { rootMargin: "400px 0px" }; // so that a reader who scrolls finds it drawn

function bytesOf(base64) {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  return new DataView(bytes.buffer);
}

// Puts each binary value back in its place in the state; `path` leads there.
function withBuffers({ state, buffers = [] }) {
  for (const { path, data } of buffers) {
    const holder = path.slice(0, -1).reduce((value, key) => (value[key] ??= {}), state);
    holder[path.at(-1)] = bytesOf(data);
  }
  return state;
}

class Model {
  #values;
  #changed = new Set();
  #listeners = new Map();
  widget_manager = null;

  constructor(values) {
    this.#values = values;
  }

  get(name) {
    return this.#values[name];
  }

  set(name, value) {
    if (this.#values[name] === value) return;
    this.#values[name] = value;
    this.#changed.add(name);
    this.#tell(`change:${name}`, this, value);
  }

  // Changes are told at once by `set`, as in JupyterLab; saving tells those who listen to any change.
  save_changes() {
    if (this.#changed.size === 0) return;
    this.#changed.clear();
    this.#tell("change", this);
  }

  on(event, listener) {
    if (!this.#listeners.has(event)) this.#listeners.set(event, new Set());
    this.#listeners.get(event).add(listener);
  }

  off(event, listener) {
    if (event === undefined || event === null) this.#listeners.clear();
    else if (listener) this.#listeners.get(event)?.delete(listener);
    else this.#listeners.delete(event);
  }

  send() {}

  #tell(event, ...details) {
    for (const listener of [...(this.#listeners.get(event) ?? [])]) listener(...details);
  }
}

async function importText(source) {
  const address = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
  try {
    return await import(address);
  } finally {
    URL.revokeObjectURL(address);
  }
}

const applied = new Set();

// Each kind of widget brings the rules that all of them share. A rule is applied once: a second copy would come after
// what the first kind has changed of it, and move what is drawn already.
function applyStyle(css) {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css ?? "");
  const fresh = [...sheet.cssRules].map((rule) => rule.cssText).filter((text) => !applied.has(text));
  fresh.forEach((text) => applied.add(text));
  const style = document.createElement("style");
  style.textContent = fresh.join("\n");
  document.head.append(style);
}

// One widget: its module imported, its style applied and its `initialize` called, once for all of its views.
async function start(saved) {
  const model = new Model(withBuffers(saved));
  applyStyle(model.get("_css"));
  const module = await importText(model.get("_esm"));
  const definition = typeof module.default === "function" ? await module.default() : module.default ?? module;
  await definition.initialize?.({ model, experimental: {} });
  return { model, definition };
}

let states; // read with the first widget that is drawn
const widgets = {};

// The builder has made `place`: the script of the view, an element to draw in, and a table.
async function draw(place) {
  states ??= JSON.parse(document.querySelector(STATE).textContent).state;
  const { model_id } = JSON.parse(place.querySelector(VIEW).textContent);
  const el = place.querySelector(".unrolled-drawn");
  try {
    widgets[model_id] ??= start(states[model_id]);
    const { model, definition } = await widgets[model_id];
    const undraw = await definition.render({ model, el, experimental: {} });
    place.addEventListener("redraw", () => redraw(place, undraw), { once: true });
    place.dataset.drawn = "yes";
  } catch (error) {
    el.textContent = "This picture could not be drawn here; it works in the notebook.";
    place.dataset.drawn = "no"; // the style sheet shows its table
    console.error(error);
  }
}

// Asked for by whoever measures how much room a widget needs at another width: some take it when they are drawn.
function redraw(place, undraw) {
  undraw?.();
  place.querySelector(".unrolled-drawn").replaceChildren();
  delete place.dataset.drawn;
  draw(place);
}

const near = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting) continue;
    near.unobserve(target);
    draw(target);
  }
}, NEAR);
document.querySelectorAll(VIEW).forEach((view) => near.observe(view.parentElement));
