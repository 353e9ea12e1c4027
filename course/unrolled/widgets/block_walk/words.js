// What is said of a place on the way, and of the way as a whole. A test in Node reads the sentences.

import { cosine, facts, looksOf } from "./numbers.js";
import { percent, signed } from "../figures.js";

const NAMES = {
  input: "comes in", norm: "norm", attention: "attention", cross: "cross-attention", feed_forward: "feed-forward",
  add: "add", final: "final norm",
};

/** A place's name: “norm1” is a norm. */
export const nameOf = (place) => NAMES[place.replace(/\d$/, "")];

const nth = (words, i) => `“${words[i]}” (place ${i + 1} of ${words.length})`;
const long = (vector) => facts(vector).length.toFixed(2);

/** The head that puts most weight on one token, and which. */
function heaviest(all, layer, part, token) {
  const rows = looksOf(all, layer, part, token);
  if (!rows.length) return "";
  const most = Math.max(...rows.flat());
  if (most === 0) return " It may look nowhere.";
  const head = rows.findIndex((row) => row.includes(most));
  const seen = nth(all.keys[part], rows[head].indexOf(most));
  return ` Of its ${rows.length} heads number ${head} looks hardest at one token: ${seen}, ${percent(most)}.`;
}

function ofSum(found, { from: [came, added], vector }) {
  return `What came in (length ${long(came)}) and what ${found} found (${long(added)}) are added: length ` +
    `${long(vector)}. Cosine of the sum with what came in: ${signed(cosine(vector, came))}.`;
}

function ofNorm({ from: [before], vector }) {
  const [old, now] = [facts(before), facts(vector)];
  return `Each number less the mean, divided by the spread, times γ, plus β: mean ${signed(old.mean)} becomes ` +
    `${signed(now.mean)}, spread ${old.spread.toFixed(2)} becomes ${now.spread.toFixed(2)}, length ` +
    `${old.length.toFixed(2)} becomes ${now.length.toFixed(2)}.`;
}

function sentence(all, { token, layer }, steps, at) {
  const { place, vector } = steps[at];
  if (place === "input")
    return layer ? `This is what layer ${layer - 1} gave. Length ${long(vector)}.`
      : `This goes into the first block. Length ${long(vector)}.`;
  const work = place.replace(/\d$/, "");
  if (work === "norm" || work === "final") return ofNorm(steps[at]);
  if (work === "add") return ofSum(nameOf(steps[at - 1].place), steps[at]);
  if (work === "feed_forward")
    return `A small net works on this token alone and sees no other. What it found has length ${long(vector)}.`;
  const others = "Here the token looks at others, and itself.";
  const where = work === "cross" ? "It asks the memory, the encoder's output." : others;
  return `${where}${heaviest(all, layer, work, token)} What it found has length ${long(vector)}.`;
}

/** A place on the way in a few sentences, for the eye and for the screen reader. */
export function told(all, state, steps) {
  const at = steps.findIndex(({ place }) => place === state.part);
  const where = `${nth(all.tokens, state.token)}, layer ${state.layer}, ${nameOf(state.part)}`;
  return `${where}. ${sentence(all, state, steps, at)}`;
}

/** How long the vector is on its way through all layers. */
export function lengths(all, token, walk) {
  const last = all.parts.at(-1);
  const ends = walk.map((steps, n) => `${long(steps.find(({ place }) => place === last).vector)} after layer ${n}`);
  const final = all.closed ? [`${long(walk.at(-1).at(-1).vector)} after the final norm`] : [];
  return `Length of “${all.tokens[token]}”: ${[`${long(walk[0][0].vector)} at first`, ...ends, ...final].join(", ")}.`;
}
