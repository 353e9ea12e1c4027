// Fill the mask: a sentence in pieces, which a click hides and shows, and for each hidden one a table of guesses.
//
// All state lives in traits: sentence, place and masked are set here; a typed line goes to Python as `asked`, and so does
// a choice that is not stored, as `masked`: what the kernel says comes back in `lines`, `more` and `answer`. On a page
// without a kernel nothing comes back, and the view says so. Numbers come from numbers.js, sentences from words.js; Python
// joins the files. Read from top to bottom: parts, drawing, answering.

import { insideLines, readAnswers, toggled, walked } from "./numbers.js";
import { nats, told } from "./words.js";
import { percent } from "../figures.js";
import { widthOf } from "../chips.js";
import { button, element, frame, menu, show, traits } from "../elements.js";

const STATE = ["lines", "more", "masked", "sentence", "place", "asked", "answer"];
const NARROWEST = 62; // of a piece, in pixels: [MASK] has room in it, so that nothing moves when it is hidden
const AROUND = ["[CLS]", "[SEP]"]; // small
const FOOT = "Click a piece to hide it, and again to show it. Every hidden place is filled by itself: what is put in at the " +
  "others is not known there. ## stands before a piece that goes on with a word. ✓: it stood there; its loss is −ln p. " +
  "In the sentence, left and right arrow keys walk along, space or Enter hides and shows, up and down go to another sentence.";
const KEYS = "pieces: left and right arrow keys walk along them, space or Enter hides and shows, up and down to another sentence";
const NO_KERNEL = "A sentence of your own needs a running notebook. The given ones can be looked at here.";
const ASKED = "The kernel was asked, and has not answered yet.";
const READY = "[MASK] may stand in it. Enter sends the line.";

// --- parts

function buildAsking() {
  const note = element("p", { class: "fmk-note", id: `fmk-note-${Math.random().toString(36).slice(2)}`, role: "status" });
  const line = element("input", { type: "text", spellcheck: "false", autocomplete: "off", "aria-describedby": note.id });
  const label = element("label", {}, element("span", {}, "your sentence"), line);
  const send = button("read it", "send the line to the kernel");
  return { note, line, send, root: element("div", { class: "fmk-asking" }, label, send) };
}

function build() {
  const [chosen, clear] = [menu("sentence", []), button("show all", "hide nothing")];
  const asking = buildAsking();
  const line = element("div", { class: "fmk-pieces", role: "listbox", "aria-multiselectable": "true",
    "aria-orientation": "horizontal", "aria-label": KEYS });
  const status = element("p", { class: "unr-status", "aria-live": "polite" });
  const cards = element("div", { class: "fmk-cards" });
  const root = frame("fill the mask", "fmk");
  const controls = element("div", { class: "fmk-controls" }, chosen.root, clear);
  root.append(controls, asking.root, asking.note, line, status, cards, element("p", { class: "unr-foot" }, FOOT));
  return { root, chosen, clear, asking, line, status, cards, options: [] };
}

function buildRow(word, chance, kind) {
  const bar = element("span", { class: "fmk-bar" });
  bar.style.width = `${100 * chance}%`;
  const track = element("td", { class: "fmk-track", "aria-hidden": "true" }, element("div", {}, bar));
  return element("tr", { class: kind }, element("th", { scope: "row" }, word), track, element("td", {}, percent(chance)));
}

const emptyRow = () => element("tr", { class: "fmk-empty", "aria-hidden": "true" }, element("td", { colspan: 3 }, "\u00a0"));

/** A hidden place: the likeliest pieces, and what stood there, if it is not among them. */
function buildCard(one) {
  const rows = one.words.map((word, k) =>
    buildRow(word === one.stood ? `${word} ✓` : word, one.chances[k], word === one.stood ? "fmk-stood" : ""));
  const outside = one.stood !== null && !one.words.includes(one.stood);
  rows.push(outside ? buildRow(`${one.rank}. ${one.stood} ✓`, one.chance, "fmk-stood fmk-outside") : emptyRow());
  const caption = element("caption", {}, `[MASK] at place ${one.place}`,
    element("span", {}, one.stood === null ? "" : ` for “${one.stood}”, loss ${nats(one.loss)}`));
  const head = ["piece", "p"].map((name, i) => element("th", { scope: "col", ...(i && { colspan: 2 }) }, name));
  const columns = ["name", "track", "p"].map((kind) => element("col", { class: `fmk-col-${kind}` }));
  const table = element("table", {}, caption, element("colgroup", {}, ...columns), element("thead", {}, element("tr", {}, ...head)),
    element("tbody", {}, ...rows));
  return element("div", { class: "fmk-card" }, table);
}

// --- drawing

function drawOption(option, piece, { line, place, choice }, answer, i) {
  const isHidden = choice.includes(i) || line.fixed.includes(i);
  const guess = answer?.find((one) => one.place === i)?.words[0];
  const word = isHidden ? "[MASK]" : piece;
  option.root.setAttribute("aria-selected", choice.includes(i));
  option.root.setAttribute("tabindex", i === place ? 0 : -1);
  option.root.classList.toggle("fmk-hidden", isHidden);
  option.word.textContent = word;
  option.guess.textContent = isHidden ? guess ?? "?" : "";
  const more = choice.includes(i) ? `, “${piece}” is hidden` : line.free.includes(i) ? "" : ", stays as it is";
  option.root.setAttribute("aria-label", `${word}${isHidden ? ` ${guess ?? "?"}` : ""}, place ${i}${more}`);
}

/** The sentence anew, when it is another one. */
function rebuild(view, { line }) {
  view.options = line.pieces.map((piece, i) => {
    const [word, guess] = ["word", "guess"].map((kind) => element("span", { class: `fmk-${kind}` }));
    const kind = line.free.includes(i) ? (piece.startsWith("##") ? " fmk-inside" : "") : " fmk-special";
    const root = element("div", { role: "option", class: `fmk-piece${kind}` }, word, " ", guess);
    if (!line.free.includes(i)) root.setAttribute("aria-disabled", "true");
    root.style.width = `${AROUND.includes(piece) ? 50 : Math.max(NARROWEST, widthOf(piece))}px`;
    return { root, word, guess };
  });
  view.line.replaceChildren(...view.options.map(({ root }) => root));
}

function drawChosen({ select }, lines, n) {
  const names = lines.map(({ pieces, own }) => `${own ? "yours: " : ""}${pieces.slice(1, -1).join(" ").replaceAll(" ##", "")}`);
  select.replaceChildren(...names.map((name, value) => element("option", { value }, name)));
  select.value = n;
}

/** Whether the kernel is there is known from its first answer on. */
function drawAsking({ line, send, note }, { asked, answer }, kernel) {
  for (const node of [line, send]) node.disabled = !kernel;
  line.placeholder = kernel ? "" : "no kernel here";
  const heard = answer.note ? `Not read: ${answer.note}.` : READY;
  const said = !kernel ? NO_KERNEL : asked.text && asked.call !== answer.call ? ASKED : heard;
  if (note.textContent !== said) note.textContent = said;
}

/** Draws what the traits say; the sentence's elements stay as long as it is the same. */
function drawing(view, get, answerOf) {
  const seen = { kernel: false, lines: null, n: null };
  return () => {
    const state = get();
    const at = insideLines(state);
    seen.kernel ||= state.asked.call === state.answer.call;
    if (state.lines !== seen.lines || at.n !== seen.n) {
      const hadFocus = view.line.contains(document.activeElement);
      rebuild(view, at);
      drawChosen(view.chosen, state.lines, at.n);
      if (hadFocus) view.options[at.place].root.setAttribute("tabindex", 0), view.options[at.place].root.focus();
    }
    Object.assign(seen, { lines: state.lines, n: at.n });
    const answer = answerOf(at.n, at.choice);
    at.line.pieces.forEach((piece, i) => drawOption(view.options[i], piece, at, answer, i));
    view.cards.replaceChildren(...(answer ?? []).map(buildCard));
    view.clear.disabled = at.choice.length === 0;
    drawAsking(view.asking, state, seen.kernel);
    const said = told(at, answer, seen.kernel);
    if (view.status.textContent !== said) view.status.textContent = said; // said again only when it changes
  };
}

// --- answering to the reader

function listen(view, get, set) {
  const hear = (node, kind, answer) => node.addEventListener(kind, answer);
  const at = () => insideLines(get());
  const hide = (place) => {
    const masked = toggled(get(), at().n, place);
    set({ place, ...(masked && { masked }) });
    view.options[at().place].root.focus();
  };
  hear(view.line, "keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const next = walked(get(), at(), event.key);
    if (!next && event.key !== " " && event.key !== "Enter") return;
    event.preventDefault();
    if (!next) return hide(at().place);
    set(next);
    view.options[at().place].root.focus();
  });
  hear(view.line, "click", (event) => {
    const place = view.options.findIndex(({ root }) => root.contains(event.target));
    if (place >= 0) hide(place);
  });
  hear(view.clear, "click", () => set({ masked: get().lines.map((_, i) => (i === at().n ? [] : get().masked[i] ?? [])) }));
  hear(view.chosen.select, "change", () => set({ sentence: Number(view.chosen.select.value), place: 0 }));
  const ask = () => {
    if (view.asking.line.value.trim()) set({ asked: { call: get().asked.call + 1, text: view.asking.line.value } });
  };
  hear(view.asking.send, "click", ask);
  hear(view.asking.line, "keydown", (event) => {
    if (event.key === "Enter" && !event.shiftKey && !event.ctrlKey && !event.metaKey) event.preventDefault(), ask();
  });
}

function render({ model, el }) {
  const view = build();
  const { get, set } = traits(model, STATE);
  listen(view, get, set);
  // A question that no saved page has: only a living kernel answers it.
  set({ asked: { call: Date.now(), text: "" } });
  return show({ model, el }, view.root, STATE, drawing(view, get, readAnswers((name) => model.get(name))));
}

export default { render };
