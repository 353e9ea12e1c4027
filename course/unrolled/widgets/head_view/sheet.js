// The sheet of head view: two rows of tokens, side by side or one above the other, and where a line between two ends.

import { layOut } from "../chips.js";
import { element, svgElement } from "../elements.js";

const FEW = 24; // tokens whose rows may be high
const [HIGH, LOW] = [26, 19];
const HEAD = 22; // over the columns stands what they are
const [CHIP, LINES, SHARES] = [28, 110, 20]; // heights in rows: of a token, of what lies between, of the percentages
const LEFT = "left and right arrow keys walk along them, up and down to another head, page up and down to another layer";
const UP = "up and down arrow keys walk along them, left and right to another head, page up and down to another layer";

const at = (node, place) => (Object.assign(node.style, place), node);
const px = (n) => `${n}px`;
const listbox = (orientation, keys, options) => element("div", { role: "listbox", "aria-orientation": orientation,
  "aria-label": `tokens that look: ${keys}` }, ...options);
const token = (word, attributes) => element("div", { class: "hdv-token", dir: "auto", title: word, ...attributes }, word);
const option = (word, i, words) => token(word, { role: "option", "aria-label": `${word}, ${i + 1} of ${words.length}` });
const shareOf = () => element("div", { class: "hdv-share" });

/** Side by side: those that look at the left, those that are seen at the right, their shares behind them. */
function columns({ queries, keys }) {
  const count = Math.max(queries.length, keys.length);
  const pitch = count <= FEW ? HIGH : LOW;
  const height = pitch * count;
  const row = (node, i) => at(node, { top: px(HEAD + i * pitch), height: px(pitch - 2), lineHeight: px(pitch - 4) });
  const looking = queries.map((word, i) => row(option(word, i, queries), i));
  const read = keys.map((word, j) => row(token(word, { class: "hdv-token hdv-read" }), j));
  const shares = keys.map((_, j) => row(shareOf(), j));
  const svg = svgElement("svg", { viewBox: `0 0 100 ${height}`, preserveAspectRatio: "none", "aria-hidden": "true" });
  at(svg, { top: px(HEAD), height: px(height) });
  const heads = ["looks", "is seen"].map((text, n) => element("div", { class: `hdv-head hdv-head${n}` }, text));
  const beside = element("div", { "aria-hidden": "true" }, ...heads, ...read, ...shares);
  const list = listbox("vertical", UP, looking);
  const sheet = at(element("div", { class: "hdv-sheet hdv-columns" }, list, svg, beside), { height: px(HEAD + height) });
  const middle = (n) => pitch * n + pitch / 2 - 1;
  const ends = (i, j) => ({ x1: 0, y1: middle(i), x2: 100, y2: middle(j) });
  return { root: element("div", { class: "hdv-box" }, sheet), list, looking, read, shares, svg, ends };
}

/** One above the other: those that are seen above, under their shares, those that look below, as in unit 5. */
function rows({ queries, keys }) {
  const { width, places: [above, below] } = layOut(keys, queries);
  const put = (node, [left, wide], top, height) =>
    at(node, { left: px(left), width: px(wide), top: px(top), height: px(height), lineHeight: px(height - 2) });
  const read = keys.map((word, j) => put(token(word, { class: "hdv-token hdv-read" }), above[j], SHARES, CHIP));
  const shares = keys.map((_, j) => put(shareOf(), above[j], 0, SHARES));
  const looking = queries.map((word, i) => put(option(word, i, queries), below[i], SHARES + CHIP + LINES, CHIP));
  const svg = svgElement("svg", { viewBox: `0 0 ${width} ${LINES}`, width, height: LINES, "aria-hidden": "true" });
  at(svg, { top: px(SHARES + CHIP) });
  const list = listbox("horizontal", LEFT, looking);
  const beside = element("div", { "aria-hidden": "true" }, ...shares, ...read);
  const sheet = element("div", { class: "hdv-sheet hdv-rows" }, beside, svg, list);
  at(sheet, { width: px(width), height: px(SHARES + 2 * CHIP + LINES + 2) });
  const middle = ([left, wide]) => left + wide / 2;
  const ends = (i, j) => ({ x1: middle(below[i]), y1: LINES, x2: middle(above[j]), y2: 0 });
  return { root: element("div", { class: "hdv-box" }, sheet), list, looking, read, shares, svg, ends };
}

export const buildSheet = (set, arrangement) => (arrangement === "rows" ? rows(set) : columns(set));
