// The beam tree's paths, ranking, places and words, without a browser. pytest (tests/widgets/test_beam_tree.py) writes the joined
// module and cases with Python's numbers into a folder and names it in UNROLLED_WIDGET_CASES.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { pathToFileURL } from "node:url";

const folder = process.env.UNROLLED_WIDGET_CASES;
const skip = folder ? false : "run by pytest, which writes the cases";
const widget = folder ? await import(pathToFileURL(join(folder, "widget.mjs"))) : {};
const cases = folder ? JSON.parse(readFileSync(join(folder, "cases.json"), "utf8")) : [];

const treeOf = (state) => widget.readTree((name) => state[name]);
const one = (word, log_prob, parent = 0, kept = true, ended = false) => ({ parent, word, log_prob, kept, ended });

const SMALL = treeOf({
  steps: [
    [one("a", Math.log(0.5)), one("b", Math.log(0.25)), one("c", Math.log(0.125), 0, false)],
    [one("b", Math.log(0.25)), one("</s>", Math.log(0.125), 1, true, true), one("a", Math.log(0.0625), 1, false)],
    [one("", Math.log(0.125), 1, true, true), one("a", Math.log(0.1))],
  ],
  more: [0, 2, 0],
  finals: [[2, 0], [2, 1]],
});

test("words, width and ranking are Python's", { skip }, () => {
  assert.equal(cases.length, 7);
  for (const { state, width, words, rankings } of cases) {
    const tree = treeOf(state);
    assert.equal(tree.width, width);
    words.forEach((step, t) => step.forEach((expected, n) => assert.deepEqual(widget.wordsOf(tree, t, n), expected)));
    for (const [alpha, expected] of rankings) {
      const found = widget.ranking(tree, alpha);
      assert.deepEqual(found.map(({ words, log_prob, ended }) => [words, log_prob, ended]), expected.map((row) => row.slice(0, 3)));
      found.forEach(({ score }, n) => assert.ok(Math.abs(score - expected[n][3]) <= 1e-12));
    }
  }
});

test("keys walk along a hypothesis and among candidates", { skip }, () => {
  const at = (step, candidate) => ({ step, candidate });
  const walk = (from, key) => widget.walked(SMALL, from, key);
  assert.deepEqual(walk(at(2, 0), "ArrowLeft"), at(1, 1), "to its parent");
  assert.deepEqual(walk(at(2, 0), "Home"), at(0, 1), "to its first word");
  assert.deepEqual(walk(at(0, 1), "ArrowRight"), at(1, 1), "to its best child");
  assert.deepEqual(walk(at(0, 2), "ArrowRight"), at(1, 0), "what was pruned has none");
  assert.deepEqual(walk(at(0, 0), "End"), at(2, 0));
  assert.deepEqual(walk(at(0, 0), "ArrowLeft"), at(0, 0));
  assert.deepEqual(walk(at(2, 1), "ArrowRight"), at(2, 1));
  assert.deepEqual(["ArrowUp", "ArrowDown"].map((key) => walk(at(1, 1), key)), [at(1, 0), at(1, 2)]);
  assert.deepEqual(["ArrowUp", "ArrowDown"].map((key) => walk(at(2, key === "ArrowUp" ? 0 : 1), key)), [at(2, 0), at(2, 1)]);
  assert.equal(walk(at(0, 0), "Enter"), null);
  assert.deepEqual(widget.inside(SMALL, { step: 2, candidate: 9, alpha: 1 }), { step: 2, candidate: 1, alpha: 1 });
});

test("chips lie in columns, and a curve goes from parent to child", { skip }, () => {
  const [width, height] = widget.sizeOf(SMALL);
  const corners = SMALL.steps.flatMap((step, t) => step.map((_, n) => widget.corner(t, n)));
  assert.equal(new Set(corners.map(String)).size, 8);
  assert.ok(corners.every(([x, y]) => x > widget.rootWidth && x + widget.CHIP <= width && y + widget.TALL <= height));
  const numbers = widget.curve(SMALL, 1, 1).match(/[\d.]+/g).map(Number);
  const [[px, py], [x, y]] = [widget.corner(0, 1), widget.corner(1, 1)];
  assert.deepEqual([numbers.slice(0, 2), numbers.slice(-2)], [[px + widget.CHIP, py + widget.TALL / 2], [x, y + widget.TALL / 2]]);
});

test("a candidate is told: its numbers, its fate, and where it leads", { skip }, () => {
  const told = (step, candidate) => widget.told(SMALL, { step, candidate, alpha: 0 });
  assert.equal(told(0, 0), "Step 1 of 3 keeps 2 of 3 candidates; the beam’s width is 2. “a”: log probability −0.69 nats " +
    "(50.0 %); “a” adds −0.69. Kept, 1 of 2. It leads to rank 2 of 2.");
  assert.match(told(0, 2), /\(12\.5 %\); “c” adds −2\.08\. Pruned, 0\.69 nats below the last one kept\.$/);
  assert.match(told(1, 1), /keeps 2 of 5 candidates; .* “b <\/s>”: .* “<\/s>” adds −0\.69\. Kept, 2 of 2; it has ended\. It leads to rank 1/);
  assert.match(told(2, 0), /“b <\/s>”: .*; it stays as it is\. Kept, 1 of 2; it has ended\. In the end: rank 1 of 2\.$/);
  const lost = { ...SMALL, finals: [[2, 1]] };
  assert.match(widget.told(lost, { step: 0, candidate: 1, alpha: 0 }), /Nothing that was left in the end begins so\.$/);
});

test("a longer one can win by its mean", { skip }, () => {
  const order = (alpha) => widget.ranking(SMALL, alpha).map(({ words }) => words.join(" "));
  assert.deepEqual(order(0), ["b </s>", "a b a"]);
  assert.deepEqual(order(1), ["a b a", "b </s>"]);
});

test("log probabilities have a true minus, and none before nothing", { skip }, () => {
  assert.deepEqual([0, -0.001, -1.5, 2].map((number) => widget.nats(number)), ["0.00", "0.00", "−1.50", "2.00"]);
});
