// Sheets over the table: dialogs of the browser's own kind, so that focus and Escape work as everywhere.

import { el } from "./dom.js";

let open = null;

/** Show a sheet with a heading and contents; another one goes away. Returns a function that closes it. */
export function show(name, title, closeText, contents, { onClose } = {}) {
  open?.close();
  const close = () => sheet.close();
  const heading = el("h2", { id: "sheet-title", tabindex: "-1" }, title);
  const sheet = el("dialog", { class: "sheet", id: `sheet-${name}`, "aria-labelledby": "sheet-title" },
    heading, el("div", { class: "body" }, ...contents), el("button", { type: "button", class: "close", on: { click: close } }, closeText));
  sheet.addEventListener("close", () => {
    sheet.remove();
    if (open === sheet) open = null;
    onClose?.();
  });
  sheet.addEventListener("click", (event) => {
    if (event.target === sheet) close();
  });
  document.body.append(sheet);
  open = sheet;
  sheet.showModal();
  const body = sheet.querySelector(".body");
  if (body.scrollHeight > body.clientHeight) body.tabIndex = 0;
  heading.focus();
  return close;
}

/** New contents for the open sheet; the focus stays inside. */
export function update(contents) {
  const body = open.querySelector(".body");
  const inside = body.contains(document.activeElement);
  body.replaceChildren(...contents);
  if (inside) body.querySelector("button")?.focus();
}

export function hide() {
  open?.close();
}

/** Which sheet is open, by name. */
export const shown = () => open?.id.replace("sheet-", "") ?? null;

/** Ask again before something that can't be taken back. */
export function confirm(texts, title, detail, yes, go) {
  const close = show("confirm", title, texts.say("page.no"), [
    el("p", {}, detail),
    el("button", { type: "button", class: "main", on: { click: () => { close(); go(); } } }, yes),
  ]);
}
