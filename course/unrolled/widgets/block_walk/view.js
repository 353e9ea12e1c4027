// Block walk: tokens to choose from, the block as a drawing with a row for each part, its numbers, where heads look.
//
// All state lives in traits: token, layer, part, own. Numbers come from numbers.js, sentences from words.js, the pieces
// of the drawing from drawing.js; Python joins the files. Read from top to bottom: parts, drawing, answering.

import { facts, insideWalk, looksOf, placesOf, reach, readWalk, stepped, walkOf, walked } from "./numbers.js";
import { lengths, nameOf, told } from "./words.js";
import { WIDE, pieceOf } from "./drawing.js";
import { buildMatrix, fill } from "../matrix.js";
import { signed } from "../figures.js";
import { button, choice, element, frame, show, svgElement, traits } from "../elements.js";

const STATE = ["token", "layer", "part", "own"];
const FOOT = "Read from top to bottom: the line at the left goes through all blocks, and what the parts find is added to it. " +
  "Only an arrow from the right brings something from elsewhere: one from other tokens, two from the memory. A cell of " +
  "a vector is one number, blue above 0, orange below, the stronger the larger; on one scale unless each row has its " +
  "own. Layers, heads and numbers are counted from 0. Left and right arrow keys, Home and End choose the token, up and " +
  "down the part, page up and down the layer.";
const KEYS = "left and right arrow keys walk along them, up and down from part to part, page up and down to another layer";
const LABEL = { attention: "where the heads look", cross: "where the heads look in the memory" };
const TITLE = { attention: "Attention", cross: "Cross-attention" };
const FIGURES = ["length", "mean", "spread"];

// --- parts

function buildControls({ depth }) {
  const [back, on] = [button("‹ back", "the place before"), button("next ›", "the next place")];
  const layer = choice("layer", Array.from({ length: depth }, (_, n) => [n, `layer ${n}`]));
  const own = element("input", { type: "checkbox" });
  const label = element("label", { class: "blk-own" }, own, "each row on a scale of its own");
  const root = element("div", { class: "blk-controls" }, back, on, layer.root, label);
  return { back, on, layer, own, root };
}

function buildTokens({ tokens }) {
  const options = tokens.map((word, i) => element("div", { role: "option", dir: "auto",
    "aria-label": `${word}, ${i + 1} of ${tokens.length}` }, word));
  const named = { role: "listbox", "aria-orientation": "horizontal", "aria-label": `tokens: ${KEYS}` };
  return { options, root: element("div", { class: "blk-tokens", ...named }, ...options) };
}

/** A vector as a strip of cells. */
function buildStrip(width) {
  const cells = Array.from({ length: width }, (_, n) => svgElement("rect", { x: n, y: 0, width: 1, height: 1 }));
  const svg = svgElement("svg", { viewBox: `0 0 ${width} 1`, preserveAspectRatio: "none", "aria-hidden": "true" }, ...cells);
  return { cells, root: svg };
}

const scrolled = (label, kind, table) =>
  element("div", { class: `blk-box ${kind}`, tabindex: 0, role: "group", "aria-label": label }, table);

function buildRow(place, width) {
  const [piece, name] = [element("div"), element("span", { class: "blk-hidden" })];
  const strip = buildStrip(width);
  const figures = FIGURES.map((kind) => element("td", { class: `blk-${kind}` }));
  const head = element("th", { scope: "row" }, piece, name);
  const root = element("tr", {}, head, element("td", { class: "blk-strip" }, strip.root), ...figures);
  return { place, piece, name, cells: strip.cells, figures, root };
}

function buildBlock(all) {
  const rows = placesOf(all, all.depth - 1).map((place) => buildRow(place, all.width));
  const caption = element("span");
  const titles = ["", `vector, ${all.width} numbers`, "length", "μ", "σ"].map((text, n) =>
    element(n ? "th" : "td", n ? { scope: "col", class: `blk-${["", "title", ...FIGURES][n]}` } : {}, text));
  const table = element("table", {}, element("caption", {}, caption), element("thead", {}, element("tr", {}, ...titles)),
    element("tbody", {}, ...rows.map((row) => row.root)));
  return { caption, rows, root: scrolled("the block, a row for each part", "blk-block", table) };
}

/** The chosen place number by number: what it was made of, and what it is. */
function buildBench({ width }) {
  const heads = Array.from({ length: width }, (_, n) => element("th", { scope: "col" }, String(n)));
  const rows = Array.from({ length: 3 }, () => {
    const [name, cells] = [element("th", { scope: "row" }), heads.map(() => element("td", { class: "blk-number" }))];
    return { name, cells, root: element("tr", {}, name, ...cells) };
  });
  const caption = element("span");
  const table = element("table", {}, element("caption", {}, caption),
    element("thead", {}, element("tr", {}, element("td"), ...heads)), element("tbody", {}, ...rows.map((row) => row.root)));
  return { caption, rows, root: scrolled("the chosen part, number by number", "blk-bench", table) };
}

function buildLooks(all) {
  return all.looking.filter((part) => all.looks.some((layer) => layer[part].heads)).map((part) => {
    const most = Math.max(...all.looks.map((layer) => layer[part].heads));
    const rows = Array.from({ length: most }, (_, h) => `head ${h}`);
    return { part, ...buildMatrix(LABEL[part], rows, all.keys[part]) };
  });
}

function build(all) {
  const [controls, tokens, block, bench, looks] =
    [buildControls, buildTokens, buildBlock, buildBench, buildLooks].map((make) => make(all));
  const status = element("p", { class: "unr-status", "aria-live": "polite" });
  const way = element("p", { class: "blk-way" });
  const panels = element("div", { class: "blk-looks" }, ...looks.map((one) => one.root));
  const root = frame("a vector's way through the block", "blk");
  root.append(controls.root, tokens.root, status, block.root, way, bench.root, panels,
    element("p", { class: "unr-foot" }, FOOT));
  return { root, controls, tokens, block, bench, looks, status, way };
}

// --- drawing

function drawControls({ back, on, layer, own }, all, state) {
  layer.radios.forEach((radio) => (radio.checked = Number(radio.value) === state.layer));
  own.checked = state.own;
  back.disabled = stepped(all, state, -1) === null;
  on.disabled = stepped(all, state, 1) === null;
}

function drawTokens({ options }, { token }) {
  options.forEach((option, i) => {
    option.setAttribute("aria-selected", i === token);
    option.setAttribute("tabindex", i === token ? 0 : -1);
  });
}

/** The drawing's pieces, when another layer is looked at. */
function drawPieces({ rows }, all, layer) {
  const places = placesOf(all, layer);
  rows.forEach(({ place, piece, name }, n) => {
    const ends = place === "input" || place.startsWith(all.norm === "pre" ? "add" : "norm");
    const last = n === places.length - 1;
    const from = layer ? `from layer ${layer - 1}` : "comes in";
    const work = !last && place !== "final" && places[n + 1] !== "final";
    piece.replaceChildren(pieceOf(place, { norm: all.norm, leaves: ends && work, last, from }));
    name.textContent = place === "input" ? from : nameOf(place);
  });
}

function drawCells(cells, vector, largest) {
  cells.forEach((cell, n) => {
    cell.setAttribute("class", vector[n] < 0 ? "blk-down" : "blk-up");
    cell.style.fillOpacity = Math.abs(vector[n]) / largest;
  });
}

function drawBlock({ caption, rows }, all, state, steps) {
  caption.textContent = `“${all.tokens[state.token]}” in layer ${state.layer}, ${all.norm}-norm`;
  const largest = reach(steps.map(({ vector }) => vector));
  rows.forEach((row, n) => {
    row.root.classList.toggle("blk-gone", n >= steps.length);
    row.root.classList.toggle("unr-now", row.place === state.part);
    if (n >= steps.length) return;
    const { vector } = steps[n];
    drawCells(row.cells, vector, state.own ? reach([vector]) : largest);
    const found = facts(vector);
    const written = [found.length.toFixed(2), signed(found.mean), found.spread.toFixed(2)];
    row.figures.forEach((cell, k) => (cell.textContent = written[k]));
  });
}

/** Names of what a place was made of. */
function madeOf(steps, at) {
  const { from } = steps[at];
  const before = nameOf(steps[Math.max(at - 1, 0)].place);
  return from.length === 2 ? ["came in", before] : from.length ? [before] : [];
}

function drawBench({ caption, rows }, all, state, steps) {
  const at = steps.findIndex(({ place }) => place === state.part);
  const { vector, from } = steps[at];
  const name = nameOf(state.part);
  caption.textContent = `${name[0].toUpperCase()}${name.slice(1)}, number by number`;
  const [names, vectors] = [[...madeOf(steps, at), from.length === 2 ? "sum" : name], [...from, vector]];
  const largest = reach(vectors);
  rows.forEach((row, r) => {
    row.root.classList.toggle("blk-gone", r >= vectors.length);
    if (r >= vectors.length) return;
    row.name.textContent = names[r];
    row.cells.forEach((cell, n) => {
      cell.textContent = signed(vectors[r][n]);
      cell.style.setProperty("--weight", Math.abs(vectors[r][n]) / largest);
      cell.classList.toggle("blk-minus", vectors[r][n] < 0);
    });
  });
}

function drawLooks(looks, all, { token, layer, part: now }) {
  looks.forEach(({ part, caption, rows, cells, root }) => {
    const weights = looksOf(all, layer, part, token);
    caption.textContent = `${TITLE[part]} of “${all.tokens[token]}”, layer ${layer}, in %`;
    root.classList.toggle("blk-chosen", part === now);
    rows.forEach((row, h) => {
      row.classList.toggle("blk-gone", h >= weights.length);
      if (h < weights.length) fill(cells[h], weights[h]);
    });
  });
}

/** Draws it all; the pieces only when the layer has changed. */
function drawing(view, all, get) {
  let drawn = null;
  return () => {
    const state = insideWalk(all, get());
    const walk = walkOf(all, state.token);
    const steps = walk[state.layer];
    if (state.layer !== drawn) drawPieces(view.block, all, (drawn = state.layer));
    drawControls(view.controls, all, state);
    drawTokens(view.tokens, state);
    drawBlock(view.block, all, state, steps);
    drawBench(view.bench, all, state, steps);
    drawLooks(view.looks, all, state);
    view.way.textContent = lengths(all, state.token, walk);
    const said = told(all, state, steps);
    if (view.status.textContent !== said) view.status.textContent = said; // said again only when it changes
  };
}

// --- answering to the reader

function listen({ controls, tokens, block }, all, get, set) {
  const hear = (node, kind, answer) => node.addEventListener(kind, answer);
  const state = () => insideWalk(all, get());
  const by = (steps) => set(stepped(all, state(), steps) ?? {});
  hear(controls.back, "click", () => by(-1));
  hear(controls.on, "click", () => by(1));
  controls.layer.radios.forEach((radio) => hear(radio, "change", () => set({ layer: Number(radio.value) })));
  hear(controls.own, "change", () => set({ own: controls.own.checked }));
  hear(tokens.root, "keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const next = walked(all, state(), event.key);
    if (!next) return;
    event.preventDefault();
    set(next);
    tokens.options[get().token].focus();
  });
  const lookAt = (event) => {
    const token = tokens.options.indexOf(event.target.closest("[role=option]"));
    if (token >= 0 && token !== get().token) set({ token });
  };
  for (const kind of ["pointerover", "pointerdown"]) hear(tokens.root, kind, lookAt);
  block.rows.forEach((row) => hear(row.root, "click", () => set({ part: row.place })));
}

function render({ model, el }) {
  const all = readWalk((name) => model.get(name));
  const view = build(all);
  const { get, set } = traits(model, STATE);
  view.root.style.setProperty("--piece", `${WIDE}px`);
  listen(view, all, get, set);
  return show({ model, el }, view.root, STATE, drawing(view, all, get));
}

export default { render };
