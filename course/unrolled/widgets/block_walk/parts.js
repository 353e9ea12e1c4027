// The elements of a block walk, still empty: controls, tokens, the block, the numbers of one part, where heads look.

import { placesOf } from "./numbers.js";
import { buildMatrix } from "../matrix.js";
import { button, choice, element, frame, svgElement } from "../elements.js";

const FOOT = "Read from top to bottom: the line at the left goes through all blocks, and what the parts find is added to it. " +
  "Only an arrow from the right brings something from elsewhere: one from other tokens, two from the memory. A cell of " +
  "a vector is one number, blue above 0, orange below, the stronger the larger; on one scale unless each row has its " +
  "own. Layers, heads and numbers are counted from 0. Left and right arrow keys, Home and End choose the token, up and " +
  "down the part, page up and down the layer.";
const KEYS =
  "left and right arrow keys walk along them, up and down from part to part, page up and down to another layer";
const LABEL = { attention: "where the heads look", cross: "where the heads look in the memory" };
const FIGURES = ["length", "mean", "spread"];

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
  const frameless = { viewBox: `0 0 ${width} 1`, preserveAspectRatio: "none", "aria-hidden": "true" };
  const svg = svgElement("svg", frameless, ...cells);
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

/** All of it; `root` holds the rest. */
export function build(all) {
  const [controls, tokens, block, bench, looks] =
    [buildControls, buildTokens, buildBlock, buildBench, buildLooks].map((make) => make(all));
  const status = element("p", { class: "unr-status", "aria-live": "polite" });
  const way = element("p", { class: "blk-way" });
  const signs = 26 * (all.depth + 1) + 45; // about as many as the sentence has
  for (const [width, line] of [["wide", 110], ["narrow", 48]])
    way.style.setProperty(`--${width}-lines`, Math.ceil(signs / line));
  const panels = element("div", { class: "blk-looks" }, ...looks.map((one) => one.root));
  const root = frame("a vector's way through the block", "blk");
  root.append(controls.root, tokens.root, status, block.root, way, bench.root, panels,
    element("p", { class: "unr-foot" }, FOOT));
  return { root, controls, tokens, block, bench, looks, status, way };
}
