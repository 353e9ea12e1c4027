// The page of one question: keys and buttons give marks, each is sent at once, and what cannot be sent is kept and tried
// again. Nothing here turns text into HTML; the browser is told to refuse that (require-trusted-types-for).

const page = document.body;
const { url, most, step } = { url: page.dataset.url, most: Number(page.dataset.most), step: Number(page.dataset.step) };
const KEPT = `autograder-mark:${url}`; // what is not saved yet, in the browser's own store
const LETTERS = [..."adefghilmoqstvwxyz"]; // keys of saved comments
const AGAIN = 4000, LOOK = 8000, PAUSE = 800; // milliseconds: until a second try, a look at others' marks, a pause in typing

let saved = [], at = -1, typed = { text: "", time: 0 }, warned = false;
const undone = []; // what stood there before each change, the latest last

const $ = (selector, within = document) => within.querySelector(selector);
const amount = (number) => String(Math.round(number * 100) / 100);
const marks = [...document.querySelectorAll(".mark-answer")].map(made);

function made(element) {
  const stands = JSON.parse(element.dataset.said);
  return { id: element.dataset.id, element, stands, wish: null, sending: false, timer: 0, theirs: null };
}

const shown = (mark) => mark.wish ?? mark.stands;

function element(name, text, about = {}) {
  const made = Object.assign(document.createElement(name), about);
  if (text) made.textContent = text;
  return made;
}

function say(text, warns = false) {
  $("#mark-news").textContent = text;
  warned = warns;
}

const warn = (text) => say(text, true); // stays until nothing waits to be saved


function draw(mark) {
  const { points, comment } = shown(mark), box = mark.element;
  for (const radio of box.querySelectorAll("input[type=radio]"))
    radio.checked = points !== null && Number(radio.value) === points;
  const number = $("input[type=number]", box), text = $("textarea", box);
  if (number && document.activeElement !== number) number.value = points ?? "";
  if (text.value.trim() !== comment && document.activeElement !== text) text.value = comment;
  $(".mark-stand", box).textContent = `· ${standing(mark)}`;
  box.classList.toggle("mark-waits", waits(mark));
  $(".mark-state", box).textContent = mark.theirs ? "Not saved." : mark.wish ? "Not saved yet …" : "";
  progress();
}

function waits(mark) {
  return mark.wish ? mark.wish.points === null || mark.wish.waits : mark.stands.waits;
}

function standing(mark) {
  const { points } = shown(mark);
  if (!mark.wish && mark.stands.earlier) return `marked ${amount(points)} for an earlier answer: look again`;
  if (points === null) return waits(mark) ? "not marked" : "marked by the machine";
  return `${amount(points)} of ${amount(most)}`;
}

function progress() {
  const done = marks.filter((mark) => !waits(mark)).length;
  $("#mark-bar").max = Math.max(1, marks.length);
  $("#mark-bar").value = done;
  $("#mark-count").textContent = `${done} of ${marks.length} marked`;
}

function go(place, focus = true) {
  if (!marks.length) return;
  at = Math.max(0, Math.min(marks.length - 1, place));
  marks.forEach((mark, index) => mark.element.classList.toggle("mark-current", index === at));
  if (!focus) return;
  marks[at].element.focus({ preventScroll: true });
  if (page.classList.contains("mark-all")) marks[at].element.scrollIntoView({ block: "nearest" });
  else scrollTo(0, 0);
}

function unmarked() {
  const order = [...marks.keys()].map((offset) => (at + 1 + offset) % marks.length);
  const next = order.find((index) => waits(marks[index]));
  if (next === undefined) say("Every answer is marked.");
  else go(next);
}

function toggle(name) {
  const all = page.classList.toggle(name);
  const button = $(`[data-do=${name === "mark-all" ? "all" : "rubric"}]`);
  button.setAttribute("aria-pressed", String(name === "mark-all" ? all : !all));
  if (name === "mark-all") page.classList.toggle("mark-one", !all), go(at);
}
