// Keys and buttons, and the beginning of it all.

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
