// The n-gram explorer's arithmetic: counts in the text, and from them every distribution.
//
// The model is the text. Python sends the training symbols as bytes and Kneser–Ney's discounts as numbers;
// everything else is counted here, by looking through the text for the context. So the same file works in a
// notebook and on a static page, and a test in Node holds its numbers to those of unrolled.ngrams.KneserNey.
// Left out on purpose: an index of the text (scanning 100,000 symbols takes about a millisecond).

export const METHODS = ["mle", "add_k", "kneser_ney"];

/** The training text as an array of symbol ids, from little-endian bytes of `width` bytes a symbol. */
export function decodeIds(bytes, width) {
  const view = ArrayBuffer.isView(bytes) ? bytes : new Uint8Array(bytes);
  const copy = view.buffer.slice(view.byteOffset, view.byteOffset + view.byteLength); // aligned for 2 and 4
  return new { 1: Uint8Array, 2: Uint16Array, 4: Uint32Array }[width](copy);
}

/** All that is known of the text; `get` reads one trait. What never changes is counted once and kept. */
export function readCorpus(get) {
  const symbols = get("symbols");
  const corpus = {
    symbols,
    ids: decodeIds(get("ids"), get("id_bytes")),
    unknown: get("unknown"),
    unit: get("unit"),
    maxOrder: get("max_order"),
    discounts: get("discounts"), // [order - 1] = { raw: [D1, D2, D3+], continuation: [D1, D2, D3+] }
    index: new Map(symbols.map((symbol, id) => [symbol, id])),
    specials: symbols.filter((symbol) => [...symbol].length > 1).sort((a, b) => b.length - a.length),
  };
  corpus.rawUnigrams = rawCounts(corpus, corpus.ids.keys());
  corpus.continuationUnigrams = continuationCounts(corpus, corpus.ids.keys(), 1);
  return corpus;
}

/** The symbols of a context as written: characters (and symbols like <s>), or words between spaces. */
export function tokenize(corpus, context) {
  if (corpus.unit === "words") return context.split(corpus.index.has("\n") ? / +/ : /\s+/).filter(Boolean);
  const tokens = [];
  for (let at = 0; at < context.length; at += tokens.at(-1).length) {
    const special = corpus.specials.find((symbol) => context.startsWith(symbol, at));
    tokens.push(special ?? String.fromCodePoint(context.codePointAt(at)));
  }
  return tokens;
}

/** Ids of the tokens; an unknown one is what the vocabulary has for such (<unk>), else -1, which matches nothing. */
export function encode(corpus, tokens) {
  return tokens.map((token) => corpus.index.get(token) ?? corpus.unknown);
}

/** Where the text goes on after the context: for each length L >= 1, all i with ids[i-L..i-1] = its last L. */
export function occurrences(ids, context) {
  const found = [null]; // length 0: everywhere
  for (let length = 1; length <= context.length; length++) {
    const wanted = context[context.length - length];
    const positions = [];
    if (length === 1) {
      for (let i = 1; i < ids.length; i++) if (ids[i - 1] === wanted) positions.push(i);
    } else {
      for (const i of found[length - 1]) if (ids[i - length] === wanted) positions.push(i);
    }
    found.push(positions);
  }
  return found;
}

/** c(context, w) for every symbol w. */
function rawCounts({ ids, symbols }, positions) {
  const counts = new Uint32Array(symbols.length);
  for (const i of positions) counts[ids[i]]++;
  return counts;
}

/**
 * N1+(·, context, w) for every symbol w: how many different symbols stand before this n-gram. Before the text's
 * first n-gram stands nothing; if it occurs nowhere else it keeps its one occurrence.
 */
function continuationCounts({ ids, symbols }, positions, order) {
  const counts = new Uint32Array(symbols.length);
  const pairs = new Set();
  for (const i of positions) {
    const pair = i < order ? -1 : ids[i - order] * symbols.length + ids[i];
    if (!pairs.has(pair)) counts[ids[i]]++;
    pairs.add(pair);
  }
  if (pairs.has(-1) && counts[ids[order - 1]] > 1) counts[ids[order - 1]]--;
  return counts;
}

export const sum = (numbers) => numbers.reduce((total, x) => total + x, 0);

/** One step of interpolated Kneser–Ney: take D from each count, hand what was taken to the lower order. */
export function discount(counts, [one, two, more], lower) {
  const total = sum(counts);
  if (total === 0) return { p: lower, handed: 1 };
  const taken = (c) => Math.min(c, c === 0 ? 0 : c === 1 ? one : c === 2 ? two : more);
  const handed = counts.reduce((mass, c) => mass + taken(c), 0) / total;
  const p = Float64Array.from(counts, (c, w) => (c - taken(c)) / total + handed * lower[w]);
  return { p, handed };
}

/**
 * One answer an order: `seen` is how often its context occurs with a symbol after it, `kinds` how many different
 * symbols follow, `handed` the share Kneser–Ney gives to the lower order, and one distribution a method.
 * An order whose context is not written yet has `short` symbols to go and nothing else; maximum likelihood
 * has no answer (null) after a context never seen.
 */
export function explore(corpus, context, k) {
  const size = corpus.symbols.length;
  const longest = context.slice(Math.max(0, context.length - corpus.maxOrder + 1));
  const found = occurrences(corpus.ids, longest);
  const answers = [];
  let lower = new Float64Array(size).fill(1 / size);
  for (let order = 1; order <= corpus.maxOrder; order++) {
    if (order > longest.length + 1) {
      answers.push({ order, short: order - 1 - longest.length });
      continue;
    }
    const counts = order === 1 ? corpus.rawUnigrams : rawCounts(corpus, found[order - 1]);
    const seen = sum(counts);
    const discounts = corpus.discounts[order - 1];
    const { p, handed } = discount(counts, discounts.raw, lower);
    answers.push({
      order, seen, handed, short: 0,
      context: longest.slice(longest.length - order + 1),
      kinds: counts.reduce((kinds, c) => kinds + (c > 0), 0),
      mle: seen ? Float64Array.from(counts, (c) => c / seen) : null,
      add_k: seen + k * size > 0 ? Float64Array.from(counts, (c) => (c + k) / (seen + k * size)) : null,
      kneser_ney: p,
    });
    const before =
      order === 1 ? corpus.continuationUnigrams : continuationCounts(corpus, found[order - 1], order);
    lower = discount(before, discounts.continuation, lower).p;
  }
  return answers;
}

/** The `limit` most probable symbols, most probable first; `tie` decides between equals, then the vocabulary. */
export function top(p, limit, tie = p) {
  return Array.from(p.keys()).sort((a, b) => p[b] - p[a] || tie[b] - tie[a] || a - b).slice(0, limit);
}

/** p^(1/T), renormalised; T = 0 puts everything on the most probable symbol. */
export function temper(p, temperature) {
  const largest = p.reduce((a, b) => Math.max(a, b));
  if (temperature === 0) return p.map((_, id) => Number(id === p.indexOf(largest)));
  const powers = p.map((x) => (x / largest) ** (1 / temperature));
  const total = sum(powers);
  return powers.map((x) => x / total);
}

/** A number in [0, 1) that depends on seed and position alone, so the same seed writes the same text. */
export function uniform(seed, position) {
  let x = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(position + 1, 0xc2b2ae35);
  x = Math.imul(x ^ (x >>> 16), 0x21f0aaad);
  x = Math.imul(x ^ (x >>> 15), 0x735a2d97);
  return ((x ^ (x >>> 15)) >>> 0) / 2 ** 32;
}

/** The symbol at which the running sum passes u; a symbol of probability 0 is never drawn. */
export function draw(p, u) {
  let left = u;
  let last = -1;
  for (let id = 0; id < p.length; id++) {
    if (p[id] === 0) continue;
    last = id;
    left -= p[id];
    if (left < 0) break;
  }
  return last;
}

/** The context with `count` drawn symbols after it; fewer where the method has no answer. */
export function sample(corpus, context, count, { order, smoothing, k, temperature, seed }) {
  let text = context;
  for (let i = 0; i < count; i++) {
    const tokens = tokenize(corpus, text);
    const ids = encode(corpus, tokens.slice(-(corpus.maxOrder - 1)));
    const speaking = Math.min(order, ids.length + 1);
    const p = explore({ ...corpus, maxOrder: speaking }, ids, k)[speaking - 1][smoothing];
    if (p === null) break;
    text = append(corpus, text, draw(temper(p, temperature), uniform(seed, tokens.length)));
  }
  return text;
}

/** The context with one more symbol, as one would write it. */
export function append(corpus, context, id) {
  const symbol = corpus.symbols[id];
  if (corpus.unit === "characters") return context + symbol;
  return context.replace(/ +$/, "") + (context.trim() ? " " : "") + symbol;
}

/** The context without its last symbol. */
export function dropLast(corpus, context) {
  const kept = tokenize(corpus, context).slice(0, -1);
  return kept.join(corpus.unit === "words" ? " " : "");
}
