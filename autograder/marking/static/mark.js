// The page of one question: keys and buttons give marks, each is sent at once, and what cannot be sent is kept and tried
// again. Nothing here turns text into HTML; the browser is told to refuse that (require-trusted-types-for).

const page = document.body;
const { url, most, step } = { url: page.dataset.url, most: Number(page.dataset.most), step: Number(page.dataset.step) };
const KEPT = `autograder-mark:${url}`; // what is not saved yet, in the browser's own store
const TAKEN = "bcjknrup"; // letters that are keys already
const LETTERS = [..."adefghilmoqstvwxyz"]; // keys of saved comments
const AGAIN = 4000, LOOK = 8000, PAUSE = 800; // milliseconds: until a second try, a look at others' marks, a pause in typing

let saved = [], at = -1, typed = { text: "", time: 0 };
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

function say(text) {
  $("#mark-news").textContent = text;
}

// --- drawing ----------------------------------------------------------------------------------------------------------

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

// --- changing ---------------------------------------------------------------------------------------------------------

function change(mark, what, because) {
  if (mark.theirs) return say("Decide first whose mark stands.");
  const before = shown(mark), { points, comment, waits: asked } = before;
  const after = { points, comment, waits: what.points === undefined && asked, version: mark.wish?.version, ...what };
  const same = after.points === points && after.comment === comment && Boolean(after.waits) === Boolean(asked);
  if (same) return;
  if (because !== "undo") remember(mark, { points, comment, waits: asked }, because);
  mark.wish = after;
  keep();
  draw(mark);
  clearTimeout(mark.timer);
  if (because === "typing") mark.timer = setTimeout(send, PAUSE, mark);
  else send(mark);
}

function remember(mark, before, because) {
  const last = undone.at(-1);
  if (because === "typing" && last?.mark === mark && last.because === "typing") return; // one step for one comment
  undone.push({ mark, before, because });
  $("[data-do=undo]").disabled = false;
}

function undo() {
  const last = undone.pop();
  $("[data-do=undo]").disabled = !undone.length;
  if (!last) return say("Nothing to undo.");
  const { mark, before } = last;
  go(marks.indexOf(mark));
  $("textarea", mark.element).value = before.comment;
  change(mark, { ...before, restores: true }, "undo");
  say(`Undone: answer ${marks.indexOf(mark) + 1}.`);
}

function give(points) {
  if (at < 0 || points < 0 || points > most || !Number.isInteger(points / step)) return;
  change(marks[at], { points }, "points");
}

function comment(text) {
  const mark = marks[at], area = $("textarea", mark.element), before = area.value.trim();
  area.value = before ? `${before}\n\n${text}` : text;
  change(mark, { comment: area.value.trim() }, "saved comment");
}

// --- sending ----------------------------------------------------------------------------------------------------------

const cookie = () => document.cookie.match(/(?:^|; )_xsrf=([^;]*)/)?.[1] ?? "";

async function ask(path, content) {
  const about = content && { method: "PUT", body: JSON.stringify(content) };
  const headers = { "Content-Type": "application/json", "X-XSRFToken": cookie() };
  const answer = await fetch(url + path, { ...about, headers, credentials: "same-origin" });
  return { status: answer.status, content: await answer.json().catch(() => ({})) };
}

async function send(mark) {
  if (mark.sending || !mark.wish || mark.theirs) return;
  mark.sending = true;
  const wish = mark.wish;
  try {
    const answer = await ask(`/answer/${mark.id}`, { ...wish, version: wish.version ?? mark.stands.version });
    heard(mark, wish, answer);
  } catch {
    say("The server does not answer. Nothing is lost: what is not saved is kept here and sent again.");
    setTimeout(send, AGAIN, mark);
  }
  mark.sending = false;
  keep();
  draw(mark);
  if (mark.wish && mark.wish !== wish) send(mark);
}

function heard(mark, wish, { status, content }) {
  if (status === 200) {
    mark.stands = content;
    if (mark.wish === wish) mark.wish = null;
    else delete mark.wish.version;
    if (!marks.some((other) => other.wish)) say("");
  } else if (status === 409) {
    conflict(mark, content);
  } else if (status === 403 || status === 401) {
    say("You are not logged in any more. Log in in another tab, then come back: what is not saved is kept here.");
    setTimeout(send, AGAIN, mark);
  } else {
    say(`Not saved: ${content.message ?? status}`); // it stays on the page and in the browser's store
    if (status >= 500) setTimeout(send, AGAIN, mark);
  }
}

function conflict(mark, theirs) {
  if (theirs.answer !== mark.stands.answer && !mark.element.dataset.old) return another(mark);
  const same = theirs.points === mark.wish.points && theirs.comment === mark.wish.comment && !theirs.waits;
  if (same) return settle(mark, theirs, false);
  mark.theirs = theirs;
  const box = $(".mark-conflict", mark.element), given = theirs.points === null ? "no points" : amount(theirs.points);
  const said = theirs.comment ? ` and “${theirs.comment}”` : "";
  const ours = mark.wish.points === null ? "no points" : amount(mark.wish.points);
  const take = element("button", "Keep theirs", { type: "button", onclick: () => settle(mark, theirs, false) });
  const put = element("button", "Put mine", { type: "button", onclick: () => settle(mark, theirs, true) });
  const text = `Somebody has marked this meanwhile: ${given}${said}. Yours, not saved: ${ours}. `;
  box.replaceChildren(element("p", text), take, put);
  box.hidden = false;
  say("Another mark stands there by now.");
}

function settle(mark, theirs, mine) {
  const wish = mark.wish;
  mark.theirs = null;
  mark.stands = theirs;
  mark.wish = mine && wish ? { ...wish, version: undefined } : null;
  $(".mark-conflict", mark.element).hidden = true;
  if (!mark.wish) $("textarea", mark.element).value = theirs.comment;
  say("");
  keep();
  draw(mark);
  send(mark);
}

function another(mark) {
  const box = $(".mark-conflict", mark.element);
  box.replaceChildren(element("p", "Another answer stands here by now, so nothing was saved. "));
  box.append(element("button", "Show it", { type: "button", onclick: () => location.reload() }));
  box.hidden = false;
  mark.wish = null;
}

// --- what is not saved yet, across a reload or the server's end ---------------------------------------------------------

function keep() {
  const open = marks.filter((mark) => mark.wish);
  const kept = open.map((mark) => [mark.id, { ...mark.wish, version: mark.wish.version ?? mark.stands.version }]);
  try {
    if (kept.length) localStorage.setItem(KEPT, JSON.stringify(Object.fromEntries(kept)));
    else localStorage.removeItem(KEPT);
  } catch { /* a browser without a store */ }
}

function restore() {
  let kept = {};
  try {
    kept = JSON.parse(localStorage.getItem(KEPT)) ?? {};
  } catch { /* nothing that can be read */ }
  for (const mark of marks.filter((mark) => kept[mark.id])) {
    mark.wish = kept[mark.id];
    $("textarea", mark.element).value = mark.wish.comment;
    draw(mark);
    send(mark);
  }
}

async function look() {
  if (document.hidden) return;
  try {
    const { status, content } = await ask("/state");
    if (status !== 200) return;
    for (const mark of marks) if (!mark.wish && !mark.sending) follow(mark, content.marks[mark.id]);
    if (String(content.saved) !== String(saved)) comments(content.saved);
  } catch { /* the next mark will tell */ }
}

function follow(mark, theirs) {
  if (!theirs || theirs.version === mark.stands.version) return;
  if (theirs.answer !== mark.stands.answer) return another(mark);
  mark.stands = theirs;
  draw(mark);
}

// --- saved comments ---------------------------------------------------------------------------------------------------

function comments(those) {
  saved = those;
  for (const mark of marks) {
    const use = saved.map((text, index) => button(text, LETTERS[index], mark));
    const add = element("button", "Save this comment", { type: "button", className: "mark-add" });
    add.onclick = () => keepComment(mark);
    $(".mark-saved", mark.element).replaceChildren(...use, add);
  }
}

function button(text, letter, mark) {
  const line = text.split("\n")[0], short = line.length > 60 ? `${line.slice(0, 59)}…` : line;
  const whole = element("span", "", { className: "mark-one-saved" });
  const use = element("button", `${short} `, { type: "button", title: text, onclick: () => use_(mark, text) });
  if (letter) use.append(element("kbd", letter));
  const away = element("button", "×", { type: "button", title: "Remove", onclick: () => change_({ remove: text }) });
  away.setAttribute("aria-label", `Remove the saved comment: ${short}`);
  whole.append(use, away);
  return whole;
}

function use_(mark, text) {
  go(marks.indexOf(mark), false);
  comment(text);
}

function keepComment(mark) {
  const text = $("textarea", mark.element).value.trim();
  if (text) change_({ add: text });
  else say("Write a comment first, then save it.");
}

async function change_(what) {
  try {
    const { status, content } = await ask("/saved", what);
    if (status === 200) comments(content), say(what.add ? "Saved for other answers." : "Removed.");
    else say(content.message ?? `Not saved (${status}).`);
  } catch {
    say("The server does not answer; the comment was not saved for other answers.");
  }
}

// --- keys and buttons -------------------------------------------------------------------------------------------------

const DO = {
  previous: () => go(at - 1),
  next: () => go(at + 1),
  unmarked,
  undo,
  all: () => toggle("mark-all"),
  rubric: () => toggle("mark-no-rubric"),
  keys: () => $("#mark-keys").showModal(),
  close: () => $("#mark-keys").close(),
};
const KEYS = { k: "previous", j: "next", n: "unmarked", u: "undo", b: "all", r: "rubric", "?": "keys" };

function digit(key) {
  const now = performance.now(), text = now - typed.time < 900 && most > 9 ? typed.text + key : key;
  typed = Number(text) <= most ? { text, time: now } : { text: key, time: now };
  give(Number(typed.text));
}

function half() {
  const { points } = shown(marks[at]);
  give(Math.floor(points ?? 0) + 0.5);
}

function key(event) {
  const writes = event.target.matches("textarea, input[type=number]");
  if (writes && event.key === "Escape") return event.target.blur(), go(at);
  if (writes && event.key === "Enter" && (event.ctrlKey || event.metaKey)) return event.target.blur(), unmarked();
  if (writes || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if ($("#mark-keys").open || !$("#mark-keys-on").checked || at < 0) return;
  const text = saved[LETTERS.indexOf(event.key)];
  if (KEYS[event.key]) DO[KEYS[event.key]]();
  else if (/^\d$/.test(event.key)) digit(event.key);
  else if (/^[.,]$/.test(event.key) && step < 1) half();
  else if (event.key === "c") $("textarea", marks[at].element).focus();
  else if (text) comment(text);
  else return;
  event.preventDefault();
}

function listen(mark, index) {
  mark.element.addEventListener("focusin", () => index !== at && go(index, false));
  $("textarea", mark.element).addEventListener("input", (event) =>
    change(mark, { comment: event.target.value.trim() }, "typing"));
  $("textarea", mark.element).addEventListener("blur", () => mark.wish && send(mark));
  mark.element.addEventListener("change", (event) => {
    if (event.target.matches("textarea") || event.target.value === "") return;
    go(index, false);
    const points = Number(event.target.value);
    if (points >= 0 && points <= most && Number.isInteger(points / step)) give(points);
    else say(`Points go from 0 to ${amount(most)} in steps of ${amount(step)}.`);
  });
}

function begin() {
  if (location.search.includes("token=")) history.replaceState(null, "", location.pathname);
  marks.forEach(listen);
  comments(JSON.parse(page.dataset.saved));
  document.addEventListener("keydown", key);
  for (const one of document.querySelectorAll("[data-do]")) one.addEventListener("click", () => DO[one.dataset.do]());
  addEventListener("beforeunload", (event) => marks.some((mark) => mark.wish) && event.preventDefault());
  marks.forEach(draw);
  go(marks.findIndex(waits), false);
  progress();
  restore();
  setInterval(look, LOOK);
}

begin();
