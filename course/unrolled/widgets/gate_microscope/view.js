// The gate microscope: a text along the top, below it a row for each unit, and the loss at each character.
//
// The text lies on a sheet wider than its box: every character is CELL pixels wide, a row ROW pixels high, so a place on
// the sheet is a multiplication and nothing has to be measured. Rows are SVG paths, one for each shade; their colours come
// from the style sheet. Numbers and words come from numbers.js; Python joins the files. Read from top to bottom:
// parts, drawing, answering.

import {
  AS_TRAINED, LETTERS, LEVELS, barsOf, changeOf, correlationOf, cost, figure, found, inOrder, look, lossesOf, pageOf,
  pathsOf, readTrace, seen, shades, signed, truthOf, valuesOf,
} from "./numbers.js";
import { button, choice, element, frame, menu, show, svgElement, traits } from "../elements.js";

const STATE = ["array", "order", "page", "variant", "character", "unit"];
const CELL = 12;
const ROW = 22;
const NAME = 112; // the names on the left
const FOOT = "Units and characters are counted from 0. A value is the one after its character was read. A cell’s shade is " +
  "its share of the largest in the row. In the box, arrow keys walk along characters and rows, Page Up and Page Down turn " +
  "the page.";

// --- parts

/** A drawing over all characters, `height` units high, stretched over its band. */
const sheetDrawing = (length, top, height) =>
  svgElement("svg", { viewBox: `0 ${top} ${length} ${height}`, preserveAspectRatio: "none", "aria-hidden": "true" });

/** A strip of the sheet: its name on the left stays in sight while the rest is scrolled. */
function band(kind, ...body) {
  const head = element("div", { class: "gmic-head" });
  const content = element("div", { class: "gmic-body" }, ...body);
  return { head, content, root: element("div", { class: `gmic-band gmic-${kind}` }, head, content) };
}

function buildText(text) {
  const characters = text.map((character) => element("span", {}, seen(character)));
  const ticks = text.flatMap((_, t) => (t % 10 ? [] : [element("span", {}, String(t))]));
  ticks.forEach((tick, i) => (tick.style.left = `${10 * i * CELL}px`));
  return { characters, ruler: band("ruler", ...ticks), line: band("text", ...characters) };
}

function buildUnits(trace) {
  const rows = Math.min(trace.rows, trace.units.length); // also on a last page that has fewer
  const svg = sheetDrawing(trace.text.length, 0, rows);
  const cursor = element("div", { class: "gmic-cursor" });
  const made = band("units", svg, cursor);
  made.root.style.height = `${rows * ROW}px`;
  return { svg, cursor, ...made };
}

function buildLosses(trace) {
  const paths = ["plain", "worse", "better"].map((kind) => svgElement("path", { class: `gmic-${kind}` }));
  const svg = sheetDrawing(trace.text.length, -1, 1);
  svg.append(...paths);
  return { svg, paths, ...band("losses", svg) };
}

function buildBox(trace) {
  const { characters, ruler, line } = buildText(trace.text);
  const truth = { path: svgElement("path", { class: "gmic-plain" }) };
  const drawing = sheetDrawing(trace.text.length, -1, 1);
  drawing.append(truth.path);
  Object.assign(truth, band("truth", drawing));
  const units = buildUnits(trace);
  const losses = buildLosses(trace);
  const sheet = element("div", { class: "gmic-sheet" }, ruler.root, line.root);
  if (trace.labels.length) sheet.append(truth.root);
  sheet.append(units.root);
  if (trace.losses.length) sheet.append(losses.root);
  const sizes = { width: trace.text.length * CELL, cell: CELL, row: ROW, name: NAME };
  for (const [size, pixels] of Object.entries(sizes)) sheet.style.setProperty(`--${size}`, `${pixels}px`);
  line.head.textContent = "text";
  const name = "units under the text: arrow keys walk along characters and rows";
  const root = element("div", { class: "gmic-box", tabindex: 0, role: "application", "aria-label": name }, sheet);
  return { root, sheet, characters, truth, units, losses };
}

function buildControls(trace) {
  const arrays = trace.arrays.map((letter) => [letter, `${LETTERS[letter]} `, element("i", {}, letter)]);
  const array = choice("What is shown", arrays);
  const labels = trace.labels.map((label) => [label, `how well they follow “${label}”`]);
  const order = menu("sorted by", [["", "unit number"], ...labels]);
  const [back, on] = [button("‹", "the units before"), button("›", "the next units")];
  const range = element("span", { class: "gmic-range" });
  const pager = element("div", { class: "gmic-pager" }, back, range, on);
  const [low, high] = [element("span"), element("span")];
  const legend = element("div", { class: "gmic-legend" }, low, element("span", { class: "gmic-scale" }), high);
  const row = element("div", { class: "gmic-controls" }, order.root, pager, legend);
  return { array, order, back, on, range, low, high, row };
}

/** What a variant writes, beside what the net wrote as trained. */
function buildSample(name) {
  const title = element("strong");
  const text = element("div", { class: "gmic-sample", tabindex: 0, role: "group", "aria-label": name });
  return { title, text, root: element("div", {}, title, text) };
}

function buildVariants(trace) {
  const variant = menu("the net", trace.variants.map((name) => [name, name]));
  const samples = [buildSample("sample of the net as trained"), buildSample("sample of the variant")];
  const texts = element("div", { class: "gmic-samples" }, ...samples.map((sample) => sample.root));
  return { variant, samples, texts };
}

function build(trace) {
  const controls = buildControls(trace);
  const box = buildBox(trace);
  const variants = buildVariants(trace);
  const readout = element("p", { class: "gmic-readout", "aria-live": "polite" });
  const status = element("p", { class: "unr-status", "aria-live": "polite" });
  const foot = element("p", { class: "unr-foot" }, FOOT);
  const root = frame("gate microscope", "gmic");
  root.append(controls.array.root, controls.row, box.root, readout);
  if (trace.variants.length > 1) root.append(variants.variant.root);
  root.append(status);
  if (trace.samples.some(Boolean)) root.append(variants.texts);
  root.append(foot);
  return { root, controls, box, variants, readout, status };
}

// --- drawing

function drawUnits(view, trace, state) {
  const { array, order } = state;
  const shown = pageOf(trace, state);
  const { svg, head } = view.box.units;
  const paths = pathsOf(shown.map((unit) => shades(array, valuesOf(trace, array, unit))));
  svg.replaceChildren(...[...paths].map(([shade, d]) => svgElement("path", {
    d, class: shade < 0 ? "gmic-closed" : "gmic-open", "fill-opacity": Math.abs(shade) / LEVELS,
  })));
  head.replaceChildren(...shown.map((unit) => {
    const strength = order ? signed(correlationOf(trace, order, array, unit)) : "";
    return element("div", {}, element("b", {}, `unit ${unit}`), element("span", {}, strength));
  }));
}

function drawTruth({ truth }, trace, order) {
  const values = order ? truthOf(trace, order) : [];
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)];
  truth.path.setAttribute("d", barsOf(values.map((value) => (value - low) / (high - low || 1))));
  truth.head.textContent = truth.head.title = order || "no label";
}

/** The losses as bars; of a variant, their change, up where it is worse. */
function drawLosses({ losses: { svg, paths, head } }, trace, variant) {
  const plain = variant === AS_TRAINED;
  const heights = plain ? lossesOf(trace, variant) : changeOf(trace, variant);
  const most = Math.max(0.1, ...heights.filter((height) => !Number.isNaN(height)).map(Math.abs));
  const shares = heights.map((height) => height / most);
  const sides = plain ? [shares, [], []] : [[], shares.map((s) => Math.max(s, 0)), shares.map((s) => Math.min(s, 0))];
  paths.forEach((path, i) => path.setAttribute("d", barsOf(sides[i])));
  svg.setAttribute("viewBox", `0 -1 ${heights.length} ${plain ? 1 : 2}`);
  const marks = plain ? [figure(most), "0"] : [`+${figure(most)}`, "0", `−${figure(most)}`];
  const name = element("b", {}, ...(plain ? ["loss"] : ["change", element("br"), "of loss"]), element("br"), "in nats");
  head.replaceChildren(name, element("span", {}, ...marks.map((mark) => element("span", {}, mark))));
  head.classList.toggle("gmic-change", !plain);
}

function drawControls({ array, order, back, on, range, low, high }, trace, state) {
  array.radios.forEach((radio) => (radio.checked = radio.value === state.array));
  order.select.value = state.order;
  const [first, all] = [state.page * trace.rows, trace.units.length];
  range.textContent = `rows ${first + 1}–${Math.min(first + trace.rows, all)} of ${all}`;
  back.disabled = state.page === 0;
  on.disabled = first + trace.rows >= all;
  const ends = { g: ["−1", "1"], h: ["−1", "1"], c: ["negative", "positive"] }[state.array] ?? ["0 closed", "open 1"];
  [low.textContent, high.textContent] = ends;
}

function drawSamples({ variant, samples }, trace, state) {
  variant.select.value = state.variant;
  [AS_TRAINED, state.variant].forEach((name, i) => {
    samples[i].title.textContent = `${name === AS_TRAINED ? "As trained" : `With “${name}”`} it writes`;
    samples[i].text.textContent = trace.samples[trace.variants.indexOf(name)] || "(no sample)";
  });
  samples[1].root.classList.toggle("gmic-absent", state.variant === AS_TRAINED);
}

function drawCursor({ box, readout }, trace, state) {
  const { character, unit } = state;
  box.here?.classList.remove("gmic-here");
  box.here = box.characters[character];
  box.here.classList.add("gmic-here");
  const row = pageOf(trace, state).indexOf(unit);
  box.sheet.style.setProperty("--at", `${character * CELL}px`);
  box.units.cursor.style.top = `${row * ROW}px`;
  box.units.cursor.hidden = row < 0;
  readout.textContent = look(trace, state);
}

/** Draws what has changed since the last time: looking around repaints no rows. */
function drawing(view, trace) {
  const known = new Map();
  const changed = (part, ...wanted) => {
    const key = JSON.stringify(wanted);
    return known.get(part) !== key && known.set(part, key);
  };
  return (state) => {
    const { array, order, page, variant } = state;
    if (changed("units", array, order, page)) drawUnits(view, trace, state);
    if (changed("truth", order)) drawTruth(view.box, trace, order);
    if (trace.losses.length && changed("losses", variant)) drawLosses(view.box, trace, variant);
    drawControls(view.controls, trace, state);
    if (changed("samples", variant)) drawSamples(view.variants, trace, state);
    drawCursor(view, trace, state);
    const said = [found(trace, state), cost(trace, state)].filter(Boolean).join(" ");
    if (view.status.textContent !== said) view.status.textContent = said; // said again only when it changes
  };
}

// --- answering to the reader

/** Another page, order or array: the first unit on it is looked at. */
function turn(trace, state, changes) {
  const next = { ...state, ...changes };
  return { ...changes, unit: pageOf(trace, next)[0] };
}

/** One row up or down, over the end of a page to the next one. */
function climb(trace, state, by) {
  const all = inOrder(trace, state.array, state.order);
  const at = Math.min(all.length - 1, Math.max(0, all.indexOf(state.unit) + by));
  return { unit: all[at], page: Math.floor(at / trace.rows) };
}

function walkTo(trace, state, key) {
  const last = trace.text.length - 1;
  const along = (character) => ({ character: Math.min(last, Math.max(0, character)) });
  const pages = Math.ceil(trace.units.length / trace.rows);
  const leaf = (page) => (page >= 0 && page < pages ? turn(trace, state, { page }) : {});
  const steps = {
    ArrowLeft: () => along(state.character - 1),
    ArrowRight: () => along(state.character + 1),
    Home: () => along(0),
    End: () => along(last),
    ArrowUp: () => climb(trace, state, -1),
    ArrowDown: () => climb(trace, state, 1),
    PageUp: () => leaf(state.page - 1),
    PageDown: () => leaf(state.page + 1),
  };
  return steps[key]?.();
}

/** Scrolls the box so that the character looked at is in sight, with a few beside it. */
function bringIntoSight({ root }, character) {
  const room = root.clientWidth - NAME;
  if (room <= 0) return; // not on the screen yet
  const [left, right] = [(character - 3) * CELL, (character + 4) * CELL];
  if (left < root.scrollLeft) root.scrollLeft = left;
  else if (right > root.scrollLeft + room) root.scrollLeft = right - room;
}

function listenToBox(box, trace, get, set) {
  box.root.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const changes = walkTo(trace, get(), event.key);
    if (!changes) return;
    event.preventDefault();
    set(changes);
    bringIntoSight(box, get().character);
  });
  const lookAt = (event) => {
    const { left, top } = box.units.content.getBoundingClientRect();
    const character = Math.floor((event.clientX - left) / CELL);
    const row = Math.floor((event.clientY - top) / ROW);
    const state = get();
    const unit = pageOf(trace, state)[row] ?? state.unit;
    const outside = character < 0 || character >= trace.text.length || event.target.closest(".gmic-head");
    if (outside || (character === state.character && unit === state.unit)) return;
    set({ character, unit });
  };
  for (const kind of ["pointermove", "pointerdown"]) box.root.addEventListener(kind, lookAt);
}

function listen({ controls, box, variants }, trace, get, set) {
  const hear = (node, kind, answer) => node.addEventListener(kind, answer);
  const go = (changes) => set(turn(trace, get(), changes));
  controls.array.radios.forEach((radio) => hear(radio, "change", () => go({ array: radio.value, page: 0 })));
  hear(controls.order.select, "change", () => go({ order: controls.order.select.value, page: 0 }));
  hear(controls.back, "click", () => go({ page: get().page - 1 }));
  hear(controls.on, "click", () => go({ page: get().page + 1 }));
  hear(variants.variant.select, "change", () => set({ variant: variants.variant.select.value }));
  listenToBox(box, trace, get, set);
}

function render({ model, el }) {
  const trace = readTrace((name) => model.get(name));
  const view = build(trace);
  const { get, set } = traits(model, STATE);
  listen(view, trace, get, set);
  const draw = drawing(view, trace);
  const remove = show({ model, el }, view.root, STATE, () => draw(get()));
  bringIntoSight(view.box, get().character);
  return remove;
}

export default { render };
