// The laboratory's arithmetic and words, without a browser. pytest (tests/widgets/test_gradient_lab.py) writes the joined module
// and cases with Python's numbers into a folder and names it in UNROLLED_WIDGET_CASES.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { pathToFileURL } from "node:url";

const folder = process.env.UNROLLED_WIDGET_CASES;
const skip = folder ? false : "run by pytest, which writes the cases";
const widget = folder ? await import(pathToFileURL(join(folder, "widget.mjs"))) : {};
const cases = folder ? JSON.parse(readFileSync(join(folder, "cases.json"), "utf8")) : [];

const BINARY = ["plain", "orthogonal", "inputs", "first", "reader"];

/** The state as a page hands it over: binary traits as a DataView that need not begin where its buffer does. */
function netOf(state) {
  const bytes = (text) => {
    const raw = Buffer.from(text, "base64");
    const shifted = new Uint8Array(raw.length + 1);
    shifted.set(raw, 1);
    return new DataView(shifted.buffer, 1);
  };
  return widget.readNet((name) => (BINARY.includes(name) ? bytes(state[name]) : state[name]));
}

const close = (got, expected) => Math.abs(got - expected) <= 1e-6 * Math.abs(expected);

test("every curve is Python's", { skip }, () => {
  assert.ok(cases.length > 20);
  for (const { state, curves } of cases) {
    const found = widget.curves(netOf(state), state);
    assert.deepEqual(Object.keys(found).sort(), Object.keys(curves).sort());
    for (const [name, expected] of Object.entries(curves)) {
      const [got, wanted] = [[found[name]].flat(), [expected].flat()];
      assert.equal(got.length, wanted.length, name);
      wanted.forEach((value, t) => assert.ok(close(got[t], value),
        `${name}[${t}] of ${state.nonlinearity}, ${state.start}, ${state.radius}: ${got[t]}, not ${value}`));
    }
  }
});

test("a net of one unit, by hand", { skip }, () => {
  // U = 2, x = (1, 1), h_0 = 1, L = h_2: h = 1, 3, 7; back 1, 2, 4; dL/dU = 2 h_0 + 1 h_1 = 5
  const one = Float64Array.of(1);
  const net = { hidden: 1, plain: one, inputs: Float64Array.of(1, 1), first: one, reader: one };
  const settings = { radius: 2, length: 2, loudness: 1, nonlinearity: "linear", start: "plain", clip: 4 };
  assert.deepEqual(widget.curves(net, settings), {
    state: [1, 3, 7], gradient: [4, 2, 1], reference: [4, 2, 1], slope: [1, 1], share: [2, 3], dU: 5, clipped: 4,
  });
  const closed = widget.curves(net, { ...settings, loudness: -9, nonlinearity: "relu" });
  assert.deepEqual(closed.gradient, [0, 0, 1]);
});

test("reach counts from the end that holds more", { skip }, () => {
  assert.deepEqual(widget.reach([1, 1, 8, 90]), { count: 1, end: "last" });
  assert.deepEqual(widget.reach([50, 45, 3, 2]), { count: 2, end: "first" });
  assert.deepEqual(widget.reach(Array(10).fill(1)), { count: 9, end: "last" });
});

test("figures have three digits and a power of ten where they need it", { skip }, () => {
  assert.deepEqual([0, 1, 0.0123456, 5.6569, 812.4, 4669.7].map(widget.figure), ["0", "1", "0.0123", "5.66", "812", "4670"]);
  assert.equal(widget.figure(2.158e-105), "2.16\u00a0×\u00a010⁻¹⁰⁵");
  assert.equal(widget.figure(99999), "1.00\u00a0×\u00a010⁵");
});

test("the sentence names the fate, the pace, the reason and what clipping does", { skip }, () => {
  const settings = { radius: 0.9, length: 50, nonlinearity: "tanh", start: "plain", clip: null };
  const found = { gradient: [1e-5], slope: [0.5, 0.7], dU: 8, clipped: 8 };
  const say = (changes, numbers = {}) => widget.verdict({ ...settings, ...changes }, { ...found, ...numbers });
  assert.equal(say({}), "The gradient fades: of 1 at step 50, 1.00\u00a0×\u00a010⁻⁵ arrives at step 0, " +
    "a factor of 0.79 a step where the radius is 0.90. On the way tanh has a mean slope of 0.60.");
  const fates = [[1e7, "has exploded"], [11, "grows"], [0.1, "neither"], [0.09, "fades"], [9e-8, "has vanished"]];
  for (const [arrives, name] of fates) assert.ok(say({}, { gradient: [arrives] }).startsWith(`The gradient ${name}`));
  assert.match(say({ nonlinearity: "relu" }, { gradient: [0] }), /exactly 0 arrives.* ReLU is open for 60% of the units\.$/);
  assert.match(say({ nonlinearity: "linear", start: "orthogonal" }), /Nothing but the radius acts on it\.$/);
  assert.match(say({ clip: 2 }, { clipped: 2 }), /Clipping shortens ∂L\/∂U from 8 to 2; the way back stays as it was\.$/);
  assert.match(say({ clip: 9 }), /∂L\/∂U is not longer than 9, so clipping changes nothing\.$/);
});

test("where the gradient of U comes from", { skip }, () => {
  assert.match(widget.origin(50, { count: 8, end: "last" }), /from the last 8 of 50 steps\.$/);
  assert.match(widget.origin(50, { count: 1, end: "first" }), /from the first step\.$/);
  assert.match(widget.origin(50, { count: 40, end: "first" }), /from the whole way\.$/);
});
