// Fill the mask, its numbers: sentences, the stored answers from bytes, and what a key or a click does.
//
// A test in Node holds what is here to packing.py and widget.py. Everything is counted from 0, as Python counts.

function numbersOf(Kind, value) {
  const view = ArrayBuffer.isView(value) ? value : new Uint8Array(value);
  return new Kind(view.buffer.slice(view.byteOffset, view.byteOffset + view.byteLength)); // aligned
}

/** All choices of `count` of these places, in the order of Python's itertools.combinations. */
function combinations(places, count) {
  if (count === 0) return [[]];
  return places.flatMap((place, i) => combinations(places.slice(i + 1), count - 1).map((rest) => [place, ...rest]));
}

/** The choices of a sentence that are stored, in their order. */
export function choicesOf({ free, most }) {
  return Array.from({ length: most + 1 }, (_, count) => combinations(free, count)).flat();
}

const keyOf = (n, choice) => `${n}:${choice}`;

/** The places that are hidden: those of the choice, and those where the text itself says [MASK]. */
const hiddenOf = ({ fixed }, choice) => [...fixed, ...choice].sort((one, other) => one - other);

/** Where the answer to each choice begins in what is stored, counted in places. */
function startsOf(lines) {
  const starts = new Map();
  let at = 0;
  lines.forEach((line, n) => choicesOf(line).forEach((choice) => {
    starts.set(keyOf(n, choice), at);
    at += line.fixed.length + choice.length;
  }));
  return starts;
}

/** answerOf(n, choice): for each hidden place of sentence n what the net puts there; null if that is not known here. */
export function readAnswers(get) {
  const [names, best] = [get("names"), get("best")];
  const [codes, chances] = [numbersOf(Uint32Array, get("codes")), numbersOf(Float32Array, get("chances"))];
  const starts = startsOf(get("lines"));
  const stored = (at) => {
    const from = at * (best + 1);
    const words = Array.from(codes.subarray(from, from + best), (code) => names[code]);
    return [words, [...chances.subarray(from, from + best)], codes[from + best], chances[from + best]];
  };
  return (n, choice) => {
    const line = get("lines")[n];
    const key = keyOf(n, choice);
    const start = line.own ? undefined : starts.get(key);
    const told = start === undefined ? get("more")[key] : hiddenOf(line, choice).map((_, i) => stored(start + i));
    return told ? hiddenOf(line, choice).map((place, i) => read(line, place, told[i])) : null;
  };
}

function read({ pieces, fixed }, place, [words, chances, rank, chance]) {
  return fixed.includes(place)
    ? { place, words, chances, stood: null, loss: null }
    : { place, words, chances, stood: pieces[place], rank, chance, loss: -Math.log(Math.max(chance, 1e-38)) };
}

/** Mean loss of the places of which it is known what stood there; null if there is none. */
export function lossOf(answer) {
  const known = answer.filter(({ loss }) => loss !== null);
  return known.length ? known.reduce((sum, { loss }) => sum + loss, 0) / known.length : null;
}

// --- what is looked at

/** The state with a sentence, a place and hidden pieces that are there: the typed sentence may be new, and shorter. */
export function insideLines({ lines, sentence, place, masked }) {
  const n = Math.min(sentence, lines.length - 1);
  const { pieces, free } = lines[n];
  const choice = (masked[n] ?? []).filter((i) => free.includes(i));
  return { n, line: lines[n], place: Math.min(place, pieces.length - 1), choice };
}

/** `masked` with a piece hidden, or shown if it was hidden; null where that cannot be. */
export function toggled({ lines, masked }, n, place) {
  if (!lines[n].free.includes(place)) return null;
  const before = masked[n] ?? [];
  const choice = before.includes(place) ? before.filter((i) => i !== place) : [...before, place].sort((a, b) => a - b);
  return lines.map((_, i) => (i === n ? choice : masked[i] ?? []));
}

/** What a key does to sentence and place; null if nothing. */
export function walked({ lines }, { n, place }, key) {
  const last = lines[n].pieces.length - 1;
  const along = (to) => ({ sentence: n, place: Math.min(Math.max(to, 0), last) });
  const across = (to) => {
    const sentence = Math.min(Math.max(to, 0), lines.length - 1);
    return { sentence, place: Math.min(place, lines[sentence].pieces.length - 1) };
  };
  const answers = {
    ArrowLeft: () => along(place - 1),
    ArrowRight: () => along(place + 1),
    Home: () => along(0),
    End: () => along(last),
    ArrowUp: () => across(n - 1),
    ArrowDown: () => across(n + 1),
  };
  return answers[key]?.() ?? null;
}
