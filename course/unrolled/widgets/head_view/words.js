// What head view draws and says: which lines are drawn, what a key does, and a token's row in words.
//
// A test in Node holds what is here to widget.py. Everything is counted from 0, as Python counts.

import { percent } from "../figures.js";
import { insideSet, nth, ranked, seesNothing, setOf, share, within } from "../heads.js";

const FAINT = 0.02; // lighter lines than this one are not seen, unless all of a row are light

/** The places of a row to which a line is drawn: what is heavy, and what is half as heavy as the heaviest. */
export function lined(row) {
  const least = Math.min(FAINT, Math.max(...row) / 2);
  return row.flatMap((weight, j) => (weight > 0 && weight >= least ? [j] : []));
}

/** The state with a layer, a head and a token that are there: the set may be new, and smaller. */
export function insideView(sets, state) {
  const set = setOf(sets, state.kind);
  return { ...state, kind: set.kind, ...insideSet(set, state), token: within(state.token, set.queries.length) };
}

const ALONG = { columns: ["ArrowUp", "ArrowDown"], rows: ["ArrowLeft", "ArrowRight"] };

/** What a key does to the state; null if nothing. Along the tokens, and across them from head to head. */
export function walked(set, { layer, head, token, arrangement }, key) {
  const along = ALONG[arrangement].indexOf(key);
  if (along >= 0) return { token: within(token + 2 * along - 1, set.queries.length) };
  const across = ALONG[arrangement === "rows" ? "columns" : "rows"].indexOf(key);
  if (across >= 0) return { head: within(head + 2 * across - 1, set.heads) };
  const next = {
    PageUp: { layer: within(layer - 1, set.layers) },
    PageDown: { layer: within(layer + 1, set.layers) },
    Home: { token: 0 },
    End: { token: set.queries.length - 1 },
  };
  return next[key] ?? null;
}

/** The heaviest weight is exact, the others are not quite: it alone is told to a tenth. */
function seen(set, row) {
  if (seesNothing(row)) return " may see nothing: all of its weights are 0.";
  const [first, second] = ranked(row);
  const none = row.filter((weight) => weight === 0).length;
  const next = second !== undefined && row[second] > 0 ? `, then at ${nth(set.keys, second)}, ${share(row[second])}` : "";
  const zeros = none ? ` ${none} of ${row.length} tokens get exactly 0.` : "";
  return ` looks most at ${nth(set.keys, first)}, ${percent(row[first])}${next}.${zeros}`;
}

/** A token's row in a sentence or two, for the eye and for the screen reader. */
export function told(sets, { kind, layer, head, token }) {
  const set = setOf(sets, kind);
  const which = sets.length > 1 ? `, ${set.kind}` : "";
  const row = set.rowOf(layer, head, token);
  return `Layer ${layer}, head ${head}${which}: ${nth(set.queries, token)}${seen(set, row)}`;
}
