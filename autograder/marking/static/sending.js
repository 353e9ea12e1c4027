// Marks on their way to the server; what is not saved yet survives a reload and the server's end.

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
    warn("The server does not answer. Nothing is lost: what is not saved is kept here and sent again.");
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
    if (warned && !marks.some((other) => other.wish)) say("");
  } else if (status === 409) {
    conflict(mark, content);
  } else if (status === 403 || status === 401) {
    warn("You are not logged in any more. Log in in another tab, then come back: what is not saved is kept here.");
    setTimeout(send, AGAIN, mark);
  } else {
    warn(`Not saved: ${content.message ?? status}`); // it stays on the page and in the browser's store
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
