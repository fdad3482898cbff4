// The moves so far, newest last: a column beside a wide table, a sheet on a phone.

import { el, sync } from "./dom.js";
import { tell } from "./tell.js";

/** One list item per event that has something to say. */
export function logLines(state, texts) {
  return state.events.flatMap((event, index) => tell(texts, state.view, event).map((text, part) => ({ key: `${index}.${part}`, text, at: event.at })));
}

export function renderLog(aside, state, texts) {
  aside.hidden = false;
  aside.setAttribute("aria-label", texts.say("page.log"));
  if (!aside.firstChild) aside.append(el("h2", {}), el("ol", { tabindex: "0" }));
  aside.firstChild.textContent = texts.say("page.log");
  const list = aside.lastChild;
  const lines = logLines(state, texts);
  sync(list, lines, (line) => `${state.table.game}.${line.key}`, () => el("li", {}), (item, line) => {
    if (item.textContent !== line.text) item.textContent = line.text;
  });
  if (lines.length !== Number(list.dataset.lines)) {
    list.dataset.lines = lines.length;
    list.scrollTop = list.scrollHeight;
  }
}

/** The same as a sheet. */
export function logSheet(state, texts) {
  return [el("ol", { class: "moves" }, ...logLines(state, texts).map((line) => el("li", {}, line.text)))];
}
