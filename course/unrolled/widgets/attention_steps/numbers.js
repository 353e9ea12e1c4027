// The numbers and words of attention step by step: matrices from bytes, entropies, and what is said.
//
// A test in Node holds what is here to widget.py. Everything is counted from 0, as Python counts.

import { percent } from "../figures.js";

/** What is shown: source and target words, matrices by score, true source words. */
export function readSteps(get) {
  const [source, target, scores] = ["source", "target", "scores"].map(get);
  const value = get("weights");
  const view = ArrayBuffer.isView(value) ? value : new Uint8Array(value);
  const all = new Float32Array(view.buffer.slice(view.byteOffset, view.byteOffset + view.byteLength));
  const [M, N] = [target.length, source.length];
  const row = (n) => Array.from(all.subarray(n * N, (n + 1) * N));
  const matrices = scores.map((_, k) => target.map((_, j) => row(k * M + j)));
  return { source, target, scores, matrices, aligned: get("aligned") };
}

/** The entropy of a row in bits; 0 log 0 counts as 0. */
export const entropy = (row) => -row.reduce((sum, w) => sum + (w > 0 ? w * Math.log2(w) : 0), 0) + 0; // + 0: no −0

/** The place of the largest weight, the first of equal ones. */
export const heaviest = (row) => row.indexOf(Math.max(...row));

/** In how many rows the heaviest weight lies on the true source word, and how many rows have one. */
export function hits(matrix, aligned) {
  const pairs = aligned.map((place, j) => [place, heaviest(matrix[j])]).filter(([place]) => place >= 0);
  return [pairs.filter(([place, found]) => place === found).length, pairs.length];
}

/** What a key does to the state; null if nothing. */
export function walked({ target, scores }, { step, score }, key) {
  const [last, at] = [target.length - 1, scores.indexOf(score)];
  const inside = (n, most) => Math.min(Math.max(n, 0), most);
  const next = {
    ArrowLeft: { step: inside(step - 1, last) },
    ArrowRight: { step: inside(step + 1, last) },
    Home: { step: 0 },
    End: { step: last },
    ArrowUp: { score: scores[inside(at - 1, scores.length - 1)] },
    ArrowDown: { score: scores[inside(at + 1, scores.length - 1)] },
  };
  return next[key] ?? null;
}

// --- words

const nth = (words, i) => `“${words[i]}” (place ${i + 1} of ${words.length})`;

/** What the true alignment says of a step. */
function truth({ source, aligned }, row, j) {
  if (!aligned.length) return "";
  if (aligned[j] < 0) return " It comes from no source word.";
  if (aligned[j] === heaviest(row)) return " That is the true source word.";
  return ` The true source word is ${nth(source, aligned[j])}, with ${percent(row[aligned[j]])}.`;
}

/** A step in a sentence or two, for the eye and for the screen reader. */
export function told(all, { step, score }) {
  const { source, target, scores, matrices } = all;
  const row = matrices[scores.indexOf(score)][step];
  const most = heaviest(row);
  const which = scores.length > 1 ? `, ${score}` : "";
  return `Step ${step + 1} of ${target.length}${which}: “${target[step]}” is written. The heaviest weight, ` +
    `${percent(row[most])}, lies on ${nth(source, most)}.${truth(all, row, step)} ` +
    `Entropy ${entropy(row).toFixed(2)} of at most ${Math.log2(source.length).toFixed(2)} bits.`;
}

/** How often a matrix is right; nothing if no row has a true source word. */
export function scored(matrix, aligned) {
  const [right, of] = hits(matrix, aligned);
  return of ? `heaviest on the true word: ${right} of ${of}` : "";
}
