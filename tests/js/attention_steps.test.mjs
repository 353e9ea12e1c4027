// Attention's numbers and words, without a browser. pytest (tests/widgets/test_attention_steps.py) writes the joined module and
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

/** The steps as a page hands them over: the weights as a DataView that need not begin where its buffer does. */
function stepsOf(state) {
  const raw = Buffer.from(state.weights, "base64");
  const shifted = new Uint8Array(raw.length + 1);
  shifted.set(raw, 1);
  return widget.readSteps((name) => (name === "weights" ? new DataView(shifted.buffer, 1) : state[name]));
}

test("weights, entropies and hits are Python's", { skip }, () => {
  assert.equal(cases.length, 4);
  for (const { state, found } of cases) {
    const all = stepsOf(state);
    assert.equal(all.matrices.length, found.length);
    found.forEach(({ matrix, entropy, heaviest, hits }, k) => {
      assert.deepEqual(all.matrices[k], matrix);
      assert.deepEqual(all.matrices[k].map(widget.heaviest), heaviest);
      assert.deepEqual(widget.hits(all.matrices[k], all.aligned), hits);
      entropy.forEach((bits, j) => assert.ok(Math.abs(widget.entropy(all.matrices[k][j]) - bits) <= 1e-12));
    });
  }
});

test("entropy by hand", { skip }, () => {
  assert.equal(widget.entropy([0.5, 0.25, 0.25]), 1.5);
  assert.ok(Object.is(widget.entropy([0, 1, 0]), 0), "no minus zero");
});

test("keys walk along the steps and the scores, and stop at the ends", { skip }, () => {
  const all = { target: ["a", "b", "c"], scores: ["dot", "additive"] };
  const from = (step, score) => (key) => widget.walked(all, { step, score }, key);
  assert.deepEqual(["ArrowLeft", "ArrowRight", "Home", "End"].map(from(1, "dot")), [0, 2, 0, 2].map((step) => ({ step })));
  assert.deepEqual(from(0, "dot")("ArrowLeft"), { step: 0 });
  assert.deepEqual(from(2, "dot")("ArrowRight"), { step: 2 });
  assert.deepEqual(["ArrowUp", "ArrowDown"].map(from(1, "dot")), [{ score: "dot" }, { score: "additive" }]);
  assert.equal(from(1, "dot")("Enter"), null);
});

test("words stand beside each other, none on another, the shorter row in the middle", { skip }, () => {
  const { width, places } = widget.layOut(["three", "hundred", "x"], ["ein", "二十一"]);
  for (const row of places) {
    assert.ok(row[0][0] >= 0 && row.at(-1)[0] + row.at(-1)[1] <= width);
    row.slice(1).forEach(([left], i) => assert.ok(left > row[i][0] + row[i][1]));
    assert.ok(Math.abs(row[0][0] - (width - row.at(-1)[0] - row.at(-1)[1])) < 1e-9);
  }
  assert.ok(widget.widthOf("二十一二十") > widget.widthOf("hundr"), "wide signs are wider");
  assert.equal(widget.widthOf("x".repeat(90)), widget.widthOf("x".repeat(99)));
});

test("a step is told with its true source word", { skip }, () => {
  const all = {
    source: ["twenty", "one"], target: ["ein", "und", "zwanzig"], scores: ["dot"], aligned: [1, -1, 0],
    matrices: [[[0.25, 0.75], [0.5, 0.5], [0, 1]]],
  };
  const told = (step, changes = {}) => widget.told({ ...all, ...changes }, { step, score: "dot" });
  assert.equal(told(0), "Step 1 of 3: “ein” is written. The heaviest weight, 75.0 %, lies on “one” (place 2 of 2). " +
    "That is the true source word. Entropy 0.81 of at most 1.00 bits.");
  assert.match(told(1), /lies on “twenty” \(place 1 of 2\)\. It comes from no source word\. Entropy 1\.00 of/);
  assert.match(told(2), /100 %, lies on “one” .* The true source word is “twenty” \(place 1 of 2\), with 0 %\. Entropy 0\.00/);
  assert.doesNotMatch(told(2, { aligned: [] }), /true|comes from/);
  const two = { scores: ["dot", "additive"], matrices: [all.matrices[0], all.matrices[0]] };
  assert.match(told(0, two), /^Step 1 of 3, dot: /);
  assert.equal(widget.scored(all.matrices[0], all.aligned), "heaviest on the true word: 1 of 2");
  assert.equal(widget.scored(all.matrices[0], []), "");
});
