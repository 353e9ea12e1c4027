// The numbers and words of query and keys: vectors from bytes, products, scores, weights, and what is said of them.
//
// A test in Node holds what is here to widget.py. Everything is counted from 0, as Python counts.

import { percent, signed } from "../figures.js";

function bytesOf(value) {
  const view = ArrayBuffer.isView(value) ? value : new Uint8Array(value);
  return new Uint8Array(view.buffer.slice(view.byteOffset, view.byteOffset + view.byteLength)); // aligned
}

/** What Python sent; queryOf(head, i) and keyOf(head, j) are vectors of K numbers, may(i, j) says what may be seen. */
export function readVectors(get) {
  const [tokens, seen, [H, M, N, K]] = ["tokens", "seen", "shape"].map(get);
  const [queries, vectors] = ["queries", "vectors"].map((name) => new Float32Array(bytesOf(get(name)).buffer));
  const mask = bytesOf(get("mask"));
  const row = (all, n) => Array.from(all.subarray(n * K, (n + 1) * K));
  const queryOf = (head, i) => row(queries, head * M + i);
  const keyOf = (head, j) => row(vectors, head * N + j);
  return { tokens, seen, heads: H, width: K, queryOf, keyOf, may: (i, j) => mask[i * N + j] === 1 };
}

/** Of one query, for each key: products, their sum, the score (divided or not), may it be seen, the weight. */
export function rowsOf(all, { head, query, scaled }) {
  const q = all.queryOf(head, query);
  const rows = all.seen.map((_, j) => {
    const products = all.keyOf(head, j).map((k, n) => q[n] * k);
    const sum = products.reduce((a, b) => a + b);
    return { products, sum, score: scaled ? sum / Math.sqrt(all.width) : sum, may: all.may(query, j) };
  });
  const largest = Math.max(...rows.map(({ score, may }) => (may ? score : -Infinity)));
  const powers = rows.map(({ score, may }) => (may ? Math.exp(score - largest) : 0));
  const total = powers.reduce((a, b) => a + b) || 1; // 1: nothing may be seen
  return rows.map((row, j) => ({ ...row, weight: powers[j] / total }));
}

/** The largest size of any of these numbers; never 0, since it divides. */
export const reach = (rows) => Math.max(1e-9, ...rows.flat().map(Math.abs));

/** A drawing, one wide for each number and 2 high, of bars from the middle: those up (sign 1) or down (sign −1). */
export function bars(numbers, largest, sign) {
  return numbers.flatMap((number, n) =>
    number * sign > 0 ? [`M${n} 1H${n + 0.8}V${(1 - number / largest).toFixed(3)}H${n}Z`] : []).join("");
}

/** What a key on the keyboard does to the state; null if nothing. */
export function walked({ tokens, seen, heads }, { head, query, key }, pressed) {
  const inside = (n, count) => Math.min(Math.max(n, 0), count - 1);
  const next = {
    ArrowLeft: { query: inside(query - 1, tokens.length) },
    ArrowRight: { query: inside(query + 1, tokens.length) },
    Home: { query: 0 },
    End: { query: tokens.length - 1 },
    ArrowUp: { key: inside(key - 1, seen.length) },
    ArrowDown: { key: inside(key + 1, seen.length) },
    PageUp: { head: inside(head - 1, heads) },
    PageDown: { head: inside(head + 1, heads) },
  };
  return next[pressed] ?? null;
}

// --- words

const nth = (words, i) => `“${words[i]}” (place ${i + 1} of ${words.length})`;

/** How the chosen key's score comes about. */
function chosen(all, { key, scaled }, row) {
  const sizes = row.products.map(Math.abs);
  const largest = sizes.indexOf(Math.max(...sizes));
  const part = `its largest part ${signed(row.products[largest])}, number ${largest}`;
  const divided = scaled ? `divided by √${all.width} that is ${signed(row.score)}` : "it is not divided";
  const end = row.may ? `softmax gives it ${percent(row.weight)}` : "it may not be seen, and gets 0 %";
  return `With ${nth(all.seen, key)} q·k is ${signed(row.sum)} (${part}); ${divided}; ${end}.`;
}

/** A query and its chosen key in a few sentences, for the eye and for the screen reader. */
export function told(all, state, rows) {
  const weights = rows.map(({ weight }) => weight);
  const most = weights.indexOf(Math.max(...weights));
  const which = all.heads > 1 ? `Head ${state.head}: ` : "";
  const heaviest = rows.some(({ may }) => may)
    ? `looks most at ${nth(all.seen, most)}, ${percent(weights[most])}` : "may see nothing: all its weights are 0";
  return `${which}${nth(all.tokens, state.query)} ${heaviest}. ${chosen(all, state, rows[state.key])}`;
}
