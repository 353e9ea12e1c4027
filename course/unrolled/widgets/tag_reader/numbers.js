// The tag reader's numbers and words: sentences from bytes, probabilities, parts of logits, and what is said of them.
//
// A test in Node holds what is here to widget.py. Everything is counted from 0, as Python counts.

import { percent, signed } from "../figures.js";

function floats(value) {
  const view = ArrayBuffer.isView(value) ? value : new Uint8Array(value);
  return new Float32Array(view.buffer.slice(view.byteOffset, view.byteOffset + view.byteLength));
}

/** All sentences, that of the reader last: words, and for each word the two parts of its logits. */
export function readSentences(get) {
  const K = get("tags").length;
  const [forward, backward] = [floats(get("forward")), floats(get("backward"))];
  const row = (all, n) => Array.from(all.subarray(n * K, (n + 1) * K));
  let at = 0;
  const sentences = get("words").map((words) => {
    const places = words.map(() => at++);
    return { words, forward: places.map((n) => row(forward, n)), backward: places.map((n) => row(backward, n)) };
  });
  const { words, forward: left, backward: right } = get("answer");
  return words ? [...sentences, { words, forward: left, backward: right, own: true }] : sentences;
}

/** The state with a word that is there: the sentence may be new, and shorter. */
export function inside(sentences, { sentence, word }) {
  const n = Math.min(sentence, sentences.length - 1);
  return { sentence: n, word: Math.min(word, sentences[n].words.length - 1) };
}

/** Of one word all tags, the likeliest first: probability, the three parts, and their sum. */
export function tagsOf({ forward, backward }, bias, t) {
  const sums = bias.map((b, k) => forward[t][k] + backward[t][k] + b);
  const largest = Math.max(...sums);
  const powers = sums.map((sum) => Math.exp(sum - largest));
  const total = powers.reduce((a, b) => a + b);
  return sums
    .map((logit, tag) => ({ tag, p: powers[tag] / total, parts: [forward[t][tag], backward[t][tag], bias[tag]], logit }))
    .sort((one, other) => other.p - one.p || one.tag - other.tag);
}

/** Each part's [from, to]: what is positive is laid to the right of zero, end to end, what is negative to the left. */
export function laid(parts) {
  const ends = { up: 0, down: 0 };
  return parts.map((part) => {
    const side = part < 0 ? "down" : "up";
    const from = ends[side];
    ends[side] += part;
    return part < 0 ? [ends[side], from] : [from, ends[side]];
  });
}

/** The least and the largest end of the bars of all words' likeliest tags, so that one scale holds for the sentence. */
export function reach(sentence, bias, rows) {
  const shown = sentence.words.flatMap((_, t) => tagsOf(sentence, bias, t).slice(0, rows));
  const ends = shown.flatMap(({ parts }) => laid(parts).flat());
  return ends.reduce(([low, high], end) => [Math.min(low, end), Math.max(high, end)], [0, 1e-9]);
}

// --- words

/** Of the word looked at: its tag, the next one, and where the lead of the first comes from. */
export function told({ tags, directions }, word, ranked) {
  const [first, second] = ranked;
  const tagged = `“${word}” is tagged ${tags[first.tag]} (${percent(first.p)})`;
  if (!second) return `${tagged}.`;
  const [left, right, bias] = first.parts.map((part, i) => signed(part - second.parts[i]));
  const from = directions === 2 ? `reading from the right ${right}` : "this net does not read from the right";
  return `${tagged}, next is ${tags[second.tag]} (${percent(second.p)}). Of the lead in logits, ` +
    `${signed(first.logit - second.logit)}, reading from the left gives ${left}, ${from}, the bias ${bias}.`;
}
