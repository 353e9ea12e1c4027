// Fill the mask, its numbers and words, without a browser. pytest (tests/widgets/test_fill_mask.py) writes the joined module and
// cases with Python's answers into a folder and names it in UNROLLED_WIDGET_CASES.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { pathToFileURL } from "node:url";

const folder = process.env.UNROLLED_WIDGET_CASES;
const skip = folder ? false : "run by pytest, which writes the cases";
const widget = folder ? await import(pathToFileURL(join(folder, "widget.mjs"))) : {};
const cases = folder ? JSON.parse(readFileSync(join(folder, "cases.json"), "utf8")) : [];

/** The answers as a page hands them over: binary traits as a DataView that need not begin where its buffer does. */
function answersOf(state) {
  const bytes = (text) => {
    const raw = Buffer.from(text, "base64");
    const shifted = new Uint8Array(raw.length + 1);
    shifted.set(raw, 1);
    return new DataView(shifted.buffer, 1);
  };
  return widget.readAnswers((name) => (["codes", "chances"].includes(name) ? bytes(state[name]) : state[name]));
}

const close = (got, expected) => Math.abs(got - expected) <= 1e-6;

test("every answer is Python's", { skip }, () => {
  assert.equal(cases.length, 2);
  for (const { state, found } of cases) {
    const answerOf = answersOf(state);
    assert.ok(found.length > 1);
    for (const { n, choice, filled } of found) {
      const answer = answerOf(n, choice);
      assert.deepEqual(answer.map(({ place, stood, words }) => [place, stood, words]),
        filled.map(({ place, stood, words }) => [place, stood, words]));
      answer.forEach((one, i) => {
        one.chances.forEach((p, k) => assert.ok(close(p, filled[i].chances[k])));
        if (one.stood === null) return assert.equal(one.loss, null);
        assert.equal(one.rank, filled[i].rank);
        assert.ok(close(one.chance, filled[i].chance));
        assert.ok(close(one.loss, -Math.log(one.chance)));
      });
    }
  }
});

test("what was not stored is not known", { skip }, () => {
  const answerOf = answersOf(cases[0].state);
  assert.equal(answerOf(0, [1, 2, 3]), null);
  assert.equal(answerOf(3, [1]), null);
  assert.equal(answerOf(0, [1, 2, 3, 4]).length, 4, "looked at with a kernel");
});

test("choices come as combinations do", { skip }, () => {
  assert.deepEqual(widget.choicesOf({ free: [1, 2, 4], most: 2 }), [[], [1], [2], [4], [1, 2], [1, 4], [2, 4]]);
  assert.deepEqual(widget.choicesOf({ free: [1, 2], most: 1 }), [[], [1], [2]]);
  assert.deepEqual(widget.choicesOf({ free: [1, 2], most: -1 }), []);
});

const LINES = [
  { pieces: ["[CLS]", "a", "##b", "[SEP]"], fixed: [], free: [1, 2], most: 2 },
  { pieces: ["[CLS]", "[MASK]", "[SEP]"], fixed: [1], free: [], most: 2 },
];

test("a piece is hidden and shown, a special one is neither", { skip }, () => {
  assert.deepEqual(widget.toggled({ lines: LINES, masked: [[2], []] }, 0, 1), [[1, 2], []]);
  assert.deepEqual(widget.toggled({ lines: LINES, masked: [[1, 2], []] }, 0, 1), [[2], []]);
  assert.deepEqual(widget.toggled({ lines: LINES, masked: [] }, 0, 1), [[1], []]);
  assert.equal(widget.toggled({ lines: LINES, masked: [[], []] }, 0, 0), null);
  assert.equal(widget.toggled({ lines: LINES, masked: [[], []] }, 1, 1), null);
});

test("keys walk along the pieces and across sentences, and stay inside", { skip }, () => {
  const walk = (n, place, key) => Object.values(widget.walked({ lines: LINES }, { n, place }, key));
  assert.deepEqual(["ArrowLeft", "ArrowRight", "Home", "End"].map((key) => walk(0, 1, key)), [[0, 0], [0, 2], [0, 0], [0, 3]]);
  assert.deepEqual([walk(0, 3, "ArrowRight"), walk(0, 0, "ArrowLeft")], [[0, 3], [0, 0]]);
  assert.deepEqual([walk(0, 3, "ArrowDown"), walk(1, 2, "ArrowUp"), walk(1, 1, "ArrowDown")], [[1, 2], [0, 2], [1, 1]]);
  assert.equal(widget.walked({ lines: LINES }, { n: 0, place: 0 }, "x"), null);
});

test("what is looked at stays inside when the typed sentence is gone", { skip }, () => {
  const at = widget.insideLines({ lines: LINES, sentence: 5, place: 9, masked: [[1]] });
  assert.deepEqual([at.n, at.place, at.choice], [1, 2, []]);
  assert.deepEqual(widget.insideLines({ lines: LINES, sentence: 0, place: 0, masked: [[0, 2]] }).choice, [2]);
});

const FOUND = [
  { place: 1, words: ["c", "a"], chances: [0.5, 0.25], stood: "a", rank: 2, chance: 0.25, loss: Math.log(4) },
  { place: 2, words: ["##b", "c"], chances: [0.5, 0.25], stood: "##b", rank: 1, chance: 0.5, loss: Math.log(2) },
];

test("the place looked at is told, and the mean loss of several", { skip }, () => {
  const tell = (place, answer, line = LINES[0], kernel = false, choice = [1, 2]) =>
    widget.told({ line, place, choice }, answer, kernel);
  assert.equal(tell(1, FOUND.slice(0, 1)), "At place 1 the net puts “c” (50.0 %), then “a” (25.0 %). “a” stood there, number 2 " +
    "with 25.0 %: a loss of 1.39 nats.");
  assert.equal(tell(2, FOUND), "At place 2 the net puts “##b” (50.0 %), then “c” (25.0 %). “##b” stood there, the first guess: " +
    "a loss of 0.69 nats. Mean loss of all that is hidden: 1.04 nats.");
  assert.match(tell(0, FOUND), /^At place 1 /, "the first, if the one looked at is not hidden");
  const unknown = [{ place: 1, words: ["c"], chances: [1], stood: null, loss: null }];
  assert.equal(tell(1, unknown, LINES[1]), "At place 1 the net puts “c” (100 %). The text itself says [MASK]: nobody knows " +
    "what stood there.");
  assert.doesNotMatch(tell(1, [FOUND[0], ...unknown]), /Mean loss/, "of one alone there is no mean");
  assert.match(tell(0, []), /^Nothing is hidden\./);
  assert.equal(tell(0, null, LINES[0], false, [1, 2, 3]),
    "Three hidden pieces at once need a running notebook: stored is what the net says to one or two.");
  assert.match(tell(0, null, { ...LINES[0], most: 1 }), /^Two hidden pieces at once .* says to one\.$/);
  assert.match(tell(0, null, { ...LINES[0], most: -1, own: true }), /^These hidden pieces of your sentence were not looked at/);
  assert.match(tell(0, null, LINES[0], true), /^The kernel was asked/);
  assert.equal(widget.lossOf(unknown), null);
});
