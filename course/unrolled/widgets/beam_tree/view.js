// The beam tree: a column a step, in it a chip for each candidate, and below it the ranking of what was left.
//
// All state lives in traits: step and candidate (what is looked at) and alpha (of the ranking). Places, numbers and words
// come from tree.js; Python joins the files. Read from top to bottom: parts, drawing, answering.

import {
  CHIP, TALL, beginsWith, corner, curve, inside, nats, pathTo, ranking, readTree, rootWidth, sizeOf, told, walked,
} from "./tree.js";
import { button, element, frame, show, slider, svgElement, traits } from "../elements.js";

const STATE = ["step", "candidate", "alpha"];
const END = "■";
const FOOT = "A chip shows a candidate’s last word and the log probability of the whole hypothesis, in nats. In the tree, " +
  "left and right arrow keys walk along a hypothesis, up and down to other candidates of the step, Home and End to the " +
  "first and the last step. # is the rank in the end; the end mark counts as a word.";

// --- parts

function buildWalk() {
  const [first, back] = [button("« first", "the first step"), button("‹ back", "the step before")];
  const [on, last] = [button("next ›", "the next step"), button("last »", "the last step")];
  return { Home: first, ArrowLeft: back, ArrowRight: on, End: last };
}

const place = (node, [left, top], width, height) => {
  Object.assign(node.style, { left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px` });
  return node;
};

function buildChip(tree, t, n) {
  const { word, log_prob, kept, ended } = tree.steps[t][n];
  const rank = element("span", { class: "btr-rank" });
  const name = element("span", { class: "btr-word", dir: "auto" }, word || "stays");
  const mark = ended ? [element("span", { class: "btr-end" }, END)] : [];
  const top = element("span", { class: "btr-top" }, name, ...mark);
  const low = element("span", { class: "btr-low" }, element("span", {}, nats(log_prob)), rank);
  const kind = `btr-chip btr-${kept ? "kept" : "pruned"}${ended ? " btr-ended" : ""}${word ? "" : " btr-stays"}`;
  const root = element("div", { class: kind, title: word }, top, low);
  return { root: place(root, corner(t, n), CHIP, TALL), rank };
}

function buildColumn(tree, t) {
  const chips = tree.steps[t].map((_, n) => buildChip(tree, t, n));
  const edges = tree.steps[t].map(({ kept }, n) =>
    svgElement("path", { d: curve(tree, t, n), class: kept ? "btr-kept" : "btr-pruned" }));
  const count = tree.steps[t].filter(({ kept }) => kept).length;
  const share = element("small", {}, `${count} of ${chips.length + tree.more[t]} kept`);
  const head = place(element("div", { class: "btr-head" }, `step ${t + 1}`, share), [corner(t, 0)[0], 0], CHIP, 36);
  const more = element("div", { class: "btr-more" }, tree.more[t] ? `+ ${tree.more[t]} pruned` : "");
  place(more, corner(t, chips.length), CHIP, 20);
  return { head, chips, edges, more };
}

function buildBox(tree) {
  const columns = tree.steps.map((_, t) => buildColumn(tree, t));
  const [width, height] = sizeOf(tree);
  const svg = svgElement("svg", { viewBox: `0 0 ${width} ${height}`, width, height }, ...columns.flatMap(({ edges }) => edges));
  const root = place(element("div", { class: "btr-root" }, "start"), corner(-1, 0), rootWidth, TALL);
  const parts = columns.flatMap(({ head, chips, more }) => [head, ...chips.map((chip) => chip.root), more]);
  const sheet = element("div", { class: "btr-sheet", "aria-hidden": "true" }, svg, root, ...parts);
  Object.assign(sheet.style, { width: `${width}px`, height: `${height}px` });
  const name = "beam tree: arrow keys walk along hypotheses and candidates, Home and End to the first and the last step";
  const box = element("div", { class: "btr-box", tabindex: 0, role: "application", "aria-label": name }, sheet);
  return { box, columns };
}

function buildLegend() {
  const entry = (kind, text) => element("span", {}, element("span", { class: `btr-swatch btr-${kind}` }), text);
  const end = element("span", {}, element("span", { class: "btr-end" }, END), "ended");
  const parts = [entry("kept", "kept"), entry("pruned", "pruned"), end, entry("path", "looked at")];
  return element("div", { class: "btr-legend", "aria-hidden": "true" }, ...parts);
}

function buildRanking(tree) {
  const titles = ["rank", "nats", "words", "score", "hypothesis"];
  const head = titles.map((title) => element("th", { scope: "col" }, title));
  const rows = tree.finals.map(() => {
    const cells = titles.map((_, i) => (i ? element("td") : element("th", { scope: "row" })));
    return { cells, root: element("tr", {}, ...cells) };
  });
  const alpha = slider("length normalisation α", { min: 0, max: 2, step: 0.05 });
  const caption = element("caption", {}, "Left in the end, by score = log probability / words", element("sup", {}, "α"));
  const body = element("tbody", {}, ...rows.map((row) => row.root));
  const table = element("table", {}, caption, element("thead", {}, element("tr", {}, ...head)), body);
  return { alpha, rows, root: element("div", { class: "btr-ranks" }, table) };
}

function build(tree) {
  const walk = buildWalk();
  const { box, columns } = buildBox(tree);
  const status = element("p", { class: "unr-status", "aria-live": "polite" });
  const ranks = buildRanking(tree);
  const top = element("div", { class: "btr-controls" }, ...Object.values(walk), buildLegend());
  const root = frame("beam tree", "btr");
  root.append(top, box, status, ranks.alpha.root, ranks.root, element("p", { class: "unr-foot" }, FOOT));
  return { root, walk, box, columns, status, ranks };
}

// --- drawing

function drawColumns({ columns }, tree, { step, candidate }) {
  const path = pathTo(tree, step, candidate);
  columns.forEach(({ head, chips, edges, more }, t) => {
    for (const node of [head, more, ...edges, ...chips.map((chip) => chip.root)]) {
      node.classList.toggle("btr-later", t > step);
    }
    head.classList.toggle("btr-now", t === step);
    chips.forEach(({ root }, n) => {
      root.classList.toggle("btr-path", path[t] === n);
      root.classList.toggle("btr-here", t === step && n === candidate);
      edges[n].classList.toggle("btr-path", path[t] === n);
    });
  });
}

function drawRanking({ ranks, columns }, tree, state) {
  const found = ranking(tree, state.alpha);
  ranks.rows.forEach(({ cells, root }, n) => {
    const { words, log_prob, score, ended, step, candidate } = found[n];
    const whole = `${words.join(" ")} ${ended ? END : "… (not ended)"}`;
    const texts = [n + 1, nats(log_prob), words.length, nats(score, 3), whole];
    cells.forEach((cell, i) => (cell.textContent = texts[i]));
    root.classList.toggle("btr-path", beginsWith(tree, found[n], state));
    columns[step].chips[candidate].rank.textContent = `#${n + 1}`;
  });
  ranks.alpha.input.value = state.alpha;
  ranks.alpha.output.value = state.alpha.toFixed(2);
}

function drawAll(view, tree, state) {
  drawColumns(view, tree, state);
  drawRanking(view, tree, state);
  const { Home, ArrowLeft, ArrowRight, End } = view.walk;
  Home.disabled = ArrowLeft.disabled = state.step === 0;
  End.disabled = ArrowRight.disabled = state.step === tree.steps.length - 1;
  const said = told(tree, state);
  if (view.status.textContent !== said) view.status.textContent = said; // said again only when it changes
}

// --- answering to the reader

/** In a narrow box: the candidate looked at is brought to the middle. */
function bringIntoSight({ box }, { step, candidate }) {
  box.scrollLeft = corner(step, candidate)[0] + CHIP / 2 - box.clientWidth / 2;
}

function listen(view, tree, get, set) {
  const hear = (node, kind, answer) => node.addEventListener(kind, answer);
  const go = (next) => {
    set(next);
    bringIntoSight(view, get());
  };
  for (const [key, node] of Object.entries(view.walk)) hear(node, "click", () => go(walked(tree, get(), key)));
  hear(view.box, "keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const next = walked(tree, get(), event.key);
    if (!next) return;
    event.preventDefault();
    go(next);
  });
  view.columns.forEach(({ chips }, step) => chips.forEach(({ root }, candidate) =>
    hear(root, "click", () => set({ step, candidate }))));
  hear(view.ranks.alpha.input, "input", () => set({ alpha: Number(view.ranks.alpha.input.value) }));
}

function render({ model, el }) {
  const tree = readTree((name) => model.get(name));
  const view = build(tree);
  const { get: read, set } = traits(model, STATE);
  const get = () => inside(tree, read());
  listen(view, tree, get, set);
  const end = show({ model, el }, view.root, STATE, () => drawAll(view, tree, get()));
  bringIntoSight(view, get());
  return end;
}

export default { render };
