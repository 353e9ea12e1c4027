// The drawing of an LSTM cell: where every wire, node and stack of numbers lies, and to which part of the step it belongs.
//
// The cell runs along the top, what it is fed from lies along the bottom. Coordinates are those of a box of 760 by 450.

import { svgElement } from "../elements.js";

const TOP = 62; // the cell's line
const MIDDLE = 255; // the gates' numbers
const BOXES = 345;
const BUS = 405; // the line of h and x
const LINE = 17; // the height of a number
const CHIP = 50; // its width
const NODE = 13; // the radius of a node

const COLUMNS = { f: 150, i: 265, g: 355, o: 585 };

// Middle of each stack of numbers, its name and where that stands.
const STACKS = {
  before: { at: [45, TOP], name: "c_{t−1}" },
  k: { at: [220, TOP], name: "k_t" },
  c: { at: [415, TOP], name: "c_t" },
  h: { at: [668, 175], name: "h_t" },
  state: { at: [45, 300], name: "h_{t−1}" },
  x: { at: [45, BUS], name: "x_t" },
  j: { at: [310, 126], name: "j_t", side: "right" },
  tanh: { at: [490, 175], name: "tanh(c_t)", side: "left" },
};
for (const [gate, x] of Object.entries(COLUMNS)) STACKS[gate] = { at: [x, MIDDLE], name: `${gate}_t`, side: "right" };

// Circles for what is done number by number, boxes for functions: [part, x, y, sign].
const CIRCLES = [["k", COLUMNS.f, TOP, "×"], ["c", 310, TOP, "+"], ["j", 310, 190, "×"], ["h", COLUMNS.o, 175, "×"]];
const FUNCTIONS = [
  ...Object.entries(COLUMNS).map(([gate, x]) => ["gates", x, BOXES, gate === "g" ? "tanh" : "σ"]),
  ["tanh", 490, 109, "tanh"],
];
const TITLES = { f: "forget gate", i: "input gate", g: "proposal", o: "output gate" };

// --- wires: [part, points…], from one thing to the next; an arrow at the end unless the part says "plain"

/** Where a stack ends, on the four sides. */
function edges(name, count) {
  const [x, y] = STACKS[name].at;
  const [half, side] = [(count * LINE) / 2, CHIP / 2];
  return { top: [x, y - half], bottom: [x, y + half], left: [x - side, y], right: [x + side, y] };
}

function wires(H, D) {
  const of = (name) => edges(name, name === "x" ? D : H);
  const gates = Object.entries(COLUMNS).flatMap(([gate, x]) => [
    ["gates", [x, BUS], [x, BOXES + 15]],
    ["gates", [x, BOXES - 15], of(gate).bottom],
  ]);
  return [
    ["plain gates", of("state").right, [95, 300], [95, BUS]],
    ["plain gates", of("x").right, [COLUMNS.o, BUS]],
    ...gates,
    ["k", of("before").right, [COLUMNS.f - NODE, TOP]],
    ["k", of("f").top, [COLUMNS.f, TOP + NODE]],
    ["k", [COLUMNS.f + NODE, TOP], of("k").left],
    ["j", of("i").top, [COLUMNS.i, 190], [310 - NODE, 190]],
    ["j", of("g").top, [COLUMNS.g, 190], [310 + NODE, 190]],
    ["j", [310, 190 - NODE], of("j").bottom],
    ["c", of("k").right, [310 - NODE, TOP]],
    ["c", of("j").top, [310, TOP + NODE]],
    ["c", [310 + NODE, TOP], of("c").left],
    ["c", of("c").right, [750, TOP]],
    ["tanh", [490, TOP], [490, 95]],
    ["tanh", [490, 123], of("tanh").top],
    ["h", of("tanh").right, [COLUMNS.o - NODE, 175]],
    ["h", of("o").top, [COLUMNS.o, 175 + NODE]],
    ["h", [COLUMNS.o + NODE, 175], of("h").left],
    ["h", of("h").right, [750, 175]],
  ];
}

/** A line through points, with an arrow's two strokes at its end. */
function wirePath(points, arrow) {
  const line = points.map(([x, y], n) => `${n ? "L" : "M"}${x} ${y}`).join("");
  if (!arrow) return line;
  const [[x0, y0], [x, y]] = points.slice(-2);
  const [dx, dy] = [Math.sign(x - x0), Math.sign(y - y0)];
  const stroke = (turn) => `M${x - 6 * dx + 4 * turn * dy} ${y - 6 * dy + 4 * turn * dx}L${x} ${y}`;
  return `${line}${stroke(1)}${stroke(-1)}`;
}

// --- parts

/** Text in which what follows _ stands lower: c_{t−1}. */
export function lowered(text) {
  return text.split(/_(\{[^}]*\}|.)/).map((piece, n) => [piece.replace(/[{}]/g, ""), n % 2 === 1]);
}

function label(text, attributes) {
  let below = false;
  const pieces = lowered(text).map(([piece, low]) => {
    const shift = low === below ? 0 : low ? 4 : -4;
    below = low;
    return svgElement("tspan", { dy: shift, ...(low ? { class: "lcell-sub" } : {}) }, piece);
  });
  return svgElement("text", { class: "lcell-label", ...attributes }, ...pieces);
}

function placeOfName({ at: [x, y], side }, count) {
  if (!side) return { x, y: y - (count * LINE) / 2 - 8, "text-anchor": "middle" };
  const away = (CHIP / 2 + 7) * (side === "left" ? -1 : 1);
  return { x: x + away, y: y + 5, "text-anchor": side === "left" ? "end" : "start" };
}

/** A stack of numbers, one below the other. */
function buildStack(stack, count) {
  const [x, y] = stack.at;
  const chips = Array.from({ length: count }, (_, n) => {
    const top = y - (count * LINE) / 2 + n * LINE;
    const rect = svgElement("rect", { x: x - CHIP / 2, y: top, width: CHIP, height: LINE });
    const text = svgElement("text", { x, y: top + LINE - 4.5, "text-anchor": "middle" });
    return { rect, text, root: svgElement("g", { class: "lcell-chip" }, rect, text) };
  });
  const rects = chips.map((chip) => chip.root);
  return { chips, root: svgElement("g", {}, label(stack.name, placeOfName(stack, count)), ...rects) };
}

function buildNode([part, x, y, sign], round) {
  const shape = round
    ? svgElement("circle", { cx: x, cy: y, r: NODE })
    : svgElement("rect", { x: x - 24, y: y - 14, width: 48, height: 28, rx: 5 });
  const text = svgElement("text", { x, y: y + 5, "text-anchor": "middle" }, sign);
  return { part, root: svgElement("g", { class: "lcell-node" }, shape, text) };
}

function buildWire([kind, ...points]) {
  const part = kind.split(" ").at(-1);
  return { part, root: svgElement("path", { class: "lcell-wire", d: wirePath(points, part === kind) }) };
}

/** The whole drawing; `pieces` are wires and nodes with their part, `stacks` the numbers by name. */
export function buildDrawing(H, D) {
  const pieces = [
    ...wires(H, D).map(buildWire),
    ...CIRCLES.map((node) => buildNode(node, true)),
    ...FUNCTIONS.map((node) => buildNode(node, false)),
  ];
  const count = (name) => (name === "x" ? D : H);
  const stacks = Object.fromEntries(Object.entries(STACKS).map(([name, at]) => [name, buildStack(at, count(name))]));
  const titles = Object.entries(TITLES).map(([gate, title]) =>
    svgElement("text", { class: "lcell-title", x: COLUMNS[gate], y: BUS + 24, "text-anchor": "middle" }, title));
  const roots = [...pieces, ...Object.values(stacks)].map((piece) => piece.root);
  const svg = svgElement("svg", { viewBox: "0 0 760 450", role: "img" }, ...roots, ...titles);
  return { svg, pieces, stacks };
}
