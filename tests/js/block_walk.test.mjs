// The block walk's numbers and words, without a browser. pytest (tests/widgets/test_block_walk.py) writes the joined
// module and cases with Python's numbers into a folder and names it in UNROLLED_WIDGET_CASES.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { pathToFileURL } from "node:url";

const folder = process.env.UNROLLED_WIDGET_CASES;
const skip = folder ? false : "run by pytest, which writes the cases";
const widget = folder ? await import(pathToFileURL(join(folder, "widget.mjs"))) : {};
const cases = folder ? JSON.parse(readFileSync(join(folder, "cases.json"), "utf8")) : [];

/** The walk as a page hands it over: bytes as a DataView that need not begin where its buffer does. */
function walkIn(state) {
  return widget.readWalk((name) => {
    if (!["vectors", "looks"].includes(name)) return state[name];
    const raw = Buffer.from(state[name], "base64");
    const shifted = new Uint8Array(raw.length + 1);
    shifted.set(raw, 1);
    return new DataView(shifted.buffer, 1);
  });
}

const near = (one, other) => assert.ok(Math.abs(one - other) <= 1e-9 * Math.max(1, Math.abs(other)), `${one}, ${other}`);

test("vectors, sums, lengths, means and spreads are Python's", { skip }, () => {
  assert.equal(cases.length, 4);
  for (const { state, walks } of cases) {
    const all = walkIn(state);
    walks.forEach((walk, token) => {
      const found = widget.walkOf(all, token);
      assert.equal(found.length, walk.length);
      walk.forEach((places, layer) => {
        assert.deepEqual(found[layer].map(({ place }) => place), places.map(([place]) => place));
        assert.deepEqual(widget.placesOf(all, layer), places.map(([place]) => place));
        places.forEach(([, vector, length, mean, spread], n) => {
          const { vector: mine, from } = found[layer][n];
          assert.deepEqual(mine, vector);
          const facts = widget.facts(mine);
          near(facts.length, length);
          near(facts.mean, mean);
          near(facts.spread, spread);
          if (from.length === 2) assert.deepEqual(from[0].map((x, i) => x + from[1][i]), mine);
        });
      });
    });
  }
});

test("weights are Python's, of each layer, part and token", { skip }, () => {
  for (const { state, looks } of cases) {
    const all = walkIn(state);
    looks.forEach((parts, layer) => all.looking.forEach((part) => all.tokens.forEach((_, token) =>
      assert.deepEqual(widget.looksOf(all, layer, part, token), (parts[part] ?? []).map((head) => head[token])))));
  }
});

test("the lengths on the way are told", { skip }, () => {
  for (const { state, lengths } of cases) {
    const all = walkIn(state);
    lengths.forEach((numbers, token) => {
      const said = widget.lengths(all, token, widget.walkOf(all, token));
      assert.deepEqual(said.match(/\d+\.\d\d/g).map(Number), numbers.map((x) => Number(x.toFixed(2))));
      assert.ok(said.startsWith(`Length of “${all.tokens[token]}”: `));
      assert.equal(said.includes("after the final norm"), state.closed);
    });
  }
});

const PRE = { parts: ["norm1", "attention", "add1", "norm2", "feed_forward", "add2"], norm: "pre", tokens: ["a", "b", "c"] };

test("one walks from part to part and on into the next layer, and stops at both ends", { skip }, () => {
  const all = { ...PRE, depth: 2, closed: true };
  const way = [];
  for (let state = { layer: 0, part: "input" }; state; ) {
    way.push(`${state.layer} ${state.part}`);
    const next = widget.stepped(all, state, 1);
    state = next && { ...state, ...next };
  }
  const layer = (n) => PRE.parts.map((part) => `${n} ${part}`);
  assert.deepEqual(way, ["0 input", ...layer(0), ...layer(1), "1 final"]);
  const back = [];
  for (let state = { layer: 1, part: "final" }; state; ) {
    back.unshift(`${state.layer} ${state.part}`);
    const next = widget.stepped(all, state, -1);
    state = next && { ...state, ...next };
  }
  assert.deepEqual(back, way);
  assert.deepEqual(widget.stepped(all, { layer: 1, part: "input" }, 1), { part: "norm1" });
  assert.deepEqual(widget.stepped(all, { layer: 1, part: "input" }, -1), { layer: 0, part: "add2" });
});

test("keys choose token, part and layer", { skip }, () => {
  const all = { ...PRE, depth: 3, closed: false };
  const pressed = (key, state) => widget.walked(all, { token: 1, layer: 1, part: "add1", ...state }, key);
  assert.deepEqual(["ArrowLeft", "ArrowRight", "Home", "End"].map((key) => pressed(key)), [0, 2, 0, 2].map((token) => ({ token })));
  assert.deepEqual(pressed("ArrowLeft", { token: 0 }), { token: 0 });
  assert.deepEqual(["ArrowUp", "ArrowDown"].map((key) => pressed(key)), [{ part: "attention" }, { part: "norm2" }]);
  assert.deepEqual(pressed("ArrowDown", { layer: 2, part: "add2" }), {}, "the end: nothing changes, but the page does not scroll");
  assert.deepEqual(["PageUp", "PageDown"].map((key) => pressed(key)), [{ layer: 0 }, { layer: 2 }]);
  assert.deepEqual(pressed("PageDown", { layer: 2 }), { layer: 2 });
  assert.equal(pressed("Enter"), null);
});

test("a place that only the last layer has is the end of another one", { skip }, () => {
  const all = { ...PRE, depth: 2, closed: true };
  assert.equal(widget.insideWalk(all, { layer: 0, part: "final" }).part, "add2");
  assert.equal(widget.insideWalk(all, { layer: 1, part: "final" }).part, "final");
});

test("each kind of place is told", { skip }, () => {
  const looks = { attention: { heads: 2, weights: new Float32Array([1, 0, 0.5, 0.5, 1, 0, 0.25, 0.75]) } };
  const all = { tokens: ["x", "y"], width: 2, looks: [looks, { attention: { heads: 0, weights: new Float32Array() } }] };
  all.keys = { attention: all.tokens };
  const steps = [
    { place: "input", vector: [3, 4], from: [] },
    { place: "norm1", vector: [-1, 1], from: [[3, 5]] },
    { place: "attention", vector: [0, 2], from: [[-1, 1]] },
    { place: "add1", vector: [3, 4], from: [[3, 2], [0, 2]] },
    { place: "feed_forward", vector: [1, 0], from: [[-1, 1]] },
    { place: "add2", vector: [0, 0], from: [[3, 4], [-3, -4]] },
  ];
  const told = (part, layer = 0) => widget.told(all, { token: 1, layer, part }, steps);
  assert.equal(told("input"), "“y” (place 2 of 2), layer 0, comes in. This goes into the first block. Length 5.00.");
  assert.match(told("input", 1), /This is what layer 0 gave\. Length 5\.00\.$/);
  assert.match(told("norm1"), /mean \+4\.00 becomes 0\.00, spread 1\.00 becomes 1\.00, length 5\.83 becomes 1\.41\.$/);
  assert.match(told("attention"), /Of its 2 heads number 1 looks hardest at one token: “y” \(place 2 of 2\), 75\.0 %\. What it found has length 2\.00\.$/);
  assert.match(told("attention", 1), /Here the token looks at others, and itself\. What it found/, "weights that are not known");
  assert.match(told("add1"), /What came in \(length 3\.61\) and what attention found \(2\.00\) are added: length 5\.00\. Cosine of the sum with what came in: \+0\.94\.$/);
  assert.match(told("feed_forward"), /sees no other\. What it found has length 1\.00\.$/);
  assert.match(told("add2"), /what feed-forward found \(5\.00\) are added: length 0\.00\. Cosine .*: 0\.00\.$/);
  looks.attention.weights.fill(0);
  assert.match(told("attention"), /It may look nowhere\./);
});
