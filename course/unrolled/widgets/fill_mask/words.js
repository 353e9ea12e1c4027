// Fill the mask in words: what the net puts at a place, for the eye and for the screen reader.

import { percent } from "../figures.js";
import { lossOf } from "./numbers.js";

export const nats = (loss) => `${loss.toFixed(2)} nats`;

const NOTHING = "Nothing is hidden. Choose a piece, and see what the net puts in its place.";
const WAITING = "The kernel was asked, and has not answered yet.";
const AT_ONCE = ["", "One hidden piece", "Two hidden pieces", "Three hidden pieces", "Four hidden pieces"];

/** What is said of a choice that is not stored. */
export function unknown({ most, own }, count, kernel) {
  if (kernel) return WAITING;
  if (own) return "These hidden pieces of your sentence were not looked at when there was a kernel: that needs a running notebook.";
  const asked = AT_ONCE[count] ?? `${count} hidden pieces`;
  return `${asked} at once need a running notebook: stored is what the net says to ${most === 2 ? "one or two" : "one"}.`;
}

/** How likely was what stood there? */
export function stoodThere({ stood, rank, chance, loss }) {
  if (stood === null) return "The text itself says [MASK]: nobody knows what stood there.";
  const which = rank === 1 ? `“${stood}” stood there, the first guess` : `“${stood}” stood there, number ${rank} with ${percent(chance)}`;
  return `${which}: a loss of ${nats(loss)}.`;
}

/** A hidden place in a sentence or two; of several the one looked at, and the mean loss of all. */
export function told({ line, place, choice }, answer, kernel) {
  if (answer === null) return unknown(line, choice.length, kernel);
  if (!answer.length) return NOTHING;
  const one = answer.find((each) => each.place === place) ?? answer[0];
  const [first, second] = one.words.map((word, k) => `“${word}” (${percent(one.chances[k])})`);
  const several = answer.filter(({ loss }) => loss !== null).length > 1;
  const all = several ? ` Mean loss of all that is hidden: ${nats(lossOf(answer))}.` : "";
  return `At place ${one.place} the net puts ${first}${second ? `, then ${second}` : ""}. ${stoodThere(one)}${all}`;
}
