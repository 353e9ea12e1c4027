// A change of a mark, and the way back.

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
