// The tag reader: a sentence with a tag under each word, and below it the tags of the word looked at.
//
// All state lives in traits: sentence and word are set here; a typed line goes to Python as `asked`, and what comes
// back as `answer` is one more sentence. On a page without a kernel nothing comes back, and the field says so. Numbers
// and words come from numbers.js; Python joins the files. Read from top to bottom: parts, drawing, answering.

import { inside, laid, reach, readSentences, tagsOf, told } from "./numbers.js";
import { percent, signed } from "../figures.js";
import { button, element, frame, menu, show, traits } from "../elements.js";

const STATE = ["sentence", "word", "asked", "answer"];
const HUES = 6;
const PATTERNS = 3;
const SIDES = ["left", "right", "bias"]; // the parts of a logit, in their order
const NAMES = ["from the left", "from the right", "bias"];
const FOOT = "Logit of a tag = what was read from the left, up to the word + what was read from the right, down to it + " +
  "bias. Only differences between tags count: the same amount added to all of them changes no probability. Left and " +
  "right arrow keys walk along the words, up and down to another sentence.";
const NO_KERNEL = "Typing a sentence of your own needs a running notebook. The given ones can be looked at here.";
const WAITING = "The kernel was asked, and has not answered yet.";
const READY = "Words are cut at spaces and marks, as the English treebank does. Enter sends the line.";

// --- parts

function buildAsking() {
  const note = element("p", { class: "trd-note", id: `trd-note-${Math.random().toString(36).slice(2)}`, role: "status" });
  const line = element("input", { type: "text", spellcheck: "false", autocomplete: "off", "aria-describedby": note.id });
  const label = element("label", {}, element("span", {}, "your sentence"), line);
  const send = button("tag it", "send the line to the kernel");
  return { note, line, send, root: element("div", { class: "trd-asking" }, label, send) };
}

function buildLegend() {
  const entries = NAMES.map((name, i) =>
    element("span", {}, element("span", { class: `trd-swatch trd-${SIDES[i]}` }), name));
  const sum = element("span", {}, element("span", { class: "trd-swatch trd-sum" }), "sum, the logit");
  return element("div", { class: "trd-legend", "aria-hidden": "true" }, ...entries, sum);
}

function buildRow() {
  const name = element("th", { scope: "row" });
  const [bar, bars] = [element("div", { class: "trd-bar" }), element("div", { class: "trd-parts" })];
  const [p, ...numbers] = Array.from({ length: 5 }, () => element("td", { class: "trd-number" }));
  const cell = (kind, content) => element("td", { class: kind, "aria-hidden": "true" }, content);
  const root = element("tr", {}, name, cell("trd-wide", bar), p, cell("trd-wide", bars), ...numbers);
  return { name, bar, p, bars, numbers, root };
}

function buildTable(count) {
  const titles = [["tag"], ["P(tag)", 2], ["parts of the logit"], ["from left"], ["from right"], ["bias"], ["logit"]];
  const head = titles.map(([title, span]) => element("th", { scope: "col", ...(span && { colspan: span }) }, title));
  const rows = Array.from({ length: count }, buildRow);
  const others = element("td", { class: "trd-others", colspan: 8 });
  const body = element("tbody", {}, ...rows.map((row) => row.root), element("tr", {}, others));
  const caption = element("caption");
  const columns = ["tag", "bar", "p", "parts", "number", "number", "number", "number"].map((kind) =>
    element("col", { class: `trd-col-${kind}` }));
  const table = element("table", {}, caption, element("colgroup", {}, ...columns), element("thead", {}, element("tr", {}, ...head)),
    body);
  const root = element("div", { class: "trd-scroll", tabindex: 0, role: "group", "aria-label": "tags of the word" }, table);
  return { caption, rows, others, root };
}

function build(get) {
  const chosen = menu("sentence", []);
  const asking = buildAsking();
  const name = "words: left and right arrow keys walk along them, up and down to another sentence";
  const line = element("div", { class: "trd-words", role: "listbox", "aria-orientation": "horizontal", "aria-label": name });
  const status = element("p", { class: "unr-status", "aria-live": "polite" });
  const table = buildTable(Math.min(get("rows"), get("tags").length));
  const root = frame("tag reader", "trd");
  root.append(chosen.root, line, status, buildLegend(), table.root, asking.root, asking.note);
  root.append(element("p", { class: "unr-foot" }, FOOT));
  return { root, chosen, asking, line, status, table, words: [] };
}

// --- drawing

/** A tag's colour and pattern, the commonest answers first: six colours plain, then the same ones patterned. */
const look = (rank) => `trd-hue${rank % HUES} trd-pattern${Math.floor(rank / HUES) % PATTERNS}`;

function drawWords(view, net, sentence) {
  view.words = sentence.words.map((word, t) => {
    const [best] = tagsOf(sentence, net.bias, t);
    const tag = net.tags[best.tag];
    const name = `${word} ${tag}, ${percent(best.p)}`; // begins with what is seen
    const band = element("span", { class: `trd-band ${look(net.ranks[best.tag])}` });
    return element("div", { role: "option", "aria-label": name }, element("span", { class: "trd-word" }, word), " ", band,
      element("span", { class: "trd-tag" }, tag));
  });
  view.line.replaceChildren(...view.words);
}

function drawChosen(view, sentences, n) {
  const { select } = view.chosen;
  const names = sentences.map(({ words, own }) => `${own ? "yours: " : ""}${words.join(" ")}`);
  select.replaceChildren(...names.map((name, value) => element("option", { value }, name)));
  select.value = n;
}

const place = (node, [from, to]) => {
  node.style.left = `${100 * from}%`;
  node.style.width = `${100 * (to - from)}%`;
};

function drawRow(row, net, { tag, p, parts, logit }, [low, high]) {
  const along = (value) => (value - low) / (high - low);
  row.name.replaceChildren(element("span", { class: `trd-key ${look(net.ranks[tag])}` }), net.tags[tag]);
  row.p.textContent = percent(p);
  row.bar.style.width = `${100 * p}%`;
  row.bar.className = `trd-bar ${look(net.ranks[tag])}`;
  const bars = laid(parts).map((ends, i) => {
    const bar = element("span", { class: `trd-part trd-${SIDES[i]}` });
    place(bar, ends.map(along));
    return bar;
  });
  const marks = [["trd-zero", 0], ["trd-sum", logit]].map(([kind, value]) => {
    const mark = element("span", { class: kind });
    mark.style.left = `${100 * along(value)}%`;
    return mark;
  });
  row.bars.replaceChildren(...bars, ...marks);
  [...parts, logit].forEach((value, i) => (row.numbers[i].textContent = signed(value)));
}

function drawTable({ caption, rows, others }, net, sentence, t, ranked) {
  const range = reach(sentence, net.bias, rows.length);
  caption.textContent = `“${sentence.words[t]}”, word ${t + 1} of ${sentence.words.length}`;
  rows.forEach((row, i) => drawRow(row, net, ranked[i], range));
  const rest = ranked.slice(rows.length);
  const sum = rest.reduce((total, { p }) => total + p, 0);
  others.textContent = rest.length ? `the other ${rest.length} tags together: ${percent(sum)}` : "";
}

function drawCursor({ words }, t) {
  words.forEach((word, i) => {
    word.setAttribute("aria-selected", i === t);
    word.setAttribute("tabindex", i === t ? 0 : -1);
  });
}

/** Whether the kernel is there is known from its first answer on. */
function drawAsking({ line, send, note }, { asked, answer }, seen) {
  const answered = asked.call === answer.call;
  seen.kernel ||= answered;
  for (const node of [line, send]) node.disabled = !seen.kernel;
  line.placeholder = seen.kernel ? "" : "no kernel here";
  const heard = answer.note ? `Not read: ${answer.note}.` : READY;
  const said = !seen.kernel ? NO_KERNEL : asked.text && !answered ? WAITING : heard;
  if (note.textContent !== said) note.textContent = said;
}

/** Draws what has changed since the last time. */
function drawing(view, net, model) {
  const seen = { kernel: false, answer: null, sentence: null };
  let sentences;
  return () => {
    const get = (name) => model.get(name);
    const isNew = get("answer") !== seen.answer;
    if (isNew) sentences = readSentences(get);
    const { sentence: n, word: t } = inside(sentences, { sentence: get("sentence"), word: get("word") });
    if (isNew || n !== seen.sentence) {
      const hadFocus = view.line.contains(document.activeElement);
      drawWords(view, net, sentences[n]);
      drawChosen(view, sentences, n);
      if (hadFocus) view.words[t].setAttribute("tabindex", 0), view.words[t].focus();
    }
    Object.assign(seen, { answer: get("answer"), sentence: n });
    const ranked = tagsOf(sentences[n], net.bias, t);
    drawCursor(view, t);
    drawTable(view.table, net, sentences[n], t, ranked);
    drawAsking(view.asking, { asked: get("asked"), answer: get("answer") }, seen);
    const said = told(net, sentences[n].words[t], ranked);
    if (view.status.textContent !== said) view.status.textContent = said; // said again only when it changes
  };
}

// --- answering to the reader

function walkTo(sentences, { sentence, word }, key) {
  const steps = {
    ArrowLeft: [sentence, word - 1],
    ArrowRight: [sentence, word + 1],
    Home: [sentence, 0],
    End: [sentence, sentences[sentence].words.length - 1],
    ArrowUp: [sentence - 1, word],
    ArrowDown: [sentence + 1, word],
  };
  if (!(key in steps)) return null;
  const [n, t] = steps[key].map((value) => Math.max(0, value));
  return inside(sentences, { sentence: n, word: t });
}

function listen(view, model, set) {
  const hear = (node, kind, answer) => node.addEventListener(kind, answer);
  const sentences = () => readSentences((name) => model.get(name));
  const state = () => inside(sentences(), { sentence: model.get("sentence"), word: model.get("word") });
  hear(view.line, "keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const next = walkTo(sentences(), state(), event.key);
    if (!next) return;
    event.preventDefault();
    set(next);
    view.words[next.word].focus();
  });
  const lookAt = (event) => {
    const word = view.words.indexOf(event.target.closest("[role=option]"));
    if (word >= 0 && word !== state().word) set({ ...state(), word });
  };
  for (const kind of ["pointerover", "pointerdown", "focusin"]) hear(view.line, kind, lookAt);
  hear(view.chosen.select, "change", () => set({ sentence: Number(view.chosen.select.value), word: 0 }));
  const ask = () => {
    if (view.asking.line.value.trim()) set({ asked: { call: model.get("asked").call + 1, text: view.asking.line.value } });
  };
  hear(view.asking.send, "click", ask);
  hear(view.asking.line, "keydown", (event) => {
    if (event.key === "Enter") event.preventDefault(), ask();
  });
}

function render({ model, el }) {
  const get = (name) => model.get(name);
  const net = { tags: get("tags"), ranks: get("ranks"), bias: get("bias"), directions: get("directions") };
  const view = build(get);
  const { set } = traits(model, STATE);
  listen(view, model, set);
  // A question that no saved page has: only a living kernel answers it.
  set({ asked: { call: Date.now(), text: "" } });
  return show({ model, el }, view.root, STATE, drawing(view, net, model));
}

export default { render };
