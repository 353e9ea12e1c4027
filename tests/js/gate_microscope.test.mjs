// The microscope's numbers and words, without a browser. pytest (tests/widgets/test_gate_microscope.py) writes the joined module
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

const BINARY = ["numbers", "ranges", "truths", "follows", "losses"];

/** The state as a page hands it over: binary traits as a DataView that need not begin where its buffer does. */
function traceOf(state) {
  const bytes = (text) => {
    const raw = Buffer.from(text, "base64");
    const shifted = new Uint8Array(raw.length + 1);
    shifted.set(raw, 1);
    return new DataView(shifted.buffer, 1);
  };
  return widget.readTrace((name) => (BINARY.includes(name) ? bytes(state[name]) : state[name]));
}

const close = (got, expected) => Math.abs(got - expected) <= 1e-6 * Math.max(1, Math.abs(expected));

test("values, order, correlations and changes are Python's", { skip }, () => {
  assert.ok(cases.length > 30);
  for (const { state, numbers } of cases) {
    const trace = traceOf(state);
    for (const [letter, rows] of Object.entries(numbers.values)) {
      rows.forEach((expected, n) => {
        const got = widget.valuesOf(trace, letter, state.units[n]);
        assert.equal(got.length, expected.length);
        expected.forEach((value, t) => assert.ok(close(got[t], value), `${letter}, unit ${state.units[n]}, ${t}`));
      });
    }
    assert.deepEqual(widget.inOrder(trace, state.array, state.order), numbers.order);
    numbers.correlation?.forEach((expected, n) =>
      assert.ok(close(widget.correlationOf(trace, state.order, state.array, state.units[n]), expected)));
    if (!numbers.change) continue;
    const change = widget.changeOf(trace, state.variant);
    numbers.change.forEach((expected, t) =>
      assert.ok(expected === null ? Number.isNaN(change[t]) : close(change[t], expected), `change at ${t}`));
  }
});

test("characters are counted as Python counts them", { skip }, () => {
  const { state } = cases[0];
  assert.ok(state.text.length > [...state.text].length, "the text has a character of two halves");
  const trace = traceOf(state);
  assert.equal(trace.text[36], "😀");
  assert.equal(widget.valuesOf(trace, "f", 0).length, trace.text.length);
});

test("a gate's middle, a cell's zero and a state's zero have no shade", { skip }, () => {
  assert.deepEqual(widget.shades("f", [0, 0.25, 0.5, 1]), [-10, -5, 0, 10]);
  assert.deepEqual(widget.shades("h", [-1, 0, 0.3, 1]), [-10, 0, 3, 10]);
  assert.deepEqual(widget.shades("c", [-4, 0, 2]), [-10, 0, 5]);
  assert.deepEqual(widget.shades("c", [0, 0]), [0, 0]);
});

test("neighbours of one shade are one rectangle", { skip }, () => {
  const paths = widget.pathsOf([[5, 5, 0, -1], [5, 2, 2, 2]]);
  assert.deepEqual([...paths], [[5, "M0 0H2V1H0ZM0 1H1V2H0Z"], [-1, "M3 0H4V1H3Z"], [2, "M1 1H4V2H1Z"]]);
});

test("what was not predicted has no bar", { skip }, () => {
  assert.equal(widget.barsOf([NaN, 0, 0.5]), "M2.12 0H2.88V-0.5000H2.12Z");
  assert.equal(widget.meanOf([NaN, 1, 3]), 2);
});

test("the look, the find and the cost in words", { skip }, () => {
  const looked = { array: "c", order: "in quotes", variant: "cell of unit 7 set to 0", character: 3, unit: 7 };
  const state = { ...cases[0].state, ...looked };
  const trace = traceOf(state);
  const say = (changes) => widget.look(trace, { ...state, ...changes });
  assert.match(say({}), /^character 3 space, unit 7, cell −?\d\.\d\d, in quotes 0, loss \d\.\d\d nats \(\+0\.00\)$/);
  assert.match(say({ character: 12 }), /, in quotes 1, loss \d\.\d\d nats \(\+2\.00\)$/);
  assert.match(say({ character: 0, order: "" }), /^character 0 ‘s’, unit 7, cell −?\d\.\d\d, not predicted$/);
  assert.match(say({ array: "f", character: 37 }), /^character 37 line break, unit 7, forget gate 0\.\d\d/);
  assert.match(say({ variant: "as trained" }), /loss \d\.\d\d nats$/);
  assert.match(widget.found(trace, state), /^Of these 30 units, the cell of unit 7 follows “in quotes” best: .* \+\d\.\d\d\.$/);
  assert.match(widget.found(trace, { ...state, order: "depth" }), /unit 3 .* correlation −1\.00\.$/);
  assert.equal(widget.found(trace, { ...state, order: "" }), "");
  assert.match(widget.cost(trace, state),
    /^With “cell of unit 7 set to 0” .* from \d\.\d\d to \d\.\d\d nats \(\+0\.27\); most at character 1\d .*, \+2\.00\.$/);
  assert.match(widget.cost(trace, { ...state, variant: "as trained" }), /^Mean loss \d\.\d\d nats\.$/);
  assert.equal(widget.cost({ ...trace, losses: [] }, state), "");
});

test("a number has no sign before 0.00", { skip }, () => {
  assert.deepEqual([-0.001, 0.5, -2].map(widget.figure), ["0.00", "0.50", "−2.00"]);
  assert.deepEqual([-0.001, 0.5, -2].map(widget.signed), ["+0.00", "+0.50", "−2.00"]);
});
