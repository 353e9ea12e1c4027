// The numbers of a walk: vectors and weights from bytes, the sums, length, mean and spread, and what a key does.
//
// A test in Node holds what is here to widget.py. Everything is counted from 0, as Python counts.

function floatsOf(value) {
  const view = ArrayBuffer.isView(value) ? value : new Uint8Array(value);
  return new Float32Array(view.buffer.slice(view.byteOffset, view.byteOffset + view.byteLength)); // aligned
}

export const isSum = (part) => part.startsWith("add");
const LOOKING = ["attention", "cross"];

/** Reads arrays that lie one behind the other: take(count) gives the next numbers. */
function taker(numbers) {
  let at = 0;
  return (count) => numbers.subarray(at, (at += count));
}

/** What Python sent; given[layer][part] are (N, D) numbers, looks[layer][part] (H, N, keys), both flat. */
export function readWalk(get) {
  const [tokens, context, norm, parts, depth, closed] =
    ["tokens", "context", "norm", "parts", "depth", "closed"].map(get);
  const N = tokens.length;
  const numbers = floatsOf(get("vectors"));
  const rows = 1 + depth * parts.filter((part) => !isSum(part)).length + (closed ? 1 : 0);
  const D = numbers.length / rows / N;
  const [take, look] = [taker(numbers), taker(floatsOf(get("looks")))];
  const layers = Array.from({ length: depth }, (_, n) => n);
  const x = take(N * D);
  const given = layers.map(() =>
    Object.fromEntries(parts.filter((part) => !isSum(part)).map((part) => [part, take(N * D)])));
  const final = closed ? take(N * D) : null;
  const looking = LOOKING.filter((part) => parts.includes(part));
  const heads = layers.map((n) => looking.map((_, k) => get("heads")[n * looking.length + k]));
  const keys = { attention: tokens, cross: context };
  const looks = layers.map((n) => Object.fromEntries(looking.map((part, k) =>
    [part, { heads: heads[n][k], weights: look(heads[n][k] * N * keys[part].length) }])));
  return { tokens, context, norm, parts, depth, closed, width: D, x, given, final, looking, keys, looks };
}

/** Where a vector can be looked at in a layer, in order. */
export const placesOf = ({ parts, depth, closed }, layer) =>
  ["input", ...parts, ...(closed && layer === depth - 1 ? ["final"] : [])];

const plus = (one, other) => one.map((number, n) => number + other[n]);

/** A token's way: for each layer a list of { place, vector, from }; from: the vectors that it was made of. */
export function walkOf(all, token) {
  const row = (numbers) => Array.from(numbers.subarray(token * all.width, (token + 1) * all.width));
  let stream = row(all.x);
  const walk = all.given.map((given) => {
    let now = stream;
    const steps = [{ place: "input", vector: stream, from: [] }];
    for (const part of all.parts) {
      const from = isSum(part) ? [stream, now] : [now];
      now = isSum(part) ? plus(stream, now) : row(given[part]);
      steps.push({ place: part, vector: now, from });
      if (isSum(part) || (all.norm === "post" && part.startsWith("norm"))) stream = now;
    }
    return steps;
  });
  if (all.closed) walk.at(-1).push({ place: "final", vector: row(all.final), from: [stream] });
  return walk;
}

/** Where a token's heads look: a row of weights for each head; none if it is not known. */
export function looksOf(all, layer, part, token) {
  const { heads, weights } = all.looks[layer][part];
  const [N, K] = [all.tokens.length, all.keys[part].length];
  const row = (n) => Array.from(weights.subarray(n * K, (n + 1) * K));
  return Array.from({ length: heads }, (_, h) => row(h * N + token));
}

/** Length √Σ x², mean μ, spread σ = √(Σ (x − μ)² / D). */
export function facts(vector) {
  const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);
  const mean = sum(vector) / vector.length;
  const spread = Math.sqrt(sum(vector.map((x) => (x - mean) ** 2)) / vector.length);
  return { length: Math.hypot(...vector), mean, spread };
}

/** How much one vector points where the other does, −1 to 1; 0 if one of them is nothing. */
export function cosine(one, other) {
  const dot = one.reduce((sum, x, n) => sum + x * other[n], 0);
  return dot / (facts(one).length * facts(other).length || 1);
}

/** The largest size of any of these numbers; never 0, since it divides. */
export const reach = (rows) => Math.max(1e-9, ...rows.flat().map(Math.abs));

const within = (n, count) => Math.min(Math.max(n, 0), count - 1);

/** The state with a place that its layer has: what only the last one has becomes the end of another. */
export function insideWalk(all, state) {
  const places = placesOf(all, state.layer);
  return { ...state, part: places.includes(state.part) ? state.part : places.at(-1) };
}

/** One place on (1) or back (−1); null at both ends. A layer's input is passed over, since the one before ends with it. */
export function stepped(all, { layer, part }, by) {
  const places = placesOf(all, layer);
  const at = places.indexOf(part) + by;
  if (at >= (layer ? 1 : 0) && at < places.length) return { part: places[at] };
  const next = layer + by;
  if (next < 0 || next >= all.depth) return null;
  return { layer: next, part: by > 0 ? placesOf(all, next)[1] : placesOf(all, next).at(-1) };
}

/** What a key on the keyboard does to the state; null if nothing. */
export function walked(all, state, pressed) {
  const { tokens, depth } = all;
  const next = {
    ArrowLeft: () => ({ token: within(state.token - 1, tokens.length) }),
    ArrowRight: () => ({ token: within(state.token + 1, tokens.length) }),
    Home: () => ({ token: 0 }),
    End: () => ({ token: tokens.length - 1 }),
    ArrowUp: () => stepped(all, state, -1) ?? {},
    ArrowDown: () => stepped(all, state, 1) ?? {},
    PageUp: () => ({ layer: within(state.layer - 1, depth) }),
    PageDown: () => ({ layer: within(state.layer + 1, depth) }),
  };
  return next[pressed]?.() ?? null;
}
