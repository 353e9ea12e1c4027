// The weights of all layers and heads, from the bytes that Python sent, and how a weight is written.
//
// A weight travels as a code 0 to 255, in steps of the heaviest of its row. Everything is counted from 0, as Python
// counts.

const STEPS = 255;

function bytesOf(value) {
  const view = ArrayBuffer.isView(value) ? value : new Uint8Array(value);
  return new Uint8Array(view.buffer.slice(view.byteOffset, view.byteOffset + view.byteLength)); // aligned
}

/** All sets: name, numbers of layers and heads, tokens that look and are seen, and rowOf(layer, head, query). */
export function readSets(get) {
  const [codes, scales] = [bytesOf(get("codes")), new Float32Array(bytesOf(get("scales")).buffer)];
  let before = { codes: 0, rows: 0 };
  return get("kinds").map((kind, k) => {
    const [layers, heads, M, N] = get("shapes")[k];
    const [queries, keys] = get("sides")[k].map(get);
    const start = before;
    before = { codes: start.codes + layers * heads * M * N, rows: start.rows + layers * heads * M };
    const rowOf = (layer, head, i) => {
      const n = (layer * heads + head) * M + i;
      const [scale, at] = [scales[start.rows + n], start.codes + n * N];
      return Array.from(codes.subarray(at, at + N), (code) => (scale * code) / STEPS);
    };
    return { kind, layers, heads, queries, keys, rowOf };
  });
}

export const setOf = (sets, kind) => sets.find((set) => set.kind === kind) ?? sets[0];

/** The weights of one head, a row for each token that looks. */
export const matrixOf = (set, layer, head) => set.queries.map((_, i) => set.rowOf(layer, head, i));

export const within = (n, count) => Math.min(Math.max(n, 0), count - 1);

/** The state with a layer and a head that the set has. */
export const insideSet = (set, { layer, head }) => ({ layer: within(layer, set.layers), head: within(head, set.heads) });

/** A row's places, the heaviest first; the first of equal ones. */
export const ranked = (row) => row.map((_, i) => i).sort((one, other) => row[other] - row[one] || one - other);

export const seesNothing = (row) => row.every((weight) => weight === 0);

/** A weight in whole percent; what is exactly 0 or 1 stands out from what is nearly so. */
export function share(weight) {
  if (weight === 0 || weight === 1) return `${100 * weight} %`;
  if (weight < 0.005) return "< 0.5 %";
  return weight >= 0.995 ? "> 99.5 %" : `${Math.round(100 * weight)} %`;
}

export const nth = (words, i) => `“${words[i]}” (place ${i + 1} of ${words.length})`;
