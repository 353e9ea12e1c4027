// Attention step by step: the source above, the target below, lines for the weights between them, and the matrices.
//
// All state lives in traits: step, score, beside. The two rows of words lie on a sheet that may be wider than its box;
// where each word stands is reckoned from its letters. Numbers and words come from numbers.js; Python joins the files.
// Read from top to bottom: parts, drawing, answering.

import { entropy, heaviest, readSteps, scored, told, walked } from "./numbers.js";
import { layOut } from "../chips.js";
import { percent } from "../figures.js";
import { button, choice, element, frame, show, svgElement, traits } from "../elements.js";

const STATE = ["step", "score", "beside"];
const [CHIP, LINES] = [28, 96]; // heights: of a word, and of what lies between the two rows
const SOURCE = 20; // above it stand the percentages
const FAINT = 0.02; // lighter lines than this one are not seen
const ROOMY = 16; // columns of a matrix alone that may be wide
const FOOT = "Numbers in a matrix are weights in percent: a row for each word that is written, a column for each word that " +
  "is read. Entropy is 0 bits if all weight lies on one word. Left and right arrow keys, Home and End walk along the " +
  "steps, up and down to another score.";

// --- parts

function buildControls({ scores }) {
  const [back, on] = [button("‹ back", "the step before"), button("next ›", "the next step")];
  const score = choice("score", scores.map((name) => [name, name]));
  const beside = element("input", { type: "checkbox" });
  const all = element("label", { class: "ats-all" }, beside, "all beside each other");
  const root = element("div", { class: "ats-controls" }, back, on);
  if (scores.length > 1) root.append(score.root, all);
  return { back, on, score, beside, root };
}

const chip = (word, [left, width], top, attributes) => {
  const root = element("div", { class: "ats-chip", dir: "auto", title: word, ...attributes }, word);
  Object.assign(root.style, { left: `${left}px`, width: `${width}px`, top: `${top}px`, height: `${CHIP}px` });
  return root;
};

function buildSheet({ source, target }) {
  const { width, places } = layOut(source, target);
  const read = source.map((word, i) => chip(word, places[0][i], SOURCE, { class: "ats-chip ats-read" }));
  const shares = places[0].map(([left, wide]) => {
    const root = element("div", { class: "ats-share" });
    Object.assign(root.style, { left: `${left}px`, width: `${wide}px` });
    return root;
  });
  const low = SOURCE + CHIP + LINES;
  const written = target.map((word, j) =>
    chip(word, places[1][j], low, { role: "option", "aria-label": `${word}, step ${j + 1}` }));
  const svg = svgElement("svg", { viewBox: `0 0 ${width} ${LINES}`, width, height: LINES, "aria-hidden": "true" });
  svg.style.top = `${SOURCE + CHIP}px`;
  const name = "target words: left and right arrow keys walk along the steps, up and down to another score";
  const list = element("div", { role: "listbox", "aria-orientation": "horizontal", "aria-label": name }, ...written);
  const above = element("div", { "aria-hidden": "true" }, ...shares, ...read);
  const sheet = element("div", { class: "ats-sheet" }, above, svg, list);
  Object.assign(sheet.style, { width: `${width}px`, height: `${low + CHIP + 2}px` });
  return { root: element("div", { class: "ats-box" }, sheet), list, read, shares, written, svg, places };
}

function buildLegend({ aligned }) {
  const entry = (kind, text) => element("span", {}, element("span", { class: `ats-swatch ats-${kind}` }), text);
  const scale = element("span", {}, "0 %", element("span", { class: "ats-swatch ats-scale" }), "100 %");
  const root = element("div", { class: "ats-legend", "aria-hidden": "true" }, scale, entry("before", "steps before"));
  if (aligned.length) root.append(entry("true", "true source word"));
  return root;
}

function buildMatrix(all, k) {
  const { source, target, scores, matrices, aligned } = all;
  const heads = ["bits", ...source].map((word, i) => {
    const text = element("span", { dir: "auto", title: word }, word);
    return element("th", { scope: "col", class: i ? "" : "ats-bits" }, text);
  });
  const rows = target.map((word, j) => {
    const cells = matrices[k][j].map((weight, i) => {
      const kind = `ats-cell${weight < 0.005 ? " ats-none" : ""}${aligned[j] === i ? " ats-true" : ""}`;
      const cell = element("td", { class: kind }, String(Math.round(100 * weight)));
      cell.style.setProperty("--weight", weight);
      return cell;
    });
    const name = element("th", { scope: "row" }, element("span", { dir: "auto", title: word }, word));
    const bits = element("td", { class: "ats-bits" }, entropy(matrices[k][j]).toFixed(2));
    return element("tr", {}, name, bits, ...cells);
  });
  const head = element("thead", {}, element("tr", {}, element("td"), ...heads));
  const caption = element("caption", {}, scores[k], " ", element("span", {}, scored(matrices[k], aligned)));
  const table = element("table", {}, caption, head, element("tbody", {}, ...rows));
  const name = `weights, ${scores[k]}`;
  return { rows, root: element("div", { class: "ats-matrix", tabindex: 0, role: "group", "aria-label": name }, table) };
}

function build(all) {
  const controls = buildControls(all);
  const sheet = buildSheet(all);
  const status = element("p", { class: "unr-status", "aria-live": "polite" });
  const matrices = all.scores.map((_, k) => buildMatrix(all, k));
  const panels = element("div", { class: "ats-panels" }, ...matrices.map((matrix) => matrix.root));
  const root = frame("attention step by step", "ats");
  root.append(controls.root, sheet.root, status, buildLegend(all), panels, element("p", { class: "unr-foot" }, FOOT));
  return { root, controls, sheet, status, matrices };
}

// --- drawing

function line({ places: [above, below] }, i, j, kind, weight) {
  const [x, y] = [above[i], below[j]].map(([left, width]) => left + width / 2);
  const drawn = svgElement("line", { x1: x, y1: 0, x2: y, y2: LINES, class: kind });
  drawn.style.setProperty("--weight", weight);
  return drawn;
}

/** The lines of the steps so far: those before in grey, then a dashed one to the true word, and those of this step. */
function drawLines(sheet, { aligned }, matrix, step) {
  const of = (j, kind) => matrix[j].flatMap((weight, i) => (weight < FAINT ? [] : [line(sheet, i, j, kind, weight)]));
  const before = Array.from({ length: step }, (_, j) => of(j, "ats-before")).flat();
  const truth = aligned[step] >= 0 ? [line(sheet, aligned[step], step, "ats-truth", 1)] : [];
  sheet.svg.replaceChildren(...before, ...of(step, "ats-now"), ...truth);
}

function drawSheet(sheet, all, { step, score }) {
  const matrix = all.matrices[all.scores.indexOf(score)];
  sheet.read.forEach((word, i) => {
    word.style.setProperty("--weight", matrix[step][i]);
    word.classList.toggle("ats-true", all.aligned[step] === i);
    sheet.shares[i].textContent = percent(matrix[step][i]);
  });
  sheet.written.forEach((word, j) => {
    word.setAttribute("aria-selected", j === step);
    word.setAttribute("tabindex", j === step ? 0 : -1);
    word.classList.toggle("ats-later", j > step);
  });
  drawLines(sheet, all, matrix, step);
}

function drawControls({ back, on, score, beside }, { target }, state) {
  score.radios.forEach((radio) => (radio.checked = radio.value === state.score));
  beside.checked = state.beside;
  back.disabled = state.step === 0;
  on.disabled = state.step === target.length - 1;
}

function drawMatrices({ matrices }, { source, scores }, { step, score, beside }) {
  matrices.forEach(({ root, rows }, k) => {
    root.hidden = !beside && scores[k] !== score;
    root.classList.toggle("ats-chosen", beside && scores[k] === score);
    root.classList.toggle("ats-roomy", !beside && source.length <= ROOMY);
    rows.forEach((row, j) => row.classList.toggle("ats-now", j === step));
  });
}

function drawAll(view, all, state) {
  drawControls(view.controls, all, state);
  drawSheet(view.sheet, all, state);
  drawMatrices(view, all, state);
  const said = told(all, state);
  if (view.status.textContent !== said) view.status.textContent = said; // said again only when it changes
}

// --- answering to the reader

/** In a narrow box: the word that is written, and the one most looked at, are brought to the middle between them. */
function bringIntoSight({ root, places }, { scores, matrices }, { step, score }) {
  const most = heaviest(matrices[scores.indexOf(score)][step]);
  const [one, other] = [places[0][most], places[1][step]].map(([left, width]) => left + width / 2);
  root.scrollLeft = (one + other) / 2 - root.clientWidth / 2;
}

function listen({ controls, sheet, matrices }, all, get, set) {
  const hear = (node, kind, answer) => node.addEventListener(kind, answer);
  const go = (changes) => {
    set(changes);
    bringIntoSight(sheet, all, get());
  };
  const by = (steps) => go({ step: get().step + steps });
  hear(controls.back, "click", () => by(-1));
  hear(controls.on, "click", () => by(1));
  controls.score.radios.forEach((radio) => hear(radio, "change", () => set({ score: radio.value })));
  hear(controls.beside, "change", () => set({ beside: controls.beside.checked }));
  hear(sheet.list, "keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const next = walked(all, get(), event.key);
    if (!next) return;
    event.preventDefault();
    go(next);
    sheet.written[get().step].focus({ preventScroll: true });
  });
  sheet.written.forEach((word, step) => hear(word, "click", () => set({ step })));
  matrices.forEach(({ rows }, k) => rows.forEach((row, step) =>
    hear(row, "click", () => go({ step, score: all.scores[k] }))));
}

function render({ model, el }) {
  const all = readSteps((name) => model.get(name));
  const view = build(all);
  const { get, set } = traits(model, STATE);
  listen(view, all, get, set);
  const end = show({ model, el }, view.root, STATE, () => drawAll(view, all, get()));
  bringIntoSight(view.sheet, all, get());
  return end;
}

export default { render };
