// What model view says: what a head does on average, and what a key does.
//
// A test in Node holds what is here to habits.py. Everything is counted from 0, as Python counts.

import { percent } from "../figures.js";
import { insideSet, setOf, within } from "../heads.js";

const PER_HEAD = 6; // numbers: weight on four kinds of token, bits, share of rows that see anything
const ON = ["itself", "the one before", "the one after", "the first token"];
const BRIEF = ["itself", "before", "after", "first"];

/** habitsOf(kind, layer, head): { on, bits, sees }, as Python computed them from the weights that it was given. */
export function readHabits(get) {
  const value = get("averages");
  const view = ArrayBuffer.isView(value) ? value : new Uint8Array(value);
  const all = new Float32Array(view.buffer.slice(view.byteOffset, view.byteOffset + view.byteLength));
  const [kinds, shapes] = [get("kinds"), get("shapes")];
  const starts = shapes.map((_, k) => shapes.slice(0, k).reduce((sum, [L, H]) => sum + L * H, 0));
  return (kind, layer, head) => {
    const k = kinds.indexOf(kind);
    const at = PER_HEAD * (starts[k] + layer * shapes[k][1] + head);
    const [bits, sees] = all.subarray(at + 4, at + 6);
    return { on: Array.from(all.subarray(at, at + 4)), bits, sees };
  };
}

/** The state with a layer and a head that are there: the set may be new, and smaller. */
export function insideModel(sets, state) {
  const set = setOf(sets, state.kind);
  return { ...state, kind: set.kind, ...insideSet(set, state) };
}

/** What a key does to the state; null if nothing. */
export function walked(set, { layer, head }, key) {
  const next = {
    ArrowLeft: { head: within(head - 1, set.heads) },
    ArrowRight: { head: within(head + 1, set.heads) },
    ArrowUp: { layer: within(layer - 1, set.layers) },
    ArrowDown: { layer: within(layer + 1, set.layers) },
    Home: { head: 0 },
    End: { head: set.heads - 1 },
  };
  return next[key] ?? null;
}

const selfish = (set) => set.queries === set.keys; // neighbours there are only where a row looks at itself
const places = (set) => (selfish(set) ? [0, 1, 2, 3] : [3]);

/** A head's name and habits, for the screen reader. */
export function brief(set, { on, bits }, layer, head) {
  const parts = places(set).map((n) => `${BRIEF[n]} ${percent(on[n])}`);
  return `layer ${layer}, head ${head}: ${parts.join(", ")}, ${bits.toFixed(2)} bits`;
}

/** What the opened head does on average, in a sentence or two. */
export function told(sets, habitsOf, { kind, layer, head }) {
  const set = setOf(sets, kind);
  const { on, bits, sees } = habitsOf(kind, layer, head);
  const which = sets.length > 1 ? `, ${kind}` : "";
  const blind = Math.round((1 - sees) * set.queries.length);
  if (blind === set.queries.length) return `Layer ${layer}, head ${head}${which}: no token may see anything.`;
  const parts = places(set).map((n) => `${percent(on[n])} on ${ON[n]}`);
  const left = blind ? ` Not counted: ${blind} of ${set.queries.length} tokens that may see nothing.` : "";
  return `Layer ${layer}, head ${head}${which}: on average a token puts ${parts.join(", ")}. ` +
    `Entropy ${bits.toFixed(2)} of at most ${Math.log2(set.keys.length).toFixed(2)} bits.${left}`;
}

/** At most `most` rows and columns: each stands for a few, and has the largest of them, so that no line is lost. */
export function pooled(matrix, most) {
  const step = Math.ceil(Math.max(matrix.length, matrix[0].length) / most);
  const part = (all, n) => all.slice(n * step, (n + 1) * step);
  const parts = (all) => Array.from({ length: Math.ceil(all.length / step) }, (_, n) => part(all, n));
  return parts(matrix).map((rows) => parts(matrix[0]).map((_, n) => Math.max(...rows.flatMap((row) => part(row, n)))));
}

/** How full each weight of a head is drawn, 0 to 1: of 100 %, or of the heaviest of its row. */
export const fullness = (matrix, shade) => matrix.map((row) => {
  const most = shade === "row" ? Math.max(...row) || 1 : 1;
  return row.map((weight) => weight / most);
});
