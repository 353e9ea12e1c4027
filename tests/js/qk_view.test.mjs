// Query and keys' numbers and words, without a browser. pytest (tests/widgets/test_qk_view.py) writes the joined module and
// cases with Python's numbers into a folder and names it in UNROLLED_WIDGET_CASES.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { pathToFileURL } from "node:url";

const folder = process.env.UNROLLED_WIDGET_CASES;
const skip = folder ? false : "run by pytest, which writes the cases";
const widget = folder ? await import(pathToFileURL(join(folder, "widget.mjs"))) : {};
const cases = folder ? JSON.parse(readFileSync(join(folder, "cases.json"), "utf8")) : [];

/** The vectors as a page hands them over: bytes as a DataView that need not begin where its buffer does. */
function vectorsOf(state) {
  return widget.readVectors((name) => {
    if (!["queries", "vectors", "mask"].includes(name)) return state[name];
    const raw = Buffer.from(state[name], "base64");
    const shifted = new Uint8Array(raw.length + 1);
    shifted.set(raw, 1);
    return new DataView(shifted.buffer, 1);
  });
}

const near = (one, other) => assert.ok(Math.abs(one - other) <= 1e-9 * Math.max(1, Math.abs(other)), `${one}, ${other}`);

test("products, scores and weights are Python's", { skip }, () => {
  assert.equal(cases.length, 4);
  for (const { state, found, mask } of cases) {
    const all = vectorsOf(state);
    for (const { head, query, scaled, products, scores, weights } of found)
      widget.rowsOf(all, { head, query, scaled }).forEach((row, j) => {
        assert.deepEqual(row.products, products[j]);
        near(row.score, scores[j]);
        near(row.weight, weights[j]);
        assert.equal(row.may, mask[query][j]);
      });
  }
});

test("bars go up for what is positive and down for what is negative", { skip }, () => {
  assert.equal(widget.bars([1, -2, 0, 2], 2, 1), "M0 1H0.8V0.500H0ZM3 1H3.8V0.000H3Z");
  assert.equal(widget.bars([1, -2, 0, 2], 2, -1), "M1 1H1.8V2.000H1Z");
  assert.equal(widget.reach([[1, -2], [0.5, 0]]), 2);
  assert.ok(widget.reach([[0]]) > 0, "it divides");
});

test("keys walk along queries, keys and heads, and stop at the ends", { skip }, () => {
  const all = { tokens: ["a", "b", "c"], seen: ["x", "y"], heads: 2 };
  const from = (state) => (pressed) => widget.walked(all, { head: 0, query: 1, key: 0, ...state }, pressed);
  assert.deepEqual(["ArrowLeft", "ArrowRight", "Home", "End"].map(from({})), [0, 2, 0, 2].map((query) => ({ query })));
  assert.deepEqual(["ArrowUp", "ArrowDown"].map(from({})), [{ key: 0 }, { key: 1 }]);
  assert.deepEqual(["PageUp", "PageDown"].map(from({})), [{ head: 0 }, { head: 1 }]);
  assert.deepEqual(["ArrowRight", "ArrowDown", "PageDown"].map(from({ query: 2, key: 1, head: 1 })),
    [{ query: 2 }, { key: 1 }, { head: 1 }]);
  assert.equal(from({})("Enter"), null);
});

test("a query and its key are told", { skip }, () => {
  const numbers = { tokens: ["a"], seen: ["x", "y"], heads: 1, width: 4, queryOf: () => [1, 2, 0, 0], may: () => true };
  const all = { ...numbers, keyOf: (h, j) => [[0, 0, 0, 0], [2, -3, 0, 0]][j] };
  const told = (some, state) => {
    const whole = { head: 0, query: 0, key: 1, scaled: true, ...state };
    return widget.told(some, whole, widget.rowsOf(some, whole));
  };
  assert.equal(told(all, {}), "“a” (place 1 of 1) looks most at “x” (place 1 of 2), 88.1 %. With “y” (place 2 of 2) q·k is " +
    "−4.00 (its largest part −6.00, number 1); divided by √4 that is −2.00; softmax gives it 11.9 %.");
  assert.match(told(all, { scaled: false }), /, 98\.2 %\. .*; it is not divided; softmax gives it 1\.8 %\.$/);
  assert.match(told({ ...all, heads: 2 }, {}), /^Head 0: “a”/);
  assert.match(told({ ...all, may: (i, j) => j === 0 }, {}), /“x” .*, 100 %\. .*; it may not be seen, and gets 0 %\.$/);
  assert.match(told({ ...all, may: () => false }, {}), /^“a” \(place 1 of 1\) may see nothing: all its weights are 0\. With “y”/);
});
