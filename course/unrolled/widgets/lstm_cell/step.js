// One step of an LSTM cell in numbers and words.
//
// Python sends the weights as bytes; tests in Node and in a browser hold what is here to `lstm_step` in widget.py.

export const GATES = ["f", "i", "g", "o"];
export const PARTS = ["gates", "k", "j", "c", "tanh", "h"]; // the order of computation
export const QUANTITIES = [...GATES, "k", "j", "c", "tanh", "h"];
export const COMPUTED = { gates: GATES, k: ["k"], j: ["j"], c: ["c"], tanh: ["tanh"], h: ["h"] };

/** The weights that Python sent, rows as arrays; `get` reads one trait. */
export function readCell(get) {
  const [H, D] = [get("hidden"), get("width")];
  const view = ArrayBuffer.isView(get("weights")) ? get("weights") : new Uint8Array(get("weights"));
  const numbers = new Float64Array(view.buffer.slice(view.byteOffset, view.byteOffset + view.byteLength));
  let at = 0;
  const take = (count) => Array.from(numbers.subarray(at, (at += count)));
  const rows = (width) => Array.from({ length: H }, () => take(width));
  const weights = Object.fromEntries(GATES.map((gate) => [gate, { U: rows(H), W: rows(D), b: take(H) }]));
  return { H, D, weights, presets: get("presets") };
}

const times = (matrix, vector) => matrix.map((row) => row.reduce((sum, weight, n) => sum + weight * vector[n], 0));
const sigmoid = (a) => 1 / (1 + Math.exp(-a));
const both = (one, other, join) => one.map((value, n) => join(value, other[n]));
const product = (one, other) => both(one, other, (a, b) => a * b);

/** All that one step computes, a list with a number for each unit; `terms` are what each gate adds up. */
export function lstmStep(cell, { x, h, c, preset }) {
  const terms = Object.fromEntries(GATES.map((gate) => {
    const { U, W, b } = cell.weights[gate];
    const added = cell.presets[preset][gate] ?? 0;
    return [gate, [times(U, h), times(W, x), b.map((bias) => bias + added)]];
  }));
  const sums = (gate) => terms[gate].reduce((sum, term) => both(sum, term, (a, b) => a + b));
  const [f, i, o] = ["f", "i", "o"].map((gate) => sums(gate).map(sigmoid));
  const g = sums("g").map(Math.tanh);
  const [k, j] = [product(f, c), product(i, g)];
  const now = both(k, j, (kept, written) => kept + written);
  const tanh = now.map(Math.tanh);
  return { terms, f, i, g, o, k, j, c: now, tanh, h: product(o, tanh) };
}

/** Everything computed up to a part. */
export const computedBy = (part) => PARTS.slice(0, PARTS.indexOf(part) + 1).flatMap((done) => COMPUTED[done]);

// --- colours

/** From -1 (closed or negative) to 1 (open or positive). */
export const tint = (name, value) => ("fio".includes(name) ? 2 * value - 1 : Math.tanh(value));

// --- words

/** Two decimals, without a sign before 0.00. */
export function figure(number) {
  const text = Math.abs(number).toFixed(2);
  return `${number < 0 && Number(text) > 0 ? "−" : ""}${text}`;
}

const brackets = (number) => (figure(number).startsWith("−") ? `(${figure(number)})` : figure(number));

const SQUASH = { f: "σ", i: "σ", g: "tanh", o: "σ" };
export const NAMES = {
  f: "forget gate", i: "input gate", g: "proposal", o: "output gate",
  k: "kept", j: "written", c: "cell", tanh: "its tanh", h: "state",
};

const FORMULAS = {
  k: "k_t = f_t ⊙ c_{t−1}", j: "j_t = i_t ⊙ g_t", c: "c_t = k_t + j_t", tanh: "tanh(c_t)", h: "h_t = o_t ⊙ tanh(c_t)",
};

/** The equation of a quantity; what follows _ is meant to stand lower. */
export const formula = (name) =>
  FORMULAS[name] ?? `${name}_t = ${SQUASH[name]}(U_${name} h_{t−1} + W_${name} x_t + b_${name})`;

/** The same with the numbers of one unit. */
export function inNumbers(name, found, before, unit) {
  const value = (quantity) => brackets(found[quantity][unit]);
  const equals = `= ${figure(found[name][unit])}`;
  if (name in SQUASH) {
    const terms = found.terms[name].map((term) => term[unit]);
    const sum = terms.reduce((a, b) => a + b);
    const added = terms.map((term, n) => (n ? brackets(term) : figure(term))).join(" + ");
    return `${SQUASH[name]}(${added}) = ${SQUASH[name]}(${figure(sum)}) ${equals}`;
  }
  return {
    k: `${value("f")} · ${brackets(before.c[unit])} ${equals}`,
    j: `${value("i")} · ${value("g")} ${equals}`,
    c: `${figure(found.k[unit])} + ${value("j")} ${equals}`,
    tanh: `tanh(${figure(found.c[unit])}) ${equals}`,
    h: `${value("o")} · ${value("tanh")} ${equals}`,
  }[name];
}

const SENTENCES = {
  gates: "From the state before and the input come three gates, 0 (closed) to 1 (open), and a proposal, −1 to 1.",
  k: "The forget gate lets through a part of the cell before: what is kept.",
  j: "The input gate lets through a part of the proposal: what is written.",
  c: "What is kept and what is written add up to the new cell.",
  tanh: "tanh brings the cell between −1 and 1, for the state.",
  h: "The output gate lets through a part of it: the new state.",
};

/** What a part does, in a sentence, and what it gives in one unit. */
export function tell(part, found, unit) {
  const symbol = (name) => (name === "tanh" ? "tanh(c)" : name);
  const numbers = COMPUTED[part].map((name) => `${symbol(name)}\u00a0=\u00a0${figure(found[name][unit])}`).join(", ");
  return `${PARTS.indexOf(part) + 1} of ${PARTS.length}. ${SENTENCES[part]} In unit ${unit}: ${numbers}.`;
}

/** What the diagram shows, for those who do not see it. */
export function describe(part, found, before) {
  const list = (name, numbers) => `${name} ${numbers.map(figure).join(", ")}`;
  const inputs = [list("input x", before.x), list("state before", before.h), list("cell before", before.c)];
  return [...inputs, ...computedBy(part).map((name) => list(NAMES[name], found[name]))].join("; ");
}
