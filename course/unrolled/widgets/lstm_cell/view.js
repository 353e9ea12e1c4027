// The LSTM cell: one step as a diagram that lights up in the order of computation, with sliders for what goes in.
//
// The numbers come from step.js, the drawing from drawing.js; Python joins the files. All state lives in traits,
// so a page without a kernel computes and draws the same. Read from top to bottom: parts, drawing, answering.

import {
  COMPUTED, GATES, NAMES, PARTS, QUANTITIES, computedBy, describe, figure, formula, inNumbers, lstmStep, readCell, tell,
  tint,
} from "./step.js";
import { buildDrawing, lowered } from "./drawing.js";
import { button, choice, element, frame, menu, show, slider, traits } from "../elements.js";

const STATE = ["x", "h", "c", "part", "preset", "unit", "entry"];
const TITLE = {
  gates: "f, i, g, o", k: "k = f ⊙ c_{t−1}", j: "j = i ⊙ g", c: "c = k + j", tanh: "tanh(c)", h: "h = o ⊙ tanh(c)",
};
const FOOT = "Each stack has a number for each unit, counted from 0. Blue is open or positive, orange closed or negative. " +
  "A choice under “gates” adds 10 to their biases or takes 10 away.";
// What the sliders move: the trait that says which number of it, and what it is called.
const MOVED = { x: ["entry", "input x_t"], h: ["unit", "state before h_{t−1}"], c: ["unit", "cell before c_{t−1}"] };

// --- parts

/** Text with what follows _ in <sub>. */
const written = (text) => lowered(text).map(([piece, low]) => (low ? element("sub", {}, piece) : piece));

function buildWalk() {
  const [back, on] = [button("‹ back", "the part before"), button("next ›", "the next part")];
  const part = choice("Part of the step", PARTS.map((name) => [name, element("span", {}, ...written(TITLE[name]))]));
  return { back, on, part, root: element("div", { class: "lcell-walk" }, back, on, part.root) };
}

function buildSlider(name) {
  const limit = name === "h" ? 1 : 5;
  const made = slider(name, { min: -limit, max: limit, step: 0.01 });
  made.root.firstChild.replaceChildren(...written(MOVED[name][1]));
  return made;
}

function buildControls({ H, D, presets }) {
  const numbered = (count, word) => Array.from({ length: count }, (_, n) => [String(n), `${word} ${n}`]);
  const unit = choice("Unit", numbered(H, "unit"));
  const entry = choice("Number of the input", numbered(D, "x"));
  const preset = menu("gates", Object.keys(presets).map((name) => [name, name]));
  const reset = button("reset", "back to the numbers as they were given");
  const sliders = Object.fromEntries(Object.keys(MOVED).map((name) => [name, buildSlider(name)]));
  const top = element("div", { class: "lcell-choices" }, preset.root, reset);
  if (H > 1) top.append(unit.root);
  if (D > 1) top.append(entry.root);
  const rows = element("div", { class: "unr-sliders lcell-sliders" }, ...Object.values(sliders).map((made) => made.root));
  return { unit, entry, preset, reset, sliders, top, rows };
}

function build(cell) {
  const walk = buildWalk();
  const drawing = buildDrawing(cell.H, cell.D);
  const name = "diagram of the cell: left and right arrow keys walk through the step";
  const box = element("div", { class: "lcell-box", tabindex: 0, role: "group", "aria-label": name }, drawing.svg);
  const status = element("p", { class: "unr-status", "aria-live": "polite" });
  const equations = element("div", { class: "lcell-equations" });
  const controls = buildControls(cell);
  const foot = element("p", { class: "unr-foot" }, FOOT);
  const root = frame("LSTM cell", "lcell");
  root.append(walk.root, box, status, controls.top, controls.rows, equations, foot);
  return { root, walk, drawing, box, status, equations, controls };
}

// --- drawing

/** A chip without a number is not computed yet. */
function drawStack({ chips }, name, numbers, chosen) {
  chips.forEach(({ rect, text, root }, n) => {
    const value = numbers?.[n];
    text.textContent = value === undefined ? "" : figure(value);
    const shade = value === undefined ? 0 : tint(name, value);
    rect.setAttribute("class", shade < 0 ? "lcell-closed" : "lcell-open");
    rect.setAttribute("fill-opacity", (0.45 * Math.abs(shade)).toFixed(3));
    root.classList.toggle("lcell-empty", value === undefined);
    root.classList.toggle("lcell-chosen", n === chosen && chips.length > 1);
  });
}

function drawDiagram({ svg, pieces, stacks }, state, found) {
  const done = computedBy(state.part);
  for (const name of Object.keys(stacks)) {
    const input = { before: state.c, state: state.h, x: state.x }[name];
    const numbers = input ?? (done.includes(name) ? found[name] : undefined);
    drawStack(stacks[name], name, numbers, name === "x" ? state.entry : state.unit);
    stacks[name].root.classList.toggle("lcell-now", COMPUTED[state.part].includes(name));
  }
  const now = PARTS.indexOf(state.part);
  for (const { part, root } of pieces) {
    root.classList.toggle("lcell-now", part === state.part);
    root.classList.toggle("lcell-later", PARTS.indexOf(part) > now);
  }
  svg.setAttribute("aria-label", describe(state.part, found, state));
}

/** The equations in letters and, as far as they are computed, in the numbers of the chosen unit. */
function drawEquations(root, state, found) {
  const done = computedBy(state.part);
  const lines = QUANTITIES.map((name) => element("div", { class: COMPUTED[state.part].includes(name) ? "lcell-now" : "" },
    element("span", { class: "lcell-name" }, NAMES[name]),
    element("span", { class: "lcell-formula" }, ...written(formula(name))),
    element("span", { class: "lcell-figures" }, done.includes(name) ? inNumbers(name, found, state, state.unit) : ""),
  ));
  const gates = lines.splice(0, GATES.length);
  root.replaceChildren(element("div", {}, ...gates), element("div", {}, ...lines));
}

function drawControls({ unit, entry, preset, sliders }, state) {
  unit.radios.forEach((radio) => (radio.checked = Number(radio.value) === state.unit));
  entry.radios.forEach((radio) => (radio.checked = Number(radio.value) === state.entry));
  preset.select.value = state.preset;
  for (const [name, { input, output }] of Object.entries(sliders)) {
    const [place, title] = MOVED[name];
    const which = `${place === "unit" ? "unit" : "number"} ${state[place]}`;
    const value = state[name][state[place]];
    input.value = value;
    input.setAttribute("aria-label", `${title.replace(/[_{}]/g, "")}, ${which}`);
    output.value = figure(value);
  }
}

function drawWalk({ back, on, part }, state) {
  part.radios.forEach((radio) => (radio.checked = radio.value === state.part));
  back.disabled = state.part === PARTS[0];
  on.disabled = state.part === PARTS.at(-1);
}

function drawAll(view, cell, state) {
  const found = lstmStep(cell, state);
  drawWalk(view.walk, state);
  drawDiagram(view.drawing, state, found);
  drawEquations(view.equations, state, found);
  drawControls(view.controls, state);
  view.status.textContent = tell(state.part, found, state.unit);
}

// --- answering to the reader

/** On a narrow screen the diagram is wider than its box: what is computed now is brought to its middle. */
function bringIntoSight({ box, drawing }) {
  const now = drawing.svg.querySelector("g.lcell-now").getBoundingClientRect();
  const { left, width } = box.getBoundingClientRect();
  if (box.scrollWidth > width) box.scrollLeft += now.left + now.width / 2 - left - width / 2;
}

function listen(view, given, get, set) {
  const { walk, controls, box } = view;
  const hear = (node, kind, answer) => node.addEventListener(kind, answer);
  const go = (part) => {
    if (!part) return;
    set({ part });
    bringIntoSight(view);
  };
  const by = (steps) => go(PARTS[PARTS.indexOf(get().part) + steps]);
  hear(walk.back, "click", () => by(-1));
  hear(walk.on, "click", () => by(1));
  walk.part.radios.forEach((radio) => hear(radio, "change", () => go(radio.value)));
  hear(box, "keydown", (event) => {
    const steps = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!steps || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    by(steps);
  });
  controls.unit.radios.forEach((radio) => hear(radio, "change", () => set({ unit: Number(radio.value) })));
  controls.entry.radios.forEach((radio) => hear(radio, "change", () => set({ entry: Number(radio.value) })));
  hear(controls.preset.select, "change", () => set({ preset: controls.preset.select.value }));
  hear(controls.reset, "click", () => set({ ...given, preset: "as computed" }));
  for (const [name, { input }] of Object.entries(controls.sliders)) {
    hear(input, "input", () => set({ [name]: get()[name].with(get()[MOVED[name][0]], Number(input.value)) }));
  }
}

function render({ model, el }) {
  const cell = readCell((name) => model.get(name));
  const view = build(cell);
  const { get, set } = traits(model, STATE);
  listen(view, model.get("given"), get, set);
  return show({ model, el }, view.root, STATE, () => drawAll(view, cell, get()));
}

export default { render };
