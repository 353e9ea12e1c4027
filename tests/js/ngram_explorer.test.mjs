// The explorer's arithmetic, without a browser. pytest (tests/widgets/test_ngram_explorer.py) writes the joined module
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

const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);

/** A corpus of characters whose discounts are given, not estimated. */
function corpusOf(text, maxOrder, d = [0.5, 1, 1.5]) {
  const symbols = [...new Set(text)].sort();
  const state = {
    symbols, unit: "characters", unknown: -1, max_order: maxOrder, id_bytes: 1,
    ids: new DataView(Uint8Array.from(text, (c) => symbols.indexOf(c)).buffer),
    discounts: Array(maxOrder).fill({ raw: d, continuation: d }),
  };
  return widget.readCorpus((name) => state[name]);
}

function exploreText(corpus, context, k = 1) {
  return widget.explore(corpus, widget.encode(corpus, widget.tokenize(corpus, context)), k);
}

function corpusOfCase({ state }) {
  const bytes = Uint8Array.from(Buffer.from(state.ids, "base64"));
  return widget.readCorpus((name) => (name === "ids" ? new DataView(bytes.buffer) : state[name]));
}

function assertClose(got, expected, what) {
  assert.equal(got.length, expected.length, what);
  expected.forEach((p, id) => assert.ok(Math.abs(got[id] - p) < 1e-12, `${what}, symbol ${id}: ${got[id]}, not ${p}`));
}

test("every distribution equals Python's", { skip }, () => {
  assert.ok(cases.length > 0);
  for (const one of cases) {
    const corpus = corpusOfCase(one);
    for (const { context, tokens, orders } of one.contexts) {
      assert.deepEqual(widget.tokenize(corpus, context), tokens);
      const answers = exploreText(corpus, context, one.state.k);
      assert.equal(answers.length, orders.length);
      orders.forEach((expected, i) => {
        const what = `${one.name}, after ${JSON.stringify(context)}, order ${i + 1}`;
        assert.equal(answers[i].short > 0, expected.seen === null, what);
        if (expected.seen === null) return;
        assert.equal(answers[i].seen, expected.seen, what);
        for (const method of widget.METHODS) {
          if (expected[method] === null) assert.equal(answers[i][method], null, `${what}, ${method}`);
          else assertClose(answers[i][method], expected[method], `${what}, ${method}`);
        }
      });
    }
  }
});

test("every distribution sums to one", { skip }, () => {
  for (const one of cases) {
    const corpus = corpusOfCase(one);
    for (const { context } of one.contexts) {
      for (const answer of exploreText(corpus, context, 0.3)) {
        for (const method of widget.METHODS) {
          if (answer[method]) assert.ok(Math.abs(sum(answer[method]) - 1) < 1e-9, `${one.name} ${context} ${method}`);
        }
      }
    }
  }
});

test("a Kneser–Ney bigram by hand", { skip }, () => {
  // "abac": bigrams ab, ba, ac. After a: b once, c once. D1 = 1/2, so each keeps 1/4 and 1/2 goes down.
  // Below, symbols by their left neighbours: b {a}, a {b}, c {a}, one each of three; D1 = 1/2 takes half of each,
  // so P1 = 1/6 + 1/2 · 1/3 = 1/3 for each. P(b | a) = 1/4 + 1/2 · 1/3 = 5/12, P(a | a) = 1/6.
  const [, bigram] = exploreText(corpusOf("abac", 2), "a");
  assertClose(bigram.kneser_ney, [1 / 6, 5 / 12, 5 / 12], "P(· | a)");
  assert.equal(bigram.handed, 0.5);
  assert.deepEqual([bigram.seen, bigram.kinds], [2, 2]);
  assertClose(bigram.mle, [0, 1 / 2, 1 / 2], "maximum likelihood");
  assertClose(bigram.add_k, [1 / 5, 2 / 5, 2 / 5], "add-one: (0+1)/(2+3), (1+1)/(2+3)");
});

test("a context never seen: no maximum likelihood, uniform add-k, everything handed down", { skip }, () => {
  const [, bigram, trigram] = exploreText(corpusOf("abac", 3), "ca");
  assert.equal(trigram.seen, 0);
  assert.equal(trigram.mle, null);
  assert.equal(trigram.handed, 1);
  assertClose(trigram.add_k, [1 / 3, 1 / 3, 1 / 3], "add-k");
  assert.equal(bigram.seen, 2);
});

test("an unknown symbol hides what stands before it, and nothing after it", { skip }, () => {
  const corpus = corpusOf("abac", 3);
  assert.deepEqual(exploreText(corpus, "xa").map((answer) => answer.seen), [4, 2, 0]);
  assert.deepEqual(exploreText(corpus, "ax").map((answer) => answer.seen), [4, 0, 0]);
});

test("a short context leaves the high orders waiting", { skip }, () => {
  const answers = exploreText(corpusOf("abacabad", 5), "ab");
  assert.deepEqual(answers.map((answer) => answer.short), [0, 0, 0, 1, 2]);
  assert.equal(widget.speaker(answers, 5).order, 3);
  assert.equal(widget.speaker(answers, 2).order, 2);
});

test("temperature sharpens, flattens, and at 0 decides", { skip }, () => {
  const p = Float64Array.from([0.2, 0.8, 0]);
  assertClose(widget.temper(p, 1), [0.2, 0.8, 0], "T = 1");
  assertClose(widget.temper(p, 0.5), [1 / 17, 16 / 17, 0], "T = 1/2: squares 1 and 16");
  assertClose(widget.temper(p, 0), [0, 1, 0], "T = 0");
  assertClose(widget.temper(Float64Array.from([0.4, 0.4, 0.2]), 0), [1, 0, 0], "a tie goes to the first");
  assert.ok(widget.temper(Float64Array.from([1e-9, 1 - 1e-9]), 0.01).every(Number.isFinite));
});

test("drawing follows the probabilities and never draws a zero", { skip }, () => {
  const p = [0, 0.25, 0, 0.75, 0];
  const drawn = Array.from({ length: 20000 }, (_, i) => widget.draw(p, widget.uniform(7, i)));
  const share = (id) => drawn.filter((x) => x === id).length / drawn.length;
  assert.ok(Math.abs(share(1) - 0.25) < 0.012, `${share(1)}: four standard errors are 0.012`);
  assert.equal(share(1) + share(3), 1);
  assert.equal(widget.draw(p, 0), 1);
  assert.equal(widget.draw([0.5, 0.4999999, 0], 0.99999999), 1); // rounding leaves a gap at the end
});

test("uniform numbers are in [0, 1), differ between seeds, and are the same again", { skip }, () => {
  const numbers = Array.from({ length: 5000 }, (_, i) => widget.uniform(3, i));
  assert.ok(numbers.every((u) => u >= 0 && u < 1));
  assert.ok(Math.abs(sum(numbers) / 5000 - 0.5) < 0.017); // four standard errors
  assert.deepEqual(numbers, Array.from({ length: 5000 }, (_, i) => widget.uniform(3, i)));
  assert.notEqual(widget.uniform(3, 0), widget.uniform(4, 0));
});

test("the same seed writes the same text, step by step or at once", { skip }, () => {
  const corpus = corpusOf("a rabbit ran around a barn and a bard ran after a rabbit ".repeat(3), 4);
  const state = { order: 4, smoothing: "kneser_ney", k: 1, temperature: 1, seed: 5 };
  const atOnce = widget.sample(corpus, "a ", 30, state);
  let stepwise = "a ";
  for (let i = 0; i < 30; i++) stepwise = widget.sample(corpus, stepwise, 1, state);
  assert.equal(atOnce, stepwise);
  assert.equal(atOnce.length, 32);
  assert.notEqual(atOnce, widget.sample(corpus, "a ", 30, { ...state, seed: 6 }));
});

test("maximum likelihood stops where it has no answer", { skip }, () => {
  const state = { order: 2, smoothing: "mle", k: 1, temperature: 1, seed: 0 };
  assert.equal(widget.sample(corpusOf("aab", 2), "ab", 5, state), "ab"); // nothing follows b
});

test("words are appended and dropped with their spaces", { skip }, () => {
  const corpus = { ...corpusOf("abc", 2), unit: "words", index: new Map(), symbols: ["the", "cat"] };
  assert.equal(widget.append(corpus, "", 0), "the");
  assert.equal(widget.append(corpus, "the ", 1), "the cat");
  assert.equal(widget.dropLast(corpus, "the  cat "), "the");
  assert.equal(widget.dropLast(corpus, ""), "");
});

test("a character outside the basic plane is one symbol", { skip }, () => {
  const corpus = corpusOf("ab", 2);
  assert.deepEqual(widget.tokenize(corpus, "a🙂b"), ["a", "🙂", "b"]);
  assert.equal(widget.dropLast(corpus, "a🙂"), "a");
});

test("percent keeps certainty apart from near certainty", { skip }, () => {
  assert.deepEqual([0, 1, 0.0001, 0.99999, 0.1234].map(widget.percent), ["0%", "100%", "<0.1%", ">99.9%", "12.3%"]);
});

test("the sentence says who speaks, who has no answer and what is unknown", { skip }, () => {
  const corpus = corpusOf("abac", 3);
  const say = (context, order, smoothing) =>
    widget.verdict(corpus, { context, order, smoothing }, exploreText(corpus, context));
  assert.match(say("a", 2, "mle"), /^After “a”, seen twice, maximum likelihood expects “b” \(50\.0%\)\.$/);
  assert.match(say("a", 3, "mle"), /^Order 3 needs a longer context, so order 2 speaks\./);
  assert.match(say("ca", 3, "mle"), /“ca” was never seen\. Maximum likelihood has no answer, .* falls back on order 2/);
  assert.match(say("zz", 2, "mle"), /^“z” is not among the 3 symbols of this text\./);
});
