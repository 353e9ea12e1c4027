// How widgets write numbers: percentages and signs.

/** A probability in percent; what is exactly 0 or 1 stands out from what is nearly so. */
export function percent(p) {
  if (p === 0 || p === 1) return `${100 * p} %`;
  if (p < 0.0005) return "< 0.1 %";
  return p >= 0.9995 ? "> 99.9 %" : `${(100 * p).toFixed(1)} %`;
}

/** Two decimals with a sign, and a true minus; none before 0.00. */
export function signed(number) {
  const text = Math.abs(number).toFixed(2);
  return Number(text) === 0 ? text : `${number < 0 ? "−" : "+"}${text}`;
}
