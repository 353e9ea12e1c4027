// The n-gram explorer: what follows this context, for every order and every smoothing?
//
// A grid with one column an order and one row a symbol; each cell holds three bars, one a smoothing. All state
// lives in traits (context, order, smoothing, k, temperature, seed), so several views stay in step and a page
// without a kernel can draw it. The numbers come from counts.js, which Python joins to this file.
// Read from top to bottom: words, parts, drawing, answering to the reader.

import {
  METHODS, append, dropLast, encode, explore, readCorpus, sample, sum, tokenize, top, uniform,
} from "./counts.js";
import { button, choice, element, frame, show, slider, traits } from "../elements.js";

const ROWS = 10;
const STATE = ["context", "order", "smoothing", "k", "temperature", "seed"];
const NAMES = { mle: "maximum likelihood", add_k: "add-k", kneser_ney: "Kneser–Ney" };

// --- words

const VISIBLE = { " ": "␣", "\n": "⏎", "\t": "⇥", "\r": "␍" };
const SPOKEN = { " ": "␣ space", "\n": "⏎ newline", "\t": "⇥ tab", "\r": "␍ carriage return" };
const visible = (text) => [...text].map((symbol) => VISIBLE[symbol] ?? symbol).join("");
const spoken = (symbol) => SPOKEN[symbol] ?? symbol;
const number = (n) => n.toLocaleString("en");
const times = (n) => ({ 1: "once", 2: "twice" })[n] ?? `${number(n)} times`;
const capital = (text) => text[0].toUpperCase() + text.slice(1);
const written = (corpus, tokens) => tokens.map(visible).join(corpus.unit === "words" ? " " : "");

const isKnown = (corpus, token) => corpus.index.has(token) || corpus.unknown >= 0;

/** A probability in percent; what is exactly 0 or 1 stands out from what is nearly so. */
export function percent(p) {
  if (p === 0 || p === 1) return `${100 * p}%`;
  if (p < 0.0005) return "<0.1%";
  return p >= 0.9995 ? ">99.9%" : `${(100 * p).toFixed(1)}%`;
}

/** The same with two digits, for the little room that a cell has. */
const brief = (p) => (p >= 0.995 && p < 1 ? ">99%" : p >= 0.0995 ? `${Math.round(100 * p)}%` : percent(p));

/** The order that speaks: the marked one, or a lower one while the context is too short for it. */
export const speaker = (answers, order) => answers.findLast((answer) => answer.order <= order && !answer.short);

/** The picture in a sentence or two, for the eye and for the screen reader. */
export function verdict(corpus, { context, order, smoothing }, answers) {
  const tokens = tokenize(corpus, context);
  const answer = speaker(answers, order);
  const seen = written(corpus, tokens.slice(tokens.length - answer.order + 1));
  const unknown = tokens.slice(-corpus.maxOrder + 1).findLast((token) => !isKnown(corpus, token));
  return [
    unknown && `“${visible(unknown)}” is not among the ${number(corpus.symbols.length)} symbols of this text.`,
    answer.order < order && `Order ${order} needs a longer context, so order ${answer.order} speaks.`,
    answer.seen ? whatIsExpected(corpus, seen, answer, smoothing) : whoStepsIn(corpus, seen, answer, answers),
  ].filter(Boolean).join(" ");
}

function favourite(corpus, p, tie) {
  const [id] = top(p, 1, tie);
  return `“${spoken(corpus.symbols[id])}” (${percent(p[id])})`;
}

function whatIsExpected(corpus, context, answer, smoothing) {
  const where = context ? `After “${context}”, seen ${times(answer.seen)},` : "With no context";
  return `${where} ${NAMES[smoothing]} expects ${favourite(corpus, answer[smoothing], answer.kneser_ney)}.`;
}

function whoStepsIn(corpus, context, { order, kneser_ney }, answers) {
  const below = answers.findLast((answer) => answer.order < order && answer.seen > 0);
  return `“${context}” was never seen. Maximum likelihood has no answer, add-k finds all symbols equal, ` +
    `Kneser–Ney falls back on order ${below.order} (seen ${times(below.seen)}) ` +
    `and expects ${favourite(corpus, kneser_ney)}.`;
}

// --- parts

/** The text being written, with what takes away from it and what puts another in its place. */
function buildWriter() {
  const plain = { spellcheck: "false", autocapitalize: "off", autocomplete: "off" };
  const box = element("textarea", { rows: 2, ...plain });
  const remove = button("⌫ Delete", "Delete the last symbol (Backspace in the grid)");
  const clear = button("Clear", "Start with an empty context");
  const quote = button("From the text", "Take a context that occurs in the text");
  const label = element("label", {}, element("span", {}, "Context"), box);
  const root = element("div", { class: "ngx-write" }, label, element("div", {}, remove, clear, quote));
  return { box, remove, clear, quote, root };
}

/** One radio button a smoothing, which is the key to the colours as well, and the k of add-k. */
function buildMethods() {
  const swatch = (method) => element("span", { class: `unr-swatch ngx-${method}` });
  const { radios, root } = choice("Smoothing", METHODS.map((method) => [method, swatch(method), capital(NAMES[method])]));
  const k = slider("k", { min: -3, max: 1, step: 0.25 });
  return { radios, k, root: element("div", { class: "ngx-methods" }, root, k.root) };
}

function buildSampler(unit) {
  const count = unit === "words" ? 20 : 40;
  const one = button("Sample", "Draw the next symbol from the marked order and smoothing");
  const many = button(`Sample ${count}`, `Draw ${count} symbols, one after the other`);
  const temperature = slider("temperature", { min: 0, max: 2, step: 0.05 });
  const seed = element("input", { type: "number", min: 0, step: 1 });
  const label = element("label", { title: "Same seed and same context: same text" }, "seed", seed);
  const root = element("div", { class: "ngx-sampler" }, one, many, temperature.root, label);
  return { one, many, count, temperature, seed, root };
}

/** A row of the grid: a heading and one cell an order. */
function buildRow(kind, heading, orders) {
  const first = kind === "order";
  const head = element("div", { role: first ? "columnheader" : "rowheader", class: "ngx-head" }, heading);
  const role = first ? "columnheader" : "gridcell";
  const cells = Array.from({ length: orders }, () => element("div", { role, class: "ngx-cell" }));
  return { head, cells, root: element("div", { role: "row", class: `ngx-row ngx-row-${kind}` }, head, ...cells) };
}

/** The bars of one cell, a lane a smoothing, and the number of the chosen one. */
function buildBars(cell) {
  cell.bars = METHODS.map((method) => element("span", { class: `ngx-bar ngx-${method}` }));
  cell.figure = element("span", { class: "ngx-figure" });
  cell.append(element("span", { class: "ngx-lanes" }, ...cell.bars), cell.figure);
}

function buildGrid({ maxOrder, symbols }) {
  const count = Math.min(ROWS, symbols.length);
  const order = buildRow("order", "order", maxOrder);
  const context = buildRow("context", "context", maxOrder);
  const seen = buildRow("seen", "seen", maxOrder);
  const handed = buildRow("handed", "falls back", maxOrder);
  const lines = Array.from({ length: count }, () => buildRow("symbol", "", maxOrder));
  const others = buildRow("others", `${number(symbols.length - count)} others`, maxOrder);
  const rows = [order, context, seen, handed, ...lines, others];
  order.cells.forEach((cell, column) => {
    const name = ["unigram", "bigram", "trigram"][column] ?? "";
    cell.append(String(column + 1), element("small", {}, name));
  });
  handed.head.title = "The share of probability that Kneser–Ney hands to the next lower order";
  [...lines, others].forEach((row) => row.cells.forEach(buildBars));
  const grid = element("div", { role: "grid", "aria-label": "Next symbol by order", class: "ngx-grid" });
  grid.style.setProperty("--orders", maxOrder);
  grid.append(...rows.map((row) => row.root));
  const steps = [order, ...lines]; // the rows that the arrow keys walk through
  return { grid, order, context, seen, handed, lines, others, rows, steps, shown: [] };
}

function build(corpus, description) {
  const writer = buildWriter();
  const methods = buildMethods();
  const grid = buildGrid(corpus);
  const sampler = buildSampler(corpus.unit);
  const status = element("p", { class: "unr-status", "aria-live": "polite" });
  const scroll = element("div", { class: "ngx-scroll" }, grid.grid);
  const root = frame("n-gram explorer", `ngx ngx-${corpus.unit}`);
  const foot = element("p", { class: "unr-foot" }, description);
  root.append(writer.root, methods.root, scroll, status, sampler.root, foot);
  return { root, writer, methods, grid, sampler, status };
}

// --- drawing

/** The context of one order: tiles for characters, as many of the last words as have room. */
function drawContext(cell, corpus, tokens) {
  const tiles = tokens.map((token) => {
    const kind = isKnown(corpus, token) ? "ngx-tile" : "ngx-tile ngx-unknown";
    return element("span", { class: kind }, visible(token));
  });
  const width = () => sum(tiles.map((tile) => tile.textContent.length + 1));
  while (corpus.unit === "words" && tiles.length > 1 && width() > 28) tiles.shift();
  if (tiles.length < tokens.length) tiles.unshift(element("span", {}, "…"));
  cell.replaceChildren(...(tokens.length ? tiles : ["none"]));
  cell.title = written(corpus, tokens);
}

/** What an order knows of its context: what it is, how often it was seen, what Kneser–Ney hands down. */
function drawFacts({ context, seen, handed }, corpus, answer, tokens) {
  const column = answer.order - 1;
  if (answer.short) {
    context.cells[column].replaceChildren(`needs ${answer.short} more`);
    seen.cells[column].textContent = handed.cells[column].textContent = "";
    return;
  }
  drawContext(context.cells[column], corpus, tokens.slice(tokens.length - column));
  seen.cells[column].textContent = answer.seen ? `${number(answer.seen)} ×` : "never";
  handed.cells[column].textContent = brief(answer.handed);
}

/** `mass` picks from a distribution what the cell stands for. The cell's name begins with the number it shows. */
function drawBars(cell, answer, smoothing, mass, name) {
  const masses = METHODS.map((method) => (answer[method] ? mass(answer[method]) : null));
  cell.bars.forEach((bar, lane) => {
    bar.style.width = `${100 * (masses[lane] ?? 0)}%`;
    bar.classList.toggle("ngx-chosen", METHODS[lane] === smoothing);
  });
  const say = (p) => (p === null ? "no answer" : percent(p));
  const chosen = masses[METHODS.indexOf(smoothing)];
  cell.figure.textContent = answer.short ? "" : chosen === null ? "–" : brief(chosen);
  cell.title = answer.short
    ? `needs ${answer.short} more symbols of context`
    : METHODS.map((method, lane) => `${NAMES[method]} ${say(masses[lane])}`).join(", ");
  cell.setAttribute("aria-label", `${name}, order ${answer.order}: ${cell.figure.textContent} ${cell.title}`);
}

function drawColumn(grid, corpus, state, answer) {
  const column = answer.order - 1;
  const p = answer[state.smoothing];
  const [best] = p ? top(p, 1, answer.kneser_ney) : [];
  grid.lines.forEach(({ cells }, i) => {
    const id = grid.shown[i];
    drawBars(cells[column], answer, state.smoothing, (q) => q[id], spoken(corpus.symbols[id]));
    cells[column].classList.toggle("ngx-best", id === best);
  });
  const rest = (q) => Math.max(0, 1 - sum(grid.shown.map((id) => q[id])));
  drawBars(grid.others.cells[column], answer, state.smoothing, rest, "all others together");
  for (const { cells } of grid.rows) {
    cells[column].classList.toggle("ngx-marked", answer.order === state.order);
    cells[column].classList.toggle("ngx-short", answer.short > 0);
    cells[column].classList.toggle("ngx-never", answer.seen === 0);
  }
  grid.order.cells[column].setAttribute("aria-selected", answer.order === state.order);
}

/** Rows are sorted by the order that speaks; the other columns show what they make of the same symbols. */
function drawGrid(grid, corpus, state, answers, tokens) {
  const speaking = speaker(answers, state.order);
  const { kneser_ney, [state.smoothing]: chosen } = speaking;
  grid.shown = top(chosen ?? kneser_ney, grid.lines.length, kneser_ney);
  grid.lines.forEach(({ head }, i) => {
    head.textContent = visible(corpus.symbols[grid.shown[i]]);
    head.title = spoken(corpus.symbols[grid.shown[i]]);
  });
  for (const answer of answers) {
    drawFacts(grid, corpus, answer, tokens);
    drawColumn(grid, corpus, state, answer);
    grid.order.cells[answer.order - 1].classList.toggle("ngx-speaks", answer === speaking);
  }
}

function drawControls({ writer, methods, sampler }, state, answers) {
  if (writer.box.value !== state.context) {
    writer.box.value = state.context;
    writer.box.scrollTop = writer.box.scrollHeight;
  }
  methods.radios.forEach((radio) => (radio.checked = radio.value === state.smoothing));
  methods.k.input.value = Math.log10(state.k);
  methods.k.output.value = state.k;
  sampler.temperature.input.value = state.temperature;
  sampler.temperature.output.value = state.temperature.toFixed(2);
  if (Number(sampler.seed.value) !== state.seed || sampler.seed.value === "") sampler.seed.value = state.seed;
  sampler.one.disabled = sampler.many.disabled = !speaker(answers, state.order)[state.smoothing];
}

function drawAll(view, corpus, state) {
  const tokens = tokenize(corpus, state.context);
  const answers = explore(corpus, encode(corpus, tokens.slice(-corpus.maxOrder)), state.k);
  drawControls(view, state, answers);
  drawGrid(view.grid, corpus, state, answers, tokens);
  view.status.textContent = verdict(corpus, state, answers);
}

// --- answering to the reader

/** The grid is one tab stop; inside it the arrow keys walk over the orders and over the bars. */
function walkGrid(grid, remove) {
  let here = null;
  const place = (row, column) => {
    here?.cell.setAttribute("tabindex", -1);
    here = { row, column, cell: grid.steps[row].cells[column] };
    here.cell.setAttribute("tabindex", 0);
  };
  grid.steps.forEach(({ cells }, row) => cells.forEach((cell, column) => {
    cell.setAttribute("tabindex", -1);
    cell.addEventListener("focus", () => place(row, column));
  }));
  place(0, 0);
  const last = { row: grid.steps.length - 1, column: grid.order.cells.length - 1 };
  const steps = {
    ArrowUp: () => [Math.max(0, here.row - 1), here.column],
    ArrowDown: () => [Math.min(last.row, here.row + 1), here.column],
    ArrowLeft: () => [here.row, Math.max(0, here.column - 1)],
    ArrowRight: () => [here.row, Math.min(last.column, here.column + 1)],
    Home: () => [here.row, 0],
    End: () => [here.row, last.column],
  };
  const actions = { Enter: () => here.cell.click(), " ": () => here.cell.click(), Backspace: remove };
  grid.grid.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = steps[event.key]?.();
    if (step) grid.steps[step[0]].cells[step[1]].focus();
    else if (event.key in actions) actions[event.key]();
    else return;
    event.preventDefault();
  });
}

/** A context that occurs in the text: the seed and the number of tries so far say where. */
function quoteText(corpus, seed, tries) {
  const length = corpus.unit === "words" ? corpus.maxOrder - 1 : 2 * corpus.maxOrder;
  const start = Math.floor(uniform(seed, tries) * Math.max(1, corpus.ids.length - length));
  return Array.from(corpus.ids.slice(start, start + length)).reduce((text, id) => append(corpus, text, id), "");
}

function listen({ writer, methods, grid, sampler }, corpus, get, set) {
  const remove = () => set({ context: dropLast(corpus, get().context) });
  const write = (count) => set({ context: sample(corpus, get().context, count, get()) });
  let tries = 0;
  const say = (node, kind, answer) => node.addEventListener(kind, answer);
  say(writer.box, "input", () => set({ context: writer.box.value }));
  say(writer.remove, "click", remove);
  say(writer.clear, "click", () => set({ context: "" }));
  say(writer.quote, "click", () => set({ context: quoteText(corpus, get().seed, tries++) }));
  methods.radios.forEach((radio) => say(radio, "change", () => set({ smoothing: radio.value })));
  say(methods.k.input, "input", () => set({ k: Number((10 ** methods.k.input.value).toPrecision(2)) }));
  say(sampler.one, "click", () => write(1));
  say(sampler.many, "click", () => write(sampler.count));
  say(sampler.temperature.input, "input", () => set({ temperature: Number(sampler.temperature.input.value) }));
  say(sampler.seed, "change", () => set({ seed: Math.max(0, Math.trunc(Number(sampler.seed.value))) }));
  grid.order.cells.forEach((cell, column) => say(cell, "click", () => set({ order: column + 1 })));
  grid.lines.forEach(({ cells }, i) => cells.forEach((cell) =>
    say(cell, "click", () => set({ context: append(corpus, get().context, grid.shown[i]) }))));
  walkGrid(grid, remove);
}

function render({ model, el }) {
  const corpus = readCorpus((name) => model.get(name));
  const view = build(corpus, model.get("description"));
  const { get, set } = traits(model, STATE);
  listen(view, corpus, get, set);
  return show({ model, el }, view.root, STATE, () => drawAll(view, corpus, get()));
}

export default { render };
