// Head view's numbers and words, without a browser. pytest (tests/widgets/test_head_view.py) writes the joined module and
// cases with Python's numbers into a folder and names it in UNROLLED_WIDGET_CASES.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { pathToFileURL } from "node:url";

const folder = process.env.UNROLLED_WIDGET_CASES;
const skip = folder ? false : "run by pytest, which writes the cases";
const widget = folder ? await import(pathToFileURL(join(folder, "widget.mjs"))) : {};
const cases = folder ? JSON.parse(readFileSync(join(folder, "cases.json"), "utf8")) : [];

/** The sets as a page hands them over: bytes as a DataView that need not begin where its buffer does. */
function setsOf(state) {
  return widget.readSets((name) => {
    if (!["codes", "scales"].includes(name)) return state[name];
    const raw = Buffer.from(state[name], "base64");
    const shifted = new Uint8Array(raw.length + 1);
    shifted.set(raw, 1);
    return new DataView(shifted.buffer, 1);
  });
}

test("all weights are Python's", { skip }, () => {
  assert.equal(cases.length, 3);
  for (const { state, sets } of cases) {
    const read = setsOf(state);
    assert.deepEqual(read.map((set) => [set.kind, [set.queries, set.keys]]), sets.map(({ kind, rows }) => [kind, rows]));
    sets.forEach(({ shown, given }, k) => shown.forEach((heads, layer) => heads.forEach((matrix, head) => {
      assert.deepEqual(widget.matrixOf(read[k], layer, head), matrix);
      matrix.forEach((row, i) => {
        const most = Math.max(...given[layer][head][i]);
        assert.equal(Math.max(...read[k].rowOf(layer, head, i)), most, "the heaviest is exact");
        assert.equal(widget.ranked(row)[0], given[layer][head][i].indexOf(most));
      });
    })));
  }
});

test("a share that is written is not far from the weight that was given", { skip }, () => {
  for (const { sets } of cases)
    for (const { shown, given } of sets) {
      const [all, true_] = [shown.flat(3), given.flat(3)];
      all.forEach((weight, n) => {
        const said = widget.share(weight);
        if (said === "< 0.5 %") assert.ok(true_[n] > 0 && true_[n] < 0.007, `${true_[n]}`);
        else if (said === "> 99.5 %") assert.ok(true_[n] < 1 && true_[n] > 0.993, `${true_[n]}`);
        else assert.ok(Math.abs(parseInt(said) - 100 * true_[n]) <= 0.7001, `${said}: ${true_[n]}`);
        assert.equal(said === "0 %", true_[n] === 0, "nothing but 0 is called 0");
      });
    }
});

test("lines go to what is heavy, and to what is heaviest where all is light", { skip }, () => {
  assert.deepEqual(widget.lined([0.6, 0.385, 0.015, 0]), [0, 1]);
  assert.deepEqual(widget.lined(Array(100).fill(0.01)).length, 100);
  assert.deepEqual(widget.lined([0.016, 0.007, 0.009]), [0, 2]);
  assert.deepEqual(widget.lined([0, 0]), []);
});

test("keys walk along tokens, heads and layers, and stop at the ends", { skip }, () => {
  const set = { queries: ["a", "b", "c"], heads: 2, layers: 3 };
  const from = (state) => (key) => widget.walked(set, { token: 1, head: 0, layer: 1, arrangement: "columns", ...state }, key);
  const [columns, rows] = [from({}), from({ arrangement: "rows" })];
  assert.deepEqual(["ArrowUp", "ArrowDown", "Home", "End"].map(columns), [0, 2, 0, 2].map((token) => ({ token })));
  assert.deepEqual(["ArrowLeft", "ArrowRight"].map(columns), [{ head: 0 }, { head: 1 }]);
  assert.deepEqual(["ArrowLeft", "ArrowRight"].map(rows), [{ token: 0 }, { token: 2 }]);
  assert.deepEqual(["ArrowUp", "ArrowDown"].map(rows), [{ head: 0 }, { head: 1 }]);
  assert.deepEqual(["PageUp", "PageDown"].map(columns), [{ layer: 0 }, { layer: 2 }]);
  assert.deepEqual(from({ token: 2, head: 1, layer: 2 })("ArrowDown"), { token: 2 });
  assert.deepEqual(from({ head: 1 })("ArrowRight"), { head: 1 });
  assert.deepEqual(from({ layer: 2 })("PageDown"), { layer: 2 });
  assert.equal(columns("Enter"), null);
});

test("a state outside a smaller set is brought inside", { skip }, () => {
  const sets = [{ kind: "encoder", queries: ["a"], heads: 1, layers: 2 }];
  const state = { kind: "cross", layer: 5, head: 3, token: 4, all: true };
  assert.deepEqual(widget.insideView(sets, state), { kind: "encoder", layer: 1, head: 0, token: 0, all: true });
});

test("a row is told, with what gets nothing and what may see nothing", { skip }, () => {
  const rows = [[0.25, 0.75, 0], [1, 0, 0], [0, 0, 0]];
  const one = { kind: "cross", queries: ["x", "y", "z"], keys: ["a", "b", "c"], layers: 1, heads: 1, rowOf: (l, h, i) => rows[i] };
  const told = (token, sets = [one]) => widget.told(sets, { kind: "cross", layer: 0, head: 0, token });
  assert.equal(told(0), "Layer 0, head 0: “x” (place 1 of 3) looks most at “b” (place 2 of 3), 75.0 %, " +
    "then at “a” (place 1 of 3), 25 %. 1 of 3 tokens get exactly 0.");
  assert.equal(told(1), "Layer 0, head 0: “y” (place 2 of 3) looks most at “a” (place 1 of 3), 100 %. 2 of 3 tokens get exactly 0.");
  assert.equal(told(2), "Layer 0, head 0: “z” (place 3 of 3) may see nothing: all of its weights are 0.");
  assert.match(told(0, [{ ...one, kind: "encoder" }, one]), /^Layer 0, head 0, cross: /);
});
