// The gradient laboratory's arithmetic: a small recurrent net forward, and the gradient of its loss backward.
//
// h_t = f(U h_{t-1} + x_t) for t = 1 … T, L = v · h_T. Python draws U, x, h_0 and v and sends them as bytes; a test in
// Node holds every number here to those of `curves` in widget.py. A vector or matrix is a Float64Array, row by row.

export const FUNCTIONS = {
  tanh: { f: Math.tanh, slope: (h) => 1 - h * h }, // the slope is written in terms of h = f(a)
  relu: { f: (a) => Math.max(a, 0), slope: (h) => (h > 0 ? 1 : 0) },
  linear: { f: (a) => a, slope: () => 1 },
};

/** Numbers from little-endian float32 bytes. */
export function decode(bytes) {
  const view = ArrayBuffer.isView(bytes) ? bytes : new Uint8Array(bytes);
  const copy = view.buffer.slice(view.byteOffset, view.byteOffset + view.byteLength); // aligned
  return Float64Array.from(new Float32Array(copy));
}

/** The net as drawn, before any slider; `get` reads one trait. */
export function readNet(get) {
  const [plain, orthogonal, inputs, first, reader] =
    ["plain", "orthogonal", "inputs", "first", "reader"].map((name) => decode(get(name)));
  return { hidden: get("hidden"), plain, orthogonal, inputs, first, reader };
}

const norm = (vector) => Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
const mean = (vector) => vector.reduce((sum, value) => sum + value, 0) / vector.length;

// Plain loops where the time goes: each step touches all of U three times.

function times(U, vector) {
  const H = vector.length;
  return vector.map((_, i) => {
    let sum = 0;
    for (let j = 0; j < H; j++) sum += U[i * H + j] * vector[j];
    return sum;
  });
}

function transposedTimes(U, vector) {
  const H = vector.length;
  const product = new Float64Array(H);
  for (let i = 0; i < H; i++) for (let j = 0; j < H; j++) product[j] += U[i * H + j] * vector[i];
  return product;
}

/** All states h_0 … h_T. */
function forward(net, U, { length, loudness, nonlinearity }) {
  const { f } = FUNCTIONS[nonlinearity];
  const states = [net.first];
  for (let t = 1; t <= length; t++) {
    const at = (t - 1) * net.hidden;
    states.push(times(U, states[t - 1]).map((a, i) => f(a + loudness * net.inputs[at + i])));
  }
  return states;
}

/** Adds the step's share to dU, the outer product of dL/da_t and h_{t-1}; its norm is the product of theirs. */
function addShare(dU, da, before) {
  const H = da.length;
  for (let i = 0; i < H; i++) for (let j = 0; j < H; j++) dU[i * H + j] += da[i] * before[j];
  return norm(da) * norm(before);
}

/** Every curve of the picture: index t of state, gradient and reference is step t; of slope and share, step t + 1. */
export function curves(net, settings) {
  const { radius, length, nonlinearity, start, clip } = settings;
  const U = net[start].map((u) => radius * u);
  const states = forward(net, U, settings);
  const slopes = states.slice(1).map((h) => h.map(FUNCTIONS[nonlinearity].slope));
  const gradient = Array(length + 1);
  const share = Array(length);
  const dU = new Float64Array(U.length);
  let g = net.reader;
  gradient[length] = norm(g);
  for (let t = length; t > 0; t--) {
    const da = g.map((value, i) => value * slopes[t - 1][i]);
    share[t - 1] = addShare(dU, da, states[t - 1]);
    g = transposedTimes(U, da);
    gradient[t - 1] = norm(g);
  }
  const size = norm(dU);
  return {
    state: states.map(norm),
    gradient,
    reference: states.map((_, t) => radius ** (length - t)),
    slope: slopes.map(mean),
    share,
    dU: size,
    clipped: clip === null ? size : Math.min(size, clip),
  };
}

/** How few steps, counted from one end, hold nine tenths of what adds up to dL/dU: { count, end }. */
export function reach(share) {
  const wanted = 0.9 * share.reduce((sum, value) => sum + value, 0);
  const needed = (shares) => {
    let sum = 0;
    return shares.findIndex((value) => (sum += value) >= wanted) + 1;
  };
  const [first, last] = [needed(share), needed([...share].reverse())];
  return last <= first ? { count: last, end: "last" } : { count: first, end: "first" };
}
