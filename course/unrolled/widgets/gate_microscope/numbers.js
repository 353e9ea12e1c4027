// The gate microscope's numbers and words: from bytes to values, units in order, colours as levels, losses compared.
//
// Python sends one byte a number and the range of each row; a test in Node holds what is here to widget.py.
// Everything is counted from 0, as Python counts.

export const AS_TRAINED = "as trained";
export const LETTERS = {
  f: "forget gate", i: "input gate", g: "proposal", o: "output gate", c: "cell", h: "state",
};
const GATES = "fio";

function bytesOf(value) {
  const view = ArrayBuffer.isView(value) ? value : new Uint8Array(value);
  return new Uint8Array(view.buffer.slice(view.byteOffset, view.byteOffset + view.byteLength)); // aligned
}

const floats = (value) => new Float32Array(bytesOf(value).buffer);

/** All that Python sent; `get` reads one trait. */
export function readTrace(get) {
  const names = ["arrays", "units", "rows", "labels", "variants", "samples"];
  const trace = Object.fromEntries(names.map((name) => [name, get(name)]));
  trace.text = [...get("text")]; // characters as Python counts them, not halves of emoji
  trace.numbers = bytesOf(get("numbers"));
  for (const name of ["ranges", "truths", "follows", "losses"]) trace[name] = floats(get(name));
  return trace;
}

const row = (trace, letter, unit) => trace.arrays.indexOf(letter) * trace.units.length + trace.units.indexOf(unit);

/** The values of one unit at all characters. */
export function valuesOf(trace, letter, unit) {
  const at = row(trace, letter, unit);
  const [low, high] = trace.ranges.subarray(2 * at, 2 * at + 2);
  const T = trace.text.length;
  return Array.from(trace.numbers.subarray(at * T, (at + 1) * T), (byte) => low + (byte / 255) * (high - low));
}

const slice = (all, index, length) => Array.from(all.subarray(index * length, (index + 1) * length));
export const truthOf = (trace, label) => slice(trace.truths, trace.labels.indexOf(label), trace.text.length);
export const lossesOf = (trace, variant) => slice(trace.losses, trace.variants.indexOf(variant), trace.text.length);

export function correlationOf(trace, label, letter, unit) {
  const perLabel = trace.arrays.length * trace.units.length;
  return trace.follows[trace.labels.indexOf(label) * perLabel + row(trace, letter, unit)];
}

/** By how much a variant raises the loss at each character. */
export function changeOf(trace, variant) {
  const before = lossesOf(trace, AS_TRAINED);
  return lossesOf(trace, variant).map((loss, t) => loss - before[t]);
}

/** The mean of what was predicted. */
export function meanOf(losses) {
  const predicted = losses.filter((loss) => !Number.isNaN(loss));
  return predicted.reduce((sum, loss) => sum + loss, 0) / predicted.length;
}

/** The units, the one that follows the label best first; without a label, by number. */
export function inOrder(trace, letter, order) {
  if (!order) return trace.units;
  const strength = new Map(trace.units.map((unit) => [unit, Math.abs(correlationOf(trace, order, letter, unit))]));
  return [...trace.units].sort((one, other) => strength.get(other) - strength.get(one)); // stable, as Python's
}

export const pageOf = (trace, { array, order, page }) =>
  inOrder(trace, array, order).slice(page * trace.rows, (page + 1) * trace.rows);

// --- colours

export const LEVELS = 10; // shades on either side of nothing

/** Shades -10 … 10 of a row. A gate is half open at 0; a cell is measured by the largest of its row. */
export function shades(letter, values) {
  const largest = letter === "c" ? Math.max(...values.map(Math.abs)) || 1 : 1;
  const share = GATES.includes(letter) ? (value) => 2 * value - 1 : (value) => value / largest;
  return values.map((value) => Math.round(LEVELS * Math.min(1, Math.max(-1, share(value)))) + 0); // no -0
}

/** One SVG path for each shade that occurs, over all rows: cells one wide and one high, neighbours joined. */
export function pathsOf(rows) {
  const paths = new Map();
  rows.forEach((levels, y) => {
    for (let t = 0, end; t < levels.length; t = end) {
      for (end = t + 1; end < levels.length && levels[end] === levels[t]; end++);
      if (levels[t]) paths.set(levels[t], `${paths.get(levels[t]) ?? ""}M${t} ${y}H${end}V${y + 1}H${t}Z`);
    }
  });
  return paths;
}

/** Bars from the middle or the bottom as one path: heights -1 … 1 of characters, upwards from y = 0. */
export function barsOf(heights) {
  const bar = (height, t) => `M${t + 0.12} 0H${t + 0.88}V${(-height).toFixed(4)}H${t + 0.12}Z`;
  return heights.map((height, t) => (height ? bar(height, t) : "")).join(""); // NaN, not predicted, has none
}

// --- words

const SEEN = { " ": "␣", "\n": "⏎", "\t": "⇥", "\r": "␍" };
const SAID = { " ": "space", "\n": "line break", "\t": "tab", "\r": "carriage return" };
export const seen = (character) => SEEN[character] ?? character;
const said = (character) => SAID[character] ?? `‘${character}’`;

const sign = (number) => (number < 0 ? "−" : "");
export const figure = (number) => `${sign(Number(number.toFixed(2)))}${Math.abs(number).toFixed(2)}`;
export const signed = (number) => `${figure(number).startsWith("−") ? "" : "+"}${figure(number)}`;

/** What is looked at: the character, the unit's number, the label it is sorted by, and the loss. */
export function look(trace, { array, order, variant, character: t, unit }) {
  const value = figure(valuesOf(trace, array, unit)[t]);
  const words = [`character ${t} ${said(trace.text[t])}`, `unit ${unit}`, `${LETTERS[array]} ${value}`];
  if (order) words.push(`${order} ${Number(truthOf(trace, order)[t].toFixed(2))}`);
  if (trace.losses.length) words.push(lossAt(trace, variant, t));
  return words.join(", ");
}

function lossAt(trace, variant, t) {
  const loss = lossesOf(trace, variant)[t];
  if (Number.isNaN(loss)) return "not predicted";
  const change = variant === AS_TRAINED ? "" : ` (${signed(changeOf(trace, variant)[t])})`;
  return `loss ${figure(loss)} nats${change}`;
}

/** What the label's order found, in a sentence. */
export function found(trace, { array, order }) {
  if (!order) return "";
  const [best] = inOrder(trace, array, order);
  const correlation = correlationOf(trace, order, array, best);
  if (!correlation) return `No unit's ${LETTERS[array]} follows “${order}”.`;
  return `Of these ${trace.units.length} units, the ${LETTERS[array]} of unit ${best} follows “${order}” best: ` +
    `correlation ${signed(correlation)}.`;
}

/** What the variant costs, in a sentence. */
export function cost(trace, { variant }) {
  if (!trace.losses.length) return "";
  const [before, after] = [AS_TRAINED, variant].map((name) => meanOf(lossesOf(trace, name)));
  if (variant === AS_TRAINED) return `Mean loss ${figure(before)} nats.`;
  const changes = changeOf(trace, variant);
  const worst = changes.reduce((at, change, t) => (change > (changes[at] || 0) ? t : at), 0);
  const where = `; most at character ${worst} ${said(trace.text[worst])}, ${signed(changes[worst])}`;
  return `With “${variant}” the mean loss goes from ${figure(before)} to ${figure(after)} nats ` +
    `(${signed(meanOf(changes))})${changes[worst] > 0 ? where : ""}.`;
}
