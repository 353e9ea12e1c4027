// Block walk: tokens to choose from, the block as a drawing with a row for each part, its numbers, where heads look.
//
// All state lives in traits: token, layer, part, own. Numbers come from numbers.js, sentences from words.js, the pieces
// of the drawing from drawing.js, all elements from parts.js; Python joins the files. Read on: drawing, answering.

import { facts, insideWalk, looksOf, placesOf, reach, readWalk, stepped, walkOf, walked } from "./numbers.js";
import { lengths, nameOf, told } from "./words.js";
import { WIDE, pieceOf } from "./drawing.js";
import { build } from "./parts.js";
import { fill } from "../matrix.js";
import { signed } from "../figures.js";
import { show, traits } from "../elements.js";

const STATE = ["token", "layer", "part", "own"];
const TITLE = { attention: "Attention", cross: "Cross-attention" };

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
