// The drawing of a block in pieces, one for each row: the line that goes through, and the way through the parts.
//
// Pieces fit together from row to row. What goes through runs along the left; a part that adds to it stands to the right.

import { nameOf } from "./words.js";
import { svgElement } from "../elements.js";

export const [WIDE, HIGH] = [130, 38]; // of a piece
const [LINE, WAY] = [16, 70]; // where the line and the way through the parts run
const SUM = 13; // how low the sign of a sum stands
const LEAVES = 29; // how low the way leaves the line

const path = (d, kind = "line") => svgElement("path", { d, class: `blk-${kind}` });
const label = (text, x, y, anchor = "middle") => svgElement("text", { x, y, "text-anchor": anchor }, text);
const side = (x, y, dx, dy, turn) => `${x - 5 * dx + turn * dy} ${y - 5 * dy + turn * dx}`;
const arrow = (...tip) => `M${side(...tip, 3.5)}L${tip[0]} ${tip[1]}L${side(...tip, -3.5)}`;
const through = () => path(`M${LINE} 0V${HIGH}`);
const leaving = () => path(`M${LINE} ${LEAVES}H${WAY}V${HIGH}`);

function box(middle, wide, [top, bottom], text) {
  const place = { x: middle - wide / 2, y: top, width: wide, height: bottom - top };
  const rect = svgElement("rect", { ...place, rx: 5, class: "blk-part" });
  return [rect, label(text, middle, (top + bottom) / 2 + 4)];
}

function coming(text) {
  return [path(`M${LINE} ${SUM}V${HIGH}`), svgElement("circle", { cx: LINE, cy: SUM, r: 4.5, class: "blk-dot" }),
    label(text, LINE + 12, SUM + 4, "start")];
}

function adding() {
  const sign = path(`M${LINE - 4} ${SUM}H${LINE + 4}M${LINE} ${SUM - 4}V${SUM + 4}`);
  const circle = svgElement("circle", { cx: LINE, cy: SUM, r: 8, class: "blk-part" });
  const back = `M${WAY} 0V${SUM}H${LINE + 9}${arrow(LINE + 9, SUM, -1, 0)}`;
  return [through(), path(back), circle, sign, label("add", WAY + 12, SUM + 4, "start")];
}

/** A part beside the line; one that looks has an arrow from the right, one that asks the memory has two. */
function work(part) {
  const name = part === "cross" ? "cross-att." : nameOf(part);
  const found = [through(), path(`M${WAY} 0V${HIGH}`), ...box(WAY, 88, [5, 31], name)];
  if (part === "attention") found.push(path(`M${WIDE} 18H${WAY + 45}${arrow(WAY + 45, 18, -1, 0)}`, "seen"));
  if (part === "cross")
    for (const y of [12, 24]) found.push(path(`M${WIDE} ${y}H${WAY + 45}${arrow(WAY + 45, y, -1, 0)}`, "memory"));
  return found;
}

/** A norm on the line itself: in the post order, and at the very end. */
const onLine = (text) => [through(), ...box(LINE + 22, 74, [3, 24], text)];

/** The piece of a row. leaves: does the way through the next part begin here? last: does nothing follow? */
export function pieceOf(place, { norm, leaves, last, from }) {
  const part = place.replace(/\d$/, "");
  const body = {
    input: () => coming(from),
    norm: () => (norm === "pre" ? work(place) : onLine("norm")),
    add: adding,
    final: () => onLine("final norm"),
  }[part]?.() ?? work(place);
  if (leaves) body.unshift(leaving());
  if (last) body.push(path(arrow(LINE, HIGH - 1, 0, 1)));
  return svgElement("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, width: WIDE, height: HIGH, "aria-hidden": "true" }, ...body);
}
