// Query and keys: the tokens that may ask, the chosen query and key number by number, and a row for each key.
//
// All state lives in traits: head, query, key, scaled. Numbers and words come from numbers.js; Python joins the files.
// Read from top to bottom: parts, drawing, answering.

import { bars, reach, readVectors, rowsOf, told, walked } from "./numbers.js";
import { percent, signed } from "../figures.js";
import { element, frame, menu, show, svgElement, traits } from "../elements.js";

const STATE = ["head", "query", "key", "scaled"];
const SIGNS = [["up", 1], ["down", -1]];
const FOOT = "Above: the chosen query q, the chosen key k, and their products, number by number; their sum is q·k. " +
  "Below: a row for each key, its products as bars, up if positive, down if negative, all on one scale. Heads and " +
  "numbers are counted from 0; what may not be seen has the score −∞. Left and right arrow keys, Home and End choose " +
  "the query, up and down the key, page up and down the head.";
const KEYS = "left and right arrow keys walk along them, up and down from key to key, page up and down to another head";

// --- parts

function buildControls({ heads, width }) {
  const head = menu("head", Array.from({ length: heads }, (_, n) => [n, n]));
  const scaled = element("input", { type: "checkbox" });
  const label = element("label", { class: "qkv-scaled" }, scaled, `divide by √${width}`);
  const root = element("div", { class: "qkv-controls" }, label);
  if (heads > 1) root.prepend(head.root);
  return { head, scaled, root };
}

function buildTokens({ tokens }) {
  const options = tokens.map((word, i) => element("div", { role: "option", dir: "auto",
    "aria-label": `${word}, ${i + 1} of ${tokens.length}` }, word));
  const named = { role: "listbox", "aria-orientation": "horizontal", "aria-label": `queries: ${KEYS}` };
  return { options, root: element("div", { class: "qkv-tokens", ...named }, ...options) };
}

const scrolled = (label, kind, table) =>
  element("div", { class: `qkv-box ${kind}`, tabindex: 0, role: "group", "aria-label": label }, table);

/** The chosen query, key and products: three rows of numbers. */
function buildBench({ width }) {
  const heads = Array.from({ length: width }, (_, n) => element("th", { scope: "col" }, String(n)));
  const rows = ["q", "k", "q × k"].map((letter) => {
    const cells = heads.map(() => element("td", { class: "qkv-number" }));
    return { cells, root: element("tr", {}, element("th", { scope: "row" }, letter), ...cells) };
  });
  const caption = element("span");
  const body = element("tbody", {}, ...rows.map((row) => row.root));
  const head = element("thead", {}, element("tr", {}, element("td", {}), ...heads));
  const table = element("table", {}, element("caption", {}, caption), head, body);
  return { caption, rows, root: scrolled("query and key, number by number", "qkv-bench", table) };
}

function buildRow(word, width) {
  const paths = SIGNS.map(([name]) => svgElement("path", { class: `qkv-${name}` }));
  const svg = svgElement("svg", { viewBox: `0 0 ${width} 2`, preserveAspectRatio: "none" }, ...paths);
  const products = element("td", { class: "qkv-products", "aria-hidden": "true" }, svg);
  const bar = element("span", { class: "qkv-bar" });
  const [sum, score, weight] = ["sum", "score", "weight"].map((kind) => element("td", { class: `qkv-${kind}` }));
  const name = element("th", { scope: "row" }, element("span", { dir: "auto", title: word }, word));
  const track = element("td", { class: "qkv-track", "aria-hidden": "true" }, element("div", {}, bar));
  return { paths, bar, sum, score, weight, root: element("tr", {}, name, products, sum, score, track, weight) };
}

function buildKeys({ seen, width }) {
  const rows = seen.map((word) => buildRow(word, width));
  const score = element("th", { scope: "col" });
  const head = (text, kind, more = {}) => element("th", { scope: "col", class: `qkv-${kind}`, ...more }, text);
  const titles = element("tr", {}, head("key", "name"), head("products", "products"), head("q·k", "sum"), score,
    head("weight", "weight", { colspan: 2 }));
  const columns = ["name", "products", "sum", "score", "track", "weight"].map((kind) =>
    element("col", { class: `qkv-col-${kind}` }));
  const [caption, body] = [element("caption"), element("tbody", {}, ...rows.map((row) => row.root))];
  const table = element("table", {}, caption, element("colgroup", {}, ...columns), element("thead", {}, titles), body);
  return { caption, rows, score, root: scrolled("all keys of the query", "qkv-keys", table) };
}

function build(all) {
  const [controls, tokens, bench, keys] = [buildControls, buildTokens, buildBench, buildKeys].map((make) => make(all));
  const status = element("p", { class: "unr-status", "aria-live": "polite" });
  const root = frame("query and keys", "qkv");
  root.append(controls.root, tokens.root, status, bench.root, keys.root, element("p", { class: "unr-foot" }, FOOT));
  return { root, controls, tokens, bench, keys, status };
}

// --- drawing

function drawBench({ caption, rows }, all, { head, query, key }, { products, sum }) {
  const [q, k] = [all.queryOf(head, query), all.keyOf(head, key)];
  caption.textContent = `q of “${all.tokens[query]}” with k of “${all.seen[key]}”, sum ${signed(sum)}`;
  const scales = [reach([q, k]), reach([q, k]), reach([products])];
  [q, k, products].forEach((numbers, r) => {
    rows[r].cells.forEach((cell, n) => {
      cell.textContent = signed(numbers[n]);
      cell.style.setProperty("--weight", Math.abs(numbers[n]) / scales[r]);
      cell.classList.toggle("qkv-minus", numbers[n] < 0);
    });
  });
}

function drawRow(row, { products, sum, score, may, weight }, largest) {
  SIGNS.forEach(([, sign], n) => row.paths[n].setAttribute("d", bars(products, largest, sign)));
  row.sum.textContent = signed(sum);
  row.score.textContent = may ? signed(score) : "−∞";
  row.weight.textContent = percent(weight);
  row.bar.style.width = `${100 * weight}%`;
  row.root.classList.toggle("qkv-masked", !may);
}

function drawKeys({ caption, rows, score }, all, state, found) {
  caption.textContent = `Keys of “${all.tokens[state.query]}”`;
  score.textContent = state.scaled ? `/ √${all.width}` : "score";
  const largest = reach(found.map(({ products }) => products));
  rows.forEach((row, j) => {
    drawRow(row, found[j], largest);
    row.root.classList.toggle("unr-now", j === state.key);
  });
}

function drawAll(view, all, state) {
  const found = rowsOf(all, state);
  view.controls.head.select.value = state.head;
  view.controls.scaled.checked = state.scaled;
  view.tokens.options.forEach((option, i) => {
    option.setAttribute("aria-selected", i === state.query);
    option.setAttribute("tabindex", i === state.query ? 0 : -1);
  });
  drawBench(view.bench, all, state, found[state.key]);
  drawKeys(view.keys, all, state, found);
  const said = told(all, state, found);
  if (view.status.textContent !== said) view.status.textContent = said; // said again only when it changes
}

// --- answering to the reader

function listen({ controls, tokens, keys }, all, get, set) {
  const hear = (node, kind, answer) => node.addEventListener(kind, answer);
  hear(controls.head.select, "change", () => set({ head: Number(controls.head.select.value) }));
  hear(controls.scaled, "change", () => set({ scaled: controls.scaled.checked }));
  hear(tokens.root, "keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const next = walked(all, get(), event.key);
    if (!next) return;
    event.preventDefault();
    set(next);
    bringIntoSight(keys, get());
    tokens.options[get().query].focus();
  });
  const lookAt = (event) => {
    const query = tokens.options.indexOf(event.target.closest("[role=option]"));
    if (query >= 0 && query !== get().query) set({ query });
  };
  for (const kind of ["pointerover", "pointerdown"]) hear(tokens.root, kind, lookAt);
  keys.rows.forEach((row, key) => hear(row.root, "click", () => set({ key })));
}

/** The chosen key's row is brought into its box, below the line of titles. */
function bringIntoSight({ root, rows }, { key }) {
  const row = rows[key].root;
  const top = rows[0].root.offsetTop;
  root.scrollTop = Math.min(root.scrollTop, row.offsetTop - top);
  root.scrollTop = Math.max(root.scrollTop, row.offsetTop + row.offsetHeight - root.clientHeight);
}

function render({ model, el }) {
  const all = readVectors((name) => model.get(name));
  const view = build(all);
  const { get, set } = traits(model, STATE);
  listen(view, all, get, set);
  const end = show({ model, el }, view.root, STATE, () => drawAll(view, all, get()));
  bringIntoSight(view.keys, get());
  return end;
}

export default { render };
