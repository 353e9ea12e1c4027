// The gradient laboratory: a state on its way forward, and its gradient on its way back.
//
// Two plots over the same steps, a strip for what the way back leaves for U, and a sentence. Lines are drawn in an SVG that
// stretches; all text and dots are HTML, placed in per cent, so nothing has to be measured. The numbers come from
// flow.js, the words from words.js; Python joins the files. Read from top to bottom: scales, parts, drawing,
// answering.

import { curves, reach, readNet } from "./flow.js";
import { LOST, NAMES, figure, origin, power, verdict } from "./words.js";
import { choice, element, frame, show, slider, traits } from "../elements.js";

const STATE = ["radius", "length", "loudness", "nonlinearity", "start", "clip", "step"];

// --- scales: from a number to a share of the height (or width), 0 at the bottom, 1 at the top

const decades = (low, high) => (number) => (Math.max(Math.log10(number), -400) - low) / (high - low);
const powers = (...exponents) => exponents.map((exponent) => [10 ** exponent, power(exponent)]);

const GRADIENT = { place: decades(-10, 10), marks: powers(-8, -6, -4, -2, 0, 2, 4, 6, 8) };
const UNBOUNDED = { place: decades(-5, 5), marks: powers(-4, -2, 0, 2, 4), kind: "log scale" };

/** tanh keeps each unit between -1 and 1, so the norm of the state below √H. */
function boundedBy(hidden) {
  const most = Math.sqrt(hidden);
  const apart = [0.5, 1, 2, 4].find((step) => most / step < 4);
  const marks = range(most / apart - 0.25).map((i) => [i * apart, String(i * apart)]); // with room below the highest
  return { place: (number) => number / (1.04 * most), marks: [...marks, [most, `√${hidden}`]], kind: "linear scale" };
}

const range = (n) => Array.from({ length: Math.ceil(n) }, (_, i) => i);
const within = (share) => Math.min(1, Math.max(0, share));
const percent = (share) => `${(100 * share).toFixed(3)}%`;

// --- parts

const SVG = "http://www.w3.org/2000/svg";

function line(kind) {
  const node = document.createElementNS(SVG, "polyline");
  node.setAttribute("class", `glab-line glab-${kind}`);
  return node;
}

/** A plot: a heading with the numbers at the step looked at, marks on the left, and lines in a box. */
function buildPlot(kind, title, keys, kinds) {
  const readout = element("span", { class: "glab-readout" });
  const lines = kinds.map(line);
  const svg = document.createElementNS(SVG, "svg");
  for (const [name, value] of Object.entries({ viewBox: "0 0 1 1", preserveAspectRatio: "none", role: "img" })) {
    svg.setAttribute(name, value);
  }
  svg.append(...lines);
  const marks = element("div", { class: "glab-marks", "aria-hidden": "true" });
  const cursor = element("div", { class: "glab-cursor" });
  const dot = element("div", { class: `glab-dot glab-${kind}` });
  const box = element("div", { class: `glab-box glab-box-${kind}` }, marks, svg, cursor, dot);
  const head = element("div", { class: "glab-head" }, element("strong", {}, title), ...keys, readout);
  return { box, svg, lines, marks, cursor, dot, readout, root: element("div", { class: "glab-plot" }, head, box) };
}

const sub = (name, index) => [name, element("sub", {}, String(index))];

const key = (kind, ...text) =>
  element("span", { class: "glab-key" }, element("span", { class: `glab-swatch glab-${kind}` }), element("span", {}, ...text));

function buildGradientPlot() {
  const rule = element("span");
  const keys = [
    key("gradient", "‖", ...sub("∂L/∂h", "t"), "‖"),
    key("reference", rule, element("span", { class: "glab-aside" }, ", the radius alone")),
  ];
  const plot = buildPlot("gradient", "← Gradient on its way back", keys, ["gradient", "reference"]);
  const exploded = element("div", { class: "glab-zone glab-exploded" }, `exploded: beyond ${power(LOST)}`);
  const vanished = element("div", { class: "glab-zone glab-vanished" }, `vanished: below ${power(-LOST)}`);
  const end = element("div", { class: "glab-end" });
  plot.box.prepend(exploded, vanished);
  plot.box.append(end);
  drawMarks(plot, GRADIENT);
  return { ...plot, rule, end };
}

/** The slider that looks at one step; it stands under the plots as their axis. */
function buildAxis() {
  const input = element("input", { type: "range", min: 0, step: 1, "aria-label": "step to look at" });
  const ticks = element("div", { class: "glab-ticks", "aria-hidden": "true" });
  const [look, name] = ["look at", "step t"].map((text) => element("span", { "aria-hidden": "true" }, text));
  return { input, ticks, root: element("div", { class: "glab-axis" }, look, input, name, ticks) };
}

function markAt([number, text]) {
  const mark = element("span", {}, text);
  mark.style.left = percent(GRADIENT.place(number));
  return mark;
}

/** The norm of ∂L/∂U on a logarithmic line, before and after clipping. */
function buildStrip() {
  const box = element("input", { type: "checkbox" });
  const limit = slider("limit", { min: -2, max: 2, step: 0.25 });
  const on = element("label", { class: "glab-check" }, box, "clip by norm");
  const before = element("span", { class: "glab-ring" });
  const after = element("span", { class: "glab-disc" });
  const bound = element("span", { class: "glab-bound" });
  const way = element("span", { class: "glab-way" });
  const marks = element("div", { class: "glab-scale-marks", "aria-hidden": "true" }, ...powers(-8, -4, 0, 4, 8).map(markAt));
  const scale = element("div", { class: "glab-scale", role: "img" }, way, bound, before, after, marks);
  const readout = element("span", { class: "glab-readout" });
  const from = element("span", { class: "glab-from" });
  const head = element("div", { class: "glab-head" }, element("strong", {}, "What is left for U"), from, readout);
  const controls = element("div", { class: "glab-clip" }, on, limit.root);
  const root = element("div", { class: "glab-strip" }, head, controls, scale);
  return { box, limit, before, after, bound, way, scale, readout, from, root, last: 1 };
}

function buildControls() {
  const f = choice("Non-linearity f", Object.entries(NAMES));
  const start = choice("Start of U", [["plain", "plain U"], ["orthogonal", "orthogonal U"]]);
  const radius = slider("spectral radius of U", { min: 0.2, max: 2, step: 0.01 });
  const length = slider("length T", { min: 10, max: 200, step: 1 });
  const loudness = slider("loudness of the input", { min: 0, max: 3, step: 0.05 });
  const rule = element("span", { class: "glab-rule" });
  const top = element("div", { class: "glab-choices" }, f.root, start.root, rule);
  const sliders = element("div", { class: "unr-sliders glab-sliders" }, radius.root, length.root, loudness.root);
  return { f, start, radius, length, loudness, rule, top, sliders };
}

function build(description) {
  const controls = buildControls();
  const state = buildPlot("state", "State on its way forward →", [key("state", "‖", ...sub("h", "t"), "‖")], ["state"]);
  const gradient = buildGradientPlot();
  const axis = buildAxis();
  const strip = buildStrip();
  const status = element("p", { class: "unr-status", "aria-live": "polite" });
  const loss = ["The loss reads one score from the last state, ", ...sub("L = v·h", "T"), " with ‖v‖ = 1. "];
  const lost = ` Added to 1, a 32-bit number loses what is below ${power(-LOST)}.`;
  const foot = element("p", { class: "unr-foot" }, ...loss, description, lost);
  const root = frame("gradient laboratory", "glab");
  root.append(controls.top, controls.sliders, status, state.root, gradient.root, axis.root, strip.root, foot);
  return { root, controls, state, gradient, axis, strip, status };
}

// --- drawing

function drawLine(node, numbers, place) {
  const last = numbers.length - 1;
  const points = numbers.map((number, t) => `${(t / last).toFixed(5)},${(1 - place(number)).toFixed(5)}`);
  node.setAttribute("points", points.join(" "));
}

function drawMarks({ marks }, { place, marks: wanted }) {
  marks.replaceChildren(...wanted.map(([number, text]) => {
    const mark = element("div", {}, element("span", {}, text));
    mark.style.top = percent(1 - place(number));
    return mark;
  }));
}

/** The dot of the step looked at; beyond the box it becomes an arrow at the edge. */
function drawCursor({ cursor, dot }, at, share) {
  cursor.style.left = dot.style.left = percent(at);
  dot.style.top = percent(1 - within(share));
  dot.classList.toggle("glab-above", share > 1);
  dot.classList.toggle("glab-below", share < 0);
}

function drawState(plot, hidden, { nonlinearity, length }, { state, slope }, t) {
  const scale = nonlinearity === "tanh" ? boundedBy(hidden) : UNBOUNDED;
  drawMarks(plot, scale);
  drawLine(plot.lines[0], state, scale.place);
  drawCursor(plot, t / length, scale.place(state[t]));
  const slopes = t && nonlinearity !== "linear" ? `, mean slope ${slope[t - 1].toFixed(2)}` : "";
  plot.readout.replaceChildren("‖", ...sub("h", t), `‖ = ${figure(state[t])}${slopes}`);
  plot.svg.setAttribute("aria-label", `Norm of the state, ${scale.kind}: ${figure(state[0])} at step 0, ` +
    `${figure(state[length])} at step ${length}`);
}

function drawGradient(plot, { radius, length }, { gradient, reference }, t) {
  drawLine(plot.lines[0], gradient, GRADIENT.place);
  drawLine(plot.lines[1], reference, GRADIENT.place);
  drawCursor(plot, t / length, GRADIENT.place(gradient[t]));
  plot.rule.replaceChildren(radius.toFixed(2), element("sup", {}, "T−t"));
  plot.readout.replaceChildren("‖", ...sub("∂L/∂h", t), `‖ = ${figure(gradient[t])}`);
  drawEnd(plot.end, gradient);
  plot.svg.setAttribute("aria-label", `Norm of the gradient, log scale: 1 at step ${length}, ` +
    `${figure(gradient[0])} at step 0; the radius alone would give ${figure(reference[0])}`);
}

/** The number at step 0, where the line leaves room: below its beginning, or above it. */
function drawEnd(end, gradient) {
  const beginning = gradient.slice(0, Math.ceil(gradient.length / 4)).map((number) => within(GRADIENT.place(number)));
  const [low, high] = [Math.min(...beginning), Math.max(...beginning)];
  const below = beginning[0] - low < high - beginning[0] ? low > 0.12 : high > 0.88;
  end.textContent = `${figure(gradient[0])} at step 0`;
  end.style.top = percent(1 - (below ? low : high));
  end.classList.toggle("glab-under", below);
}

function drawAxis({ input, ticks }, { length }, { state, gradient }, t) {
  input.max = length;
  input.value = t;
  input.setAttribute("aria-valuetext", `step ${t}: state ${figure(state[t])}, gradient ${figure(gradient[t])}`);
  const apart = [2, 5, 10, 20, 50].find((step) => length / step <= 10);
  ticks.replaceChildren(...range((length + 1) / apart).map((i) => {
    const tick = element("span", {}, String(i * apart));
    tick.style.left = percent((i * apart) / length);
    return tick;
  }));
}

function drawStrip(strip, settings, found) {
  const { clip } = settings;
  const { dU, clipped } = found;
  strip.box.checked = clip !== null;
  strip.last = clip ?? strip.last;
  strip.limit.input.disabled = clip === null;
  strip.limit.input.value = Math.log10(strip.last);
  strip.limit.output.value = figure(strip.last);
  const place = (number) => within(GRADIENT.place(number));
  strip.before.style.left = percent(place(dU));
  strip.after.style.left = percent(place(clipped));
  strip.bound.style.left = percent(place(strip.last));
  strip.way.style.left = percent(place(clipped));
  strip.way.style.width = percent(place(dU) - place(clipped));
  strip.scale.classList.toggle("glab-clipped", clipped < dU);
  strip.bound.hidden = clip === null;
  const after = clip === null ? "" : `, ${figure(clipped)} after clipping`;
  strip.readout.textContent = `‖∂L/∂U‖ = ${figure(dU)}${after}`;
  strip.scale.setAttribute("aria-label", `Norm of the gradient of U, log scale: ${figure(dU)}${after}`);
  strip.from.textContent = origin(settings.length, reach(found.share));
}

function drawControls({ f, start, radius, length, loudness, rule }, settings) {
  f.radios.forEach((radio) => (radio.checked = radio.value === settings.nonlinearity));
  start.radios.forEach((radio) => (radio.checked = radio.value === settings.start));
  const draw = ({ input, output }, value, digits) => {
    input.value = value;
    output.value = value.toFixed(digits);
  };
  draw(radius, settings.radius, 2);
  draw(length, settings.length, 0);
  draw(loudness, settings.loudness, 2);
  const inside = [...sub("U h", "t−1"), ...sub(" + x", "t")];
  const outside = settings.nonlinearity === "linear" ? inside : [`${NAMES[settings.nonlinearity]}(`, ...inside, ")"];
  rule.replaceChildren(...sub("h", "t"), " = ", ...outside);
}

/** Looking at another step changes no curve, so the curves of the last settings are kept. */
function keepCurves(net) {
  let key, found;
  return (settings) => {
    const { step, ...rest } = settings;
    const wanted = JSON.stringify(rest);
    if (wanted !== key) [key, found] = [wanted, curves(net, rest)];
    return found;
  };
}

function drawAll(view, net, settings, found) {
  const t = Math.min(settings.step, settings.length);
  drawControls(view.controls, settings);
  drawState(view.state, net.hidden, settings, found, t);
  drawGradient(view.gradient, settings, found, t);
  drawAxis(view.axis, settings, found, t);
  drawStrip(view.strip, settings, found);
  const said = verdict(settings, found);
  if (view.status.textContent !== said) view.status.textContent = said; // said again only when it changes
}

// --- answering to the reader

/** The pointer over a plot looks at the step below it. */
function lookAt(box, get, set) {
  box.addEventListener("pointermove", (event) => {
    const { left, width } = box.getBoundingClientRect();
    const { length, step } = get();
    const t = Math.round(within((event.clientX - left) / width) * length);
    if (t !== step) set({ step: t });
  });
}

function listen({ controls, state, gradient, axis, strip }, get, set) {
  const hear = (node, kind, answer) => node.addEventListener(kind, answer);
  controls.f.radios.forEach((radio) => hear(radio, "change", () => set({ nonlinearity: radio.value })));
  controls.start.radios.forEach((radio) => hear(radio, "change", () => set({ start: radio.value })));
  for (const name of ["radius", "length", "loudness"]) {
    const { input } = controls[name];
    hear(input, "input", () => set({ [name]: Number(input.value) }));
  }
  hear(axis.input, "input", () => set({ step: Number(axis.input.value) }));
  hear(strip.box, "change", () => set({ clip: strip.box.checked ? strip.last : null }));
  hear(strip.limit.input, "input", () => set({ clip: Number((10 ** strip.limit.input.value).toPrecision(2)) }));
  lookAt(state.box, get, set);
  lookAt(gradient.box, get, set);
}

function render({ model, el }) {
  const net = readNet((name) => model.get(name));
  const view = build(model.get("description"));
  const { get, set } = traits(model, STATE);
  const find = keepCurves(net);
  listen(view, get, set);
  return show({ model, el }, view.root, STATE, () => drawAll(view, net, get(), find(get())));
}

export default { render };
