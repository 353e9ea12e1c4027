// The cell's arithmetic and words, without a browser. pytest (tests/widgets/test_lstm_cell.py) writes the joined module and cases
// with Python's numbers into a folder and names it in UNROLLED_WIDGET_CASES.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { pathToFileURL } from "node:url";

const folder = process.env.UNROLLED_WIDGET_CASES;
const skip = folder ? false : "run by pytest, which writes the cases";
const widget = folder ? await import(pathToFileURL(join(folder, "widget.mjs"))) : {};
const cases = folder ? JSON.parse(readFileSync(join(folder, "cases.json"), "utf8")) : [];

/** The cell as a page hands it over: the weights as a DataView that need not begin where its buffer does. */
function cellOf(state) {
  const raw = Buffer.from(state.weights, "base64");
  const shifted = new Uint8Array(raw.length + 1);
  shifted.set(raw, 1);
  return widget.readCell((name) => (name === "weights" ? new DataView(shifted.buffer, 1) : state[name]));
}

test("every number is Python's", { skip }, () => {
  assert.ok(cases.length > 50);
  for (const { state, found } of cases) {
    const got = widget.lstmStep(cellOf(state), state);
    for (const [name, expected] of Object.entries(found)) {
      assert.equal(got[name].length, expected.length, name);
      expected.forEach((value, n) => assert.ok(Math.abs(got[name][n] - value) <= 1e-12,
        `${name}[${n}] of ${state.preset}: ${got[name][n]}, not ${value}`));
    }
  }
});

test("a part has all that was computed before it", { skip }, () => {
  assert.deepEqual(widget.computedBy("gates"), ["f", "i", "g", "o"]);
  assert.deepEqual(widget.computedBy("j"), ["f", "i", "g", "o", "k", "j"]);
  assert.deepEqual(widget.computedBy("h"), widget.QUANTITIES);
});

test("a half-open gate and nothing have no tint", { skip }, () => {
  assert.deepEqual(["f", "i", "o"].map((name) => widget.tint(name, 0.5)), [0, 0, 0]);
  assert.deepEqual([widget.tint("f", 0), widget.tint("o", 1), widget.tint("c", 0), widget.tint("x", 99)], [-1, 1, 0, 1]);
});

test("numbers have two decimals and a true minus", { skip }, () => {
  assert.deepEqual([0, -0.001, 0.999, -1.5].map(widget.figure), ["0.00", "0.00", "1.00", "−1.50"]);
});

test("equations in letters and in the numbers of a unit", { skip }, () => {
  const found = {
    terms: { f: [[-1], [2], [-0.5]] }, f: [0.62], i: [0.5], g: [-0.4], o: [0.9],
    k: [1.24], j: [-0.2], c: [1.04], tanh: [0.78], h: [0.7],
  };
  const say = (name) => widget.inNumbers(name, found, { c: [-2] }, 0);
  assert.equal(widget.formula("f"), "f_t = σ(U_f h_{t−1} + W_f x_t + b_f)");
  assert.equal(widget.formula("g"), "g_t = tanh(U_g h_{t−1} + W_g x_t + b_g)");
  assert.equal(say("f"), "σ(−1.00 + 2.00 + (−0.50)) = σ(0.50) = 0.62");
  assert.equal(say("k"), "0.62 · (−2.00) = 1.24");
  assert.equal(say("j"), "0.50 · (−0.40) = −0.20");
  assert.equal(say("c"), "1.24 + (−0.20) = 1.04");
  assert.equal(say("tanh"), "tanh(1.04) = 0.78");
  assert.equal(say("h"), "0.90 · 0.78 = 0.70");
});

test("every part says what it does and gives", { skip }, () => {
  const { state } = cases[0];
  const found = widget.lstmStep(cellOf(state), state);
  const said = widget.PARTS.map((part) => widget.tell(part, found, 0).replaceAll("\u00a0", " "));
  assert.match(said[0], /^1 of 6\. .* In unit 0: f = \d\.\d\d, i = \d\.\d\d, g = −?\d\.\d\d, o = \d\.\d\d\.$/);
  assert.match(said[4], /^5 of 6\. .* In unit 0: tanh\(c\) = −?\d\.\d\d\.$/);
  assert.ok(said[5].startsWith("6 of 6. The output gate lets through a part of it: the new state."));
  assert.ok(said[5].endsWith(`In unit 0: h = ${widget.figure(found.h[0])}.`));
});

test("the drawing is told only as far as it is computed", { skip }, () => {
  const { state } = cases[0];
  const found = widget.lstmStep(cellOf(state), state);
  const told = widget.describe("k", found, state);
  assert.match(told, /^input x .*; state before .*; cell before .*; forget gate .*; output gate \d\.\d\d; kept −?\d\S*$/);
});

test("what follows _ stands lower", { skip }, () => {
  assert.deepEqual(widget.lowered("tanh(c_t) h_{t−1}"), [
    ["tanh(c", false], ["t", true], [") h", false], ["t−1", true], ["", false],
  ]);
});
