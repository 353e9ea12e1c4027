// The tag reader's numbers and words, without a browser. pytest (tests/widgets/test_tag_reader.py) writes the joined module and
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

/** The sentences as a page hands them over: binary traits as a DataView that need not begin where its buffer does. */
function sentencesOf(state) {
  const bytes = (text) => {
    const raw = Buffer.from(text, "base64");
    const shifted = new Uint8Array(raw.length + 1);
    shifted.set(raw, 1);
    return new DataView(shifted.buffer, 1);
  };
  return widget.readSentences((name) => (["forward", "backward"].includes(name) ? bytes(state[name]) : state[name]));
}

const close = (got, expected) => Math.abs(got - expected) <= 1e-6;

test("probabilities and logits are Python's, the likeliest first", { skip }, () => {
  assert.equal(cases.length, 4);
  for (const { state, found } of cases) {
    const sentences = sentencesOf(state);
    assert.equal(sentences.length, found.length);
    found.forEach(({ p, logits }, n) => p.forEach((row, t) => {
      const ranked = widget.tagsOf(sentences[n], state.bias, t);
      assert.deepEqual(ranked.map(({ tag }) => tag).sort((a, b) => a - b), row.map((_, k) => k));
      for (const { tag, p, parts, logit } of ranked) {
        assert.ok(close(p, row[tag]), `P of ${state.tags[tag]}: ${p}, not ${row[tag]}`);
        assert.ok(close(logit, logits[t][tag]));
        assert.ok(close(parts[0] + parts[1] + parts[2], logit), "the parts add up");
      }
      assert.ok(ranked.every(({ p }, i) => i === 0 || p <= ranked[i - 1].p));
    }));
  }
});

test("the reader's own sentence comes last", { skip }, () => {
  const sentences = sentencesOf(cases[1].state);
  assert.deepEqual(sentences.map(({ own }) => own ?? false), [false, false, false, true]);
  assert.deepEqual(sentences[3].words, ["the", "wolf", "sleeps", "."]);
});

test("a word that is not there any more is looked for inside", { skip }, () => {
  const sentences = [{ words: ["a", "b", "c"] }, { words: ["d"] }];
  assert.deepEqual(widget.inside(sentences, { sentence: 0, word: 2 }), { sentence: 0, word: 2 });
  assert.deepEqual(widget.inside(sentences, { sentence: 1, word: 2 }), { sentence: 1, word: 0 });
  assert.deepEqual(widget.inside(sentences, { sentence: 9, word: 9 }), { sentence: 1, word: 0 });
});

test("bars lie end to end, each sign on its side of zero", { skip }, () => {
  assert.deepEqual(widget.laid([2, 1, 0.5]), [[0, 2], [2, 3], [3, 3.5]]);
  assert.deepEqual(widget.laid([2, -1, -0.5]), [[0, 2], [-1, 0], [-1.5, -1]]);
  const sentence = { words: ["a", "b"], forward: [[2, -9], [1, 0]], backward: [[-1, 0], [3, 0]] };
  assert.deepEqual(widget.reach(sentence, [0.5, 0], 1), [-1, 4.5]);
  assert.deepEqual(widget.reach(sentence, [0.5, 0], 2), [-9, 4.5]);
});

test("percentages tell nearly all from all, and signs are true ones", { skip }, () => {
  assert.deepEqual([0, 0.0001, 0.5, 0.9999, 1].map(widget.percent), ["0 %", "< 0.1 %", "50.0 %", "> 99.9 %", "100 %"]);
  assert.deepEqual([0, -0.001, 1.5, -2].map(widget.signed), ["0.00", "0.00", "+1.50", "−2.00"]);
});

test("the lead is told part by part", { skip }, () => {
  const ranked = [
    { tag: 1, p: 0.9, parts: [2, 1, 0.5], logit: 3.5 },
    { tag: 0, p: 0.1, parts: [-1, 2, 0.25], logit: 1.25 },
  ];
  const tags = ["NOUN", "VERB"];
  assert.equal(widget.told({ tags, directions: 2 }, "book", ranked),
    "“book” is tagged VERB (90.0 %), next is NOUN (10.0 %). Of the lead in logits, +2.25, reading from the left gives " +
    "+3.00, reading from the right −1.00, the bias +0.25.");
  assert.match(widget.told({ tags, directions: 1 }, "book", ranked), /gives \+3\.00, this net does not read from the right/);
  assert.equal(widget.told({ tags, directions: 2 }, "book", ranked.slice(0, 1)), "“book” is tagged VERB (90.0 %).");
});
