// Model view's numbers and words, without a browser. pytest (tests/widgets/test_model_view.py) writes the joined module and
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

/** Reads a trait as a page hands it over: bytes as a DataView that need not begin where its buffer does. */
const reader = (state) => (name) => {
  if (!["codes", "scales", "averages"].includes(name)) return state[name];
  const raw = Buffer.from(state[name], "base64");
  const shifted = new Uint8Array(raw.length + 1);
  shifted.set(raw, 1);
  return new DataView(shifted.buffer, 1);
};

test("weights and habits of every head are Python's", { skip }, () => {
  assert.equal(cases.length, 3);
  for (const { state, found } of cases) {
    const [sets, habitsOf] = [widget.readSets(reader(state)), widget.readHabits(reader(state))];
    assert.deepEqual(sets.map((set) => set.kind), Object.keys(found));
    for (const set of sets)
      found[set.kind].habits.forEach((heads, layer) => heads.forEach((numbers, head) => {
        assert.deepEqual(widget.matrixOf(set, layer, head), found[set.kind].shown[layer][head]);
        const { on, bits, sees } = habitsOf(set.kind, layer, head);
        [...on, bits, sees].forEach((number, n) => assert.ok(Math.abs(number - numbers[n]) < 1e-6));
      }));
  }
});

test("keys walk from head to head and from layer to layer, and stop at the ends", { skip }, () => {
  const from = (layer, head) => (key) => widget.walked({ layers: 3, heads: 4 }, { layer, head }, key);
  assert.deepEqual(["ArrowLeft", "ArrowRight", "Home", "End"].map(from(1, 1)), [0, 2, 0, 3].map((head) => ({ head })));
  assert.deepEqual(["ArrowUp", "ArrowDown"].map(from(1, 1)), [{ layer: 0 }, { layer: 2 }]);
  assert.deepEqual(["ArrowLeft", "ArrowUp"].map(from(0, 0)), [{ head: 0 }, { layer: 0 }]);
  assert.deepEqual(["ArrowRight", "ArrowDown"].map(from(2, 3)), [{ head: 3 }, { layer: 2 }]);
  assert.equal(from(0, 0)("Enter"), null);
});

test("shades are shares of one, or of the heaviest of the row", { skip }, () => {
  const matrix = [[0.5, 0.25, 0.25], [0, 0, 0], [1, 0, 0]];
  assert.deepEqual(widget.fullness(matrix, "weight"), matrix);
  assert.deepEqual(widget.fullness(matrix, "row"), [[1, 0.5, 0.5], [0, 0, 0], [1, 0, 0]]);
});

test("a coarse picture keeps the heaviest weight of what a dot stands for", { skip }, () => {
  const matrix = [[0, 1, 2], [3, 9, 5], [6, 7, 8], [4, 4, 4], [0, 0, 1]];
  assert.deepEqual(widget.pooled(matrix, 5), matrix);
  assert.deepEqual(widget.pooled(matrix, 3), [[9, 5], [7, 8], [0, 1]]);
  const diagonal = Array.from({ length: 64 }, (_, i) => Array.from({ length: 64 }, (_, j) => (i === j ? 1 : 0)));
  const coarse = widget.pooled(diagonal, 22);
  assert.deepEqual([coarse.length, coarse[0].length], [22, 22]);
  coarse.forEach((row, i) => assert.equal(row.indexOf(1), i, "no part of a line is lost"));
});

test("the opened head is told; neighbours only where tokens look at themselves", { skip }, () => {
  const tokens = ["a", "b", "c", "d"];
  const own = { kind: "decoder", queries: tokens, keys: tokens, layers: 1, heads: 1 };
  const cross = { kind: "cross", queries: tokens, keys: ["x", "y"], layers: 1, heads: 1 };
  const state = { kind: "decoder", layer: 0, head: 0 };
  const habits = (sees) => () => ({ on: [0.5, 0.25, 0, 1], bits: 0.5, sees });
  assert.equal(widget.told([own], habits(1), state), "Layer 0, head 0: on average a token puts 50.0 % on itself, " +
    "25.0 % on the one before, 0 % on the one after, 100 % on the first token. Entropy 0.50 of at most 2.00 bits.");
  assert.equal(widget.told([own, cross], habits(0.75), { ...state, kind: "cross" }), "Layer 0, head 0, cross: on average " +
    "a token puts 100 % on the first token. Entropy 0.50 of at most 1.00 bits. Not counted: 1 of 4 tokens that may see nothing.");
  assert.equal(widget.told([own], habits(0), state), "Layer 0, head 0: no token may see anything.");
  assert.equal(widget.brief(own, habits(1)(), 2, 3),
    "layer 2, head 3: itself 50.0 %, before 25.0 %, after 0 %, first 100 %, 0.50 bits");
  assert.equal(widget.brief(cross, habits(1)(), 0, 0), "layer 0, head 0: first 100 %, 0.50 bits");
});
