// The beam tree's numbers and words: paths through the record, the ranking, where chips lie, and what is said of them.
//
// A test in Node holds what is here to widget.py. Everything is counted from 0, as Python counts.

import { percent } from "../figures.js";

/** What is drawn: candidates by step, how many more there were, what was left in the end, and the beam's width. */
export function readTree(get) {
  const steps = get("steps");
  const width = Math.max(...steps.map((candidates) => candidates.filter(({ kept }) => kept).length));
  return { steps, more: get("more"), finals: get("finals"), width };
}

/** The state with a candidate that is there: step and candidate come one after the other. */
export const inside = ({ steps }, state) => ({ ...state, candidate: Math.min(state.candidate, steps[state.step].length - 1) });

/** The candidates that lead to this one: of each step from the first to `step` the number of one. */
export function pathTo({ steps }, step, candidate) {
  const path = [candidate];
  for (let t = step; t > 0; t--) path.unshift(steps[t][path[0]].parent);
  return path;
}

/** The words of a hypothesis. An ended one that stays has none in its later steps. */
export const wordsOf = (tree, step, candidate) =>
  pathTo(tree, step, candidate).map((n, t) => tree.steps[t][n].word).filter(Boolean);

/** What was left, best first, by log probability / length^alpha. */
export function ranking(tree, alpha) {
  return tree.finals
    .map(([step, candidate]) => {
      const { log_prob, ended } = tree.steps[step][candidate];
      const words = wordsOf(tree, step, candidate);
      return { step, candidate, words, log_prob, ended, score: log_prob / words.length ** alpha };
    })
    .sort((one, other) => other.score - one.score);
}

/** Does this final hypothesis begin with that candidate? */
export const beginsWith = (tree, final, { step, candidate }) =>
  final.step >= step && pathTo(tree, final.step, final.candidate)[step] === candidate;

/** What a key does to the state: along the hypothesis looked at, or to another candidate of the step. null: nothing. */
export function walked(tree, { step, candidate }, key) {
  const last = tree.steps.length - 1;
  const back = (t) => ({ step: t, candidate: pathTo(tree, step, candidate)[t] });
  const other = (n) => ({ step, candidate: Math.min(Math.max(n, 0), tree.steps[step].length - 1) });
  const on = () => {
    if (step === last) return other(candidate);
    const { kept } = tree.steps[step][candidate];
    const child = kept ? tree.steps[step + 1].findIndex(({ parent }) => parent === candidate) : -1;
    return { step: step + 1, candidate: Math.max(child, 0) };
  };
  const answers = {
    ArrowLeft: () => back(Math.max(step - 1, 0)),
    ArrowRight: on,
    ArrowUp: () => other(candidate - 1),
    ArrowDown: () => other(candidate + 1),
    Home: () => back(0),
    End: () => ({ step: last, candidate: 0 }),
  };
  return answers[key]?.() ?? null;
}

// --- where things lie: pixels from the left and from the top

export const [CHIP, TALL] = [94, 34];
const [COLUMN, ROW, ROOT, HEAD] = [124, 40, 74, 40];

export const corner = (step, candidate) => [step < 0 ? 0 : ROOT + step * COLUMN, HEAD + candidate * ROW];

export const rootWidth = ROOT - (COLUMN - CHIP);

/** How large the drawing is, with a line below for what is not drawn. */
export function sizeOf({ steps, more }) {
  const rows = Math.max(...steps.map((candidates, t) => candidates.length + (more[t] ? 0.6 : 0)));
  return [ROOT + steps.length * COLUMN - (COLUMN - CHIP), HEAD + Math.ceil(rows * ROW)];
}

/** A curve from the parent's right side to the candidate's left side. */
export function curve(tree, step, candidate) {
  const [px, py] = corner(step - 1, step ? tree.steps[step][candidate].parent : 0);
  const [x, y] = corner(step, candidate);
  const [from, middle] = [px + (step ? CHIP : rootWidth), TALL / 2];
  const half = (from + x) / 2;
  return `M${from} ${py + middle}C${half} ${py + middle} ${half} ${y + middle} ${x} ${y + middle}`;
}

// --- words

/** A log probability with a true minus; none before 0.00. */
export function nats(number, digits = 2) {
  const text = Math.abs(number).toFixed(digits);
  return Number(text) === 0 ? text : `${number < 0 ? "−" : ""}${text}`;
}

/** What became of a candidate in its step. */
function fate({ steps }, step, candidate) {
  const one = steps[step][candidate];
  const kept = steps[step].filter((other) => other.kept);
  if (one.kept) return `Kept, ${candidate + 1} of ${kept.length}${one.ended ? "; it has ended" : ""}.`;
  const behind = Math.min(...kept.map(({ log_prob }) => log_prob)) - one.log_prob;
  return behind > 0 ? `Pruned, ${nats(behind)} nats below the last one kept.` : "Pruned.";
}

function ending(tree, state) {
  const places = ranking(tree, state.alpha).flatMap((final, n) => (beginsWith(tree, final, state) ? [n + 1] : []));
  if (!tree.steps[state.step][state.candidate].kept) return "";
  if (!places.length) return " Nothing that was left in the end begins so.";
  const list = places.length > 1 ? `${places.slice(0, -1).join(", ")} and ${places.at(-1)}` : places[0];
  const all = tree.finals.length;
  if (tree.finals.some(([step, n]) => step === state.step && n === state.candidate)) return ` In the end: rank ${list} of ${all}.`;
  return ` It leads to rank${places.length > 1 ? "s" : ""} ${list} of ${all}.`;
}

/** The candidate looked at, in a few sentences, for the eye and for the screen reader. */
export function told(tree, state) {
  const { step, candidate } = state;
  const one = tree.steps[step][candidate];
  const before = step ? tree.steps[step - 1][one.parent].log_prob : 0;
  const kept = tree.steps[step].filter((other) => other.kept).length;
  const all = tree.steps[step].length + tree.more[step];
  const added = one.word ? `“${one.word}” adds ${nats(one.log_prob - before)}` : "it stays as it is";
  return `Step ${step + 1} of ${tree.steps.length} keeps ${kept} of ${all} candidates; the beam’s width is ${tree.width}. ` +
    `“${wordsOf(tree, step, candidate).join(" ")}”: log probability ` +
    `${nats(one.log_prob)} nats (${percent(Math.exp(one.log_prob))}); ${added}. ${fate(tree, step, candidate)}` +
    ending(tree, state);
}
