// A table of weights in whole percent, shaded: a row for each name at the left, a column for each token above.

import { element } from "./elements.js";

/** The empty table in a box that may be scrolled; `label` names the box. Its cells are filled by `fill`. */
export function buildMatrix(label, rowNames, columnNames) {
  const word = (text) => element("span", { dir: "auto", title: text }, text);
  const heads = columnNames.map((text) => element("th", { scope: "col" }, word(text)));
  const cells = rowNames.map(() => columnNames.map(() => element("td", { class: "unr-cell" })));
  const names = rowNames.map((text) => element("th", { scope: "row" }, word(text)));
  const rows = cells.map((row, i) => element("tr", {}, names[i], ...row));
  const caption = element("span");
  const head = element("thead", {}, element("tr", {}, element("td"), ...heads));
  const table = element("table", {}, element("caption", {}, caption), head, element("tbody", {}, ...rows));
  const root = element("div", { class: "unr-matrix", tabindex: 0, role: "group", "aria-label": label }, table);
  return { caption, rows, cells, root };
}

/** Writes a row of weights into a row of cells: a dot for what is exactly 0. */
export function fill(cells, weights) {
  cells.forEach((cell, i) => {
    cell.textContent = weights[i] === 0 ? "·" : String(Math.round(100 * weights[i]));
    cell.style.setProperty("--weight", weights[i]);
    cell.classList.toggle("unr-none", weights[i] < 0.005);
  });
}
