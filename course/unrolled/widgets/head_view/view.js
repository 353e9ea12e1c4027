// Head view: tokens that look, tokens that are seen, lines for the weights of one head, and all heads of its layer.
//
// All state lives in traits: kind, layer, head, token, arrangement, all. The two rows of tokens are a sheet, made anew
// for another set or arrangement (sheet.js). Numbers and words come from words.js and heads.js; Python joins the files.
// Read from top to bottom: parts, drawing, answering.

import { buildSheet } from "./sheet.js";
import { insideView, lined, told, walked } from "./words.js";
import { choice, element, frame, menu, show, svgElement, traits } from "../elements.js";
import { matrixOf, readSets, setOf, share } from "../heads.js";
import { buildMatrix, fill } from "../matrix.js";

const STATE = ["kind", "layer", "head", "token", "arrangement", "all"];
const FOOT = "Layers and heads are counted from 0. The table has a row for each head of this layer: the weights of " +
  "the chosen token, in whole percent; a dot is exactly 0. A number is at most 0.2 percentage points off before it is " +
  "rounded. Lines below 2 % are left out, unless nothing in the row is much heavier. Point at a token or use the arrow " +
  "keys, Home and End; page up and down change the layer.";

// --- parts

const numbers = (count) => Array.from({ length: count }, (_, n) => [n, n]);

function buildControls(sets) {
  const kind = choice("set of weights", sets.map((set) => [set.kind, set.kind]));
  const [layer, head] = [menu("layer", []), menu("head", [])];
  const arrangement = choice("tokens as", [["columns", "columns"], ["rows", "rows"]]);
  const all = element("input", { type: "checkbox" });
  const label = element("label", { class: "hdv-all" }, all, "lines of all tokens");
  const root = element("div", { class: "hdv-controls" }, layer.root, head.root, arrangement.root, label);
  if (sets.length > 1) root.prepend(kind.root);
  return { kind, layer, head, arrangement, all, root };
}

function buildLegend() {
  const swatch = (kind) => element("span", { class: `hdv-swatch hdv-${kind}` });
  const scale = element("span", {}, "0 %", swatch("scale"), "100 %");
  const other = element("span", {}, swatch("other"), "other tokens' lines");
  const sides = element("span");
  const root = element("div", { class: "hdv-legend", "aria-hidden": "true" }, scale, other, sides);
  return { sides, root };
}

function build(sets) {
  const controls = buildControls(sets);
  const [sheet, table] = [element("div"), element("div")];
  const status = element("p", { class: "unr-status", "aria-live": "polite" });
  const root = frame("head view", "hdv");
  const legend = buildLegend();
  root.append(controls.root, sheet, status, legend.root, table, element("p", { class: "unr-foot" }, FOOT));
  return { root, controls, legend, places: { sheet, table }, status };
}

// --- drawing

/** For a set that was not looked at before: menus and table; for a new arrangement, too: the sheet. */
function rebuild(view, set, { kind, arrangement }, seen) {
  if (kind !== seen.kind) {
    for (const [name, count] of [["layer", set.layers], ["head", set.heads]]) {
      const options = numbers(count).map(([value, text]) => element("option", { value }, text));
      view.controls[name].select.replaceChildren(...options);
    }
    view.heads = buildMatrix("all heads of this layer", numbers(set.heads).map(([n]) => `head ${n}`), set.keys);
    view.places.table.replaceChildren(view.heads.root);
  }
  if (kind !== seen.kind || arrangement !== seen.arrangement) {
    const hadFocus = view.places.sheet.contains(document.activeElement);
    view.sheet = buildSheet(set, arrangement);
    view.places.sheet.replaceChildren(view.sheet.root);
    view.legend.sides.textContent = arrangement === "rows" ? "above: is seen; below: looks" : "";
    view.returnFocus = hadFocus;
  }
  Object.assign(seen, { kind, arrangement });
}

function line(sheet, i, j, kind, weight) {
  const drawn = svgElement("line", { ...sheet.ends(i, j), class: kind });
  drawn.style.setProperty("--weight", weight);
  return drawn;
}

function drawSheet(sheet, matrix, { token, all }) {
  const row = matrix[token];
  sheet.read.forEach((word, j) => {
    word.style.setProperty("--weight", row[j]);
    sheet.shares[j].textContent = share(row[j]);
    sheet.shares[j].classList.toggle("hdv-none", row[j] === 0);
  });
  sheet.looking.forEach((word, i) => {
    word.setAttribute("aria-selected", i === token);
    word.setAttribute("tabindex", i === token ? 0 : -1);
  });
  const of = (i, kind) => lined(matrix[i]).map((j) => line(sheet, i, j, kind, matrix[i][j]));
  const others = all ? matrix.flatMap((_, i) => (i === token ? [] : of(i, "hdv-other"))) : [];
  sheet.svg.replaceChildren(...others, ...of(token, "hdv-now"));
}

function drawControls(controls, state) {
  for (const name of ["kind", "arrangement"])
    controls[name].radios.forEach((radio) => (radio.checked = radio.value === state[name]));
  for (const name of ["layer", "head"]) controls[name].select.value = state[name];
  controls.all.checked = state.all;
}

function drawHeads({ caption, rows, cells }, set, { layer, head, token }) {
  caption.textContent = `“${set.queries[token]}” in each head of layer ${layer}, in percent`;
  rows.forEach((row, h) => row.classList.toggle("unr-now", h === head));
  cells.forEach((row, h) => fill(row, set.rowOf(layer, h, token)));
}

/** Draws what the traits say; the sheet and the table are kept as long as they fit. */
function drawing(view, sets, get) {
  const seen = {};
  return () => {
    const state = insideView(sets, get());
    const set = setOf(sets, state.kind);
    rebuild(view, set, state, seen);
    drawControls(view.controls, state);
    drawSheet(view.sheet, matrixOf(set, state.layer, state.head), state);
    drawHeads(view.heads, set, state);
    if (view.returnFocus) view.sheet.looking[state.token].focus({ preventScroll: true });
    view.returnFocus = false;
    const said = told(sets, state);
    if (view.status.textContent !== said) view.status.textContent = said; // said again only when it changes
  };
}

// --- answering to the reader

/** In a narrow box: the token that looks is brought to the middle. */
function bringIntoSight({ root, looking }, { token }) {
  const chosen = looking[token];
  root.scrollLeft = chosen.offsetLeft + chosen.offsetWidth / 2 - root.clientWidth / 2;
}

function listen(view, sets, get, set) {
  const { controls, places } = view;
  const hear = (node, kind, answer) => node.addEventListener(kind, answer);
  const state = () => insideView(sets, get());
  controls.kind.radios.forEach((radio) =>
    hear(radio, "change", () => set(insideView(sets, { ...get(), kind: radio.value }))));
  controls.arrangement.radios.forEach((radio) => hear(radio, "change", () => set({ arrangement: radio.value })));
  for (const name of ["layer", "head"])
    hear(controls[name].select, "change", () => set({ [name]: Number(controls[name].select.value) }));
  hear(controls.all, "change", () => set({ all: controls.all.checked }));
  hear(places.sheet, "keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !event.target.closest("[role=option]")) return;
    const next = walked(setOf(sets, state().kind), state(), event.key);
    if (!next) return;
    event.preventDefault();
    set(next);
    bringIntoSight(view.sheet, state());
    view.sheet.looking[state().token].focus({ preventScroll: view.sheet.root.scrollWidth > view.sheet.root.clientWidth });
  });
  const lookAt = (event) => {
    const token = view.sheet.looking.indexOf(event.target.closest("[role=option]"));
    if (token >= 0 && token !== state().token) set({ token });
  };
  for (const kind of ["pointerover", "pointerdown"]) hear(places.sheet, kind, lookAt);
  hear(places.table, "click", (event) => {
    const head = view.heads.rows.indexOf(event.target.closest("tr"));
    if (head >= 0) set({ head });
  });
}

function render({ model, el }) {
  const sets = readSets((name) => model.get(name));
  const view = build(sets);
  const { get, set } = traits(model, STATE);
  listen(view, sets, get, set);
  const end = show({ model, el }, view.root, STATE, drawing(view, sets, get));
  bringIntoSight(view.sheet, insideView(sets, get()));
  return end;
}

export default { render };
