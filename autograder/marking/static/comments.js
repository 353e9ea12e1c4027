// Comments to use again, a letter each.

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
