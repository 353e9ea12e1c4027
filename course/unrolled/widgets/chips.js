// Where words stand: rows of chips as wide as their letters, one row in the middle of the other.

const [NARROW, WIDE, SIDES] = [9.5, 16, 18]; // the width of a letter, of a Chinese sign, and of what a chip adds
const [LEAST, MOST] = [46, 170];
const GAP = 8;

/** Pixels that a word's chip is wide: reckoned, not measured, so that nothing moves when a font comes late. */
export function widthOf(word) {
  const letters = [...word].reduce((sum, sign) => sum + (sign.codePointAt(0) >= 0x1100 ? WIDE : NARROW), 0);
  return Math.min(MOST, Math.max(LEAST, letters + SIDES));
}

/** Two rows of chips, [left, width] each, the shorter row in the middle of the longer one. */
export function layOut(...rows) {
  const widths = rows.map((words) => words.map(widthOf));
  const lengths = widths.map((row) => row.reduce((a, b) => a + b) + GAP * (row.length - 1));
  const width = Math.max(...lengths);
  const places = widths.map((row, r) => {
    let left = (width - lengths[r]) / 2;
    return row.map((wide) => {
      left += wide + GAP;
      return [left - wide - GAP, wide];
    });
  });
  return { width, places };
}
