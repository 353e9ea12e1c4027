// The gradient laboratory's words: numbers as one reads them, and the picture in a sentence or two.

const SUPERSCRIPTS = { "-": "⁻", 0: "⁰", 1: "¹", 2: "²", 3: "³", 4: "⁴", 5: "⁵", 6: "⁶", 7: "⁷", 8: "⁸", 9: "⁹" };

/** A power of ten: 10⁻⁷. */
export const power = (n) => (n === 0 ? "1" : `10${[...String(n)].map((digit) => SUPERSCRIPTS[digit]).join("")}`);

/** Three digits: 0.0123, 5.66, 812, and beyond that with a power of ten. */
export function figure(number) {
  if (number === 0) return "0";
  const [digits, exponent] = number.toExponential(2).split("e").map(Number);
  if (exponent >= -3 && exponent < 4) return String(Number(number.toPrecision(3)));
  return `${digits.toFixed(2)}\u00a0×\u00a0${power(exponent)}`; // not to be broken between lines
}

export const NAMES = { tanh: "tanh", relu: "ReLU", linear: "linear" };

// Beside 1, a 32-bit number has no room for what is below about 10⁻⁷: a share so much smaller than another is lost when
// both are added up to one gradient.
export const LOST = 7;

const FATES = [
  [10 ** LOST, "has exploded"],
  [10, "grows"],
  [0.1, "neither vanishes nor explodes"],
  [10 ** -LOST, "fades"],
  [0, "has vanished"],
];

/** What becomes of the gradient, with the reason, and what clipping makes of it: for the eye and for the screen reader. */
export function verdict(settings, found) {
  return [fate(settings, found), reason(settings, found), clipping(settings, found)].filter(Boolean).join(" ");
}

function fate({ radius, length }, { gradient: [arrives] }) {
  if (arrives === 0) return "The gradient has vanished: exactly 0 arrives at step 0.";
  const name = FATES.find(([least]) => arrives >= least)[1];
  const pace = (arrives ** (1 / length)).toFixed(2);
  return `The gradient ${name}: of 1 at step ${length}, ${figure(arrives)} arrives at step 0, ` +
    `a factor of ${pace} a step where the radius is ${radius.toFixed(2)}.`;
}

function reason({ nonlinearity, start }, { slope }) {
  const mean = slope.reduce((sum, value) => sum + value, 0) / slope.length;
  if (nonlinearity === "tanh") return `On the way tanh has a mean slope of ${mean.toFixed(2)}.`;
  if (nonlinearity === "relu") return `On the way ReLU is open for ${Math.round(100 * mean)}% of the units.`;
  return start === "orthogonal" ? "Nothing but the radius acts on it." : "";
}

function clipping({ clip }, { dU, clipped }) {
  if (clip === null) return "";
  return clipped < dU
    ? `Clipping shortens ∂L/∂U from ${figure(dU)} to ${figure(clipped)}; the way back stays as it was.`
    : `∂L/∂U is not longer than ${figure(clip)}, so clipping changes nothing.`;
}

/** Where ∂L/∂U comes from: `count` of `length` steps at one end. */
export function origin(length, { count, end }) {
  if (count > length / 2) return "What adds up to it comes from the whole way.";
  return `90% of what adds up to it comes from the ${end} ${count === 1 ? "step" : `${count} of ${length} steps`}.`;
}
