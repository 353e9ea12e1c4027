// Model view: a small picture for each head of each layer, what the opened one does on average, and its matrix.
//
// All state lives in traits: kind, layer, head, shade. The pictures are painted again only for another set or shade.
// Numbers and words come from words.js and heads.js; Python joins the files. Read from top to bottom: parts, drawing,
// answering.

import { brief, fullness, insideModel, pooled, readHabits, told, walked } from "./words.js";
import { choice, element, frame, show, traits } from "../elements.js";
import { matrixOf, readSets, setOf } from "../heads.js";
import { buildMatrix, fill } from "../matrix.js";

const STATE = ["kind", "layer", "head", "shade"];
const INK = [30, 125, 185]; // seen on white and on black
const SHARP = 22; // tokens that have a pixel each even in the smallest picture
const FOOT = "A picture has a row for each token that looks, from top to bottom, and a column for each that is seen. " +
  "Of many tokens a narrow view shows the heaviest of a few by one dot. Layers and heads are counted from 0. Click a " +
  "picture, or use the arrow keys, Home and End. In the opened matrix a number is a weight in whole percent, before " +
  "rounding at most 0.2 off; a dot is exactly 0.";

// --- parts

function buildControls(sets) {
  const kind = choice("set of weights", sets.map((set) => [set.kind, set.kind]));
  const shade = choice("full shade", [["row", "the row's heaviest"], ["weight", "100 %"]]);
  const label = element("span", { "aria-hidden": "true" }, "full shade");
  const named = element("div", { class: "mdv-shade" }, label, shade.root);
  const root = element("div", { class: "mdv-controls" }, named);
  if (sets.length > 1) root.prepend(kind.root);
  return { kind, shade, root };
}

function build(sets) {
  const controls = buildControls(sets);
  const [grid, opened] = [element("div", { class: "mdv-box" }), element("div")];
  const status = element("p", { class: "unr-status", "aria-live": "polite" });
  const root = frame("model view", "mdv");
  root.append(controls.root, grid, status, opened, element("p", { class: "unr-foot" }, FOOT));
  return { root, controls, places: { grid, opened }, status };
}

const count = (n) => Array.from({ length: n }, (_, i) => i);

function buildGrid(set, habitsOf) {
  const cells = count(set.layers).map((layer) => count(set.heads).map((head) => {
    const name = brief(set, habitsOf(set.kind, layer, head), layer, head);
    const many = Math.max(set.keys.length, set.queries.length) > SHARP;
    const canvases = (many ? ["fine", "coarse"] : ["sharp"]).map((kind) =>
      element("canvas", { "aria-hidden": "true", class: `mdv-${kind}` }));
    return element("div", { role: "gridcell", "aria-label": name, title: `layer ${layer}, head ${head}` }, ...canvases);
  }));
  const row = (first, rest) => element("div", { role: "row", class: "mdv-row" }, first, ...rest);
  const heading = (role, text, name) => element("div", { role, class: "mdv-heading", "aria-label": name }, String(text));
  const above = count(set.heads).map((head) => heading("columnheader", head, `head ${head}`));
  const rows = cells.map((some, layer) => row(heading("rowheader", layer, `layer ${layer}`), some));
  const corner = element("div", { role: "columnheader", class: "mdv-heading mdv-corner" }, "layer \\ head");
  const name = "all heads: arrow keys walk from head to head and from layer to layer";
  const root = element("div", { role: "grid", class: "mdv-grid", "aria-label": name }, row(corner, above), ...rows);
  root.style.setProperty("--heads", set.heads);
  return { root, cells };
}

// --- drawing

/** One pixel a weight: one ink, more or less transparent, so that it can be seen on any ground. */
function paint(canvas, full) {
  [canvas.width, canvas.height] = [full[0].length, full.length];
  const image = new ImageData(canvas.width, canvas.height);
  full.flat().forEach((share, n) => image.data.set([...INK, Math.round(255 * share)], 4 * n));
  canvas.getContext("2d").putImageData(image, 0, 0);
}

/** For a set that was not looked at before: its grid, and the empty matrix of one head. */
function rebuild(view, set, habitsOf) {
  view.grid = buildGrid(set, habitsOf);
  view.places.grid.replaceChildren(view.grid.root);
  view.matrix = buildMatrix("weights of the opened head", set.queries, set.keys);
  view.places.opened.replaceChildren(view.matrix.root);
}

/** Each picture; of many tokens a coarse one, too, which a narrow view shows. */
const paintAll = ({ cells }, set, shade) => cells.forEach((row, layer) => row.forEach((cell, head) => {
  const full = fullness(matrixOf(set, layer, head), shade);
  cell.childNodes.forEach((canvas, n) => paint(canvas, n ? pooled(full, SHARP) : full));
}));

function drawOpened({ caption, cells }, set, { layer, head }) {
  caption.textContent = `Layer ${layer}, head ${head}: weights in percent`;
  matrixOf(set, layer, head).forEach((row, i) => fill(cells[i], row));
}

function drawCursor({ cells }, state) {
  cells.forEach((row, layer) => row.forEach((cell, head) => {
    const chosen = layer === state.layer && head === state.head;
    cell.setAttribute("aria-selected", chosen);
    cell.setAttribute("tabindex", chosen ? 0 : -1);
  }));
}

/** Draws what has changed since the last time. */
function drawing(view, sets, habitsOf, get) {
  let seen = {};
  return () => {
    const state = insideModel(sets, get());
    const set = setOf(sets, state.kind);
    const isNew = state.kind !== seen.kind;
    if (isNew) rebuild(view, set, habitsOf);
    if (isNew || state.shade !== seen.shade) paintAll(view.grid, set, state.shade);
    if (isNew || state.layer !== seen.layer || state.head !== seen.head) drawOpened(view.matrix, set, state);
    seen = state;
    drawCursor(view.grid, state);
    for (const name of ["kind", "shade"])
      view.controls[name].radios.forEach((radio) => (radio.checked = radio.value === state[name]));
    const said = told(sets, habitsOf, state);
    if (view.status.textContent !== said) view.status.textContent = said; // said again only when it changes
  };
}

// --- answering to the reader

function listen(view, sets, get, set) {
  const { controls, places } = view;
  const hear = (node, kind, answer) => node.addEventListener(kind, answer);
  const state = () => insideModel(sets, get());
  controls.kind.radios.forEach((radio) =>
    hear(radio, "change", () => set(insideModel(sets, { ...get(), kind: radio.value }))));
  controls.shade.radios.forEach((radio) => hear(radio, "change", () => set({ shade: radio.value })));
  hear(places.grid, "keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !event.target.closest("[role=gridcell]")) return;
    const next = walked(setOf(sets, state().kind), state(), event.key);
    if (!next) return;
    event.preventDefault();
    set(next);
    view.grid.cells[state().layer][state().head].focus();
  });
  hear(places.grid, "click", (event) => {
    const cell = event.target.closest("[role=gridcell]");
    const layer = view.grid.cells.findIndex((row) => row.includes(cell));
    if (layer >= 0) set({ layer, head: view.grid.cells[layer].indexOf(cell) });
  });
}

function render({ model, el }) {
  const get = (name) => model.get(name);
  const [sets, habitsOf] = [readSets(get), readHabits(get)];
  const view = build(sets);
  const { get: state, set } = traits(model, STATE);
  listen(view, sets, state, set);
  return show({ model, el }, view.root, STATE, drawing(view, sets, habitsOf, state));
}

export default { render };
