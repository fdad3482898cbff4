// The table before its program is here: drawn, and with the rules, while Python loads behind it.

import { el } from "./dom.js";
import { helpSheet } from "./help.js";

const NAME = "durak-name";
const HAND = 6;
const byId = (id) => document.getElementById(id);
const back = () => el("div", { class: "back" });

/** A covered hand and seats without people: a table that waits. */
export function draw() {
  byId("seats").replaceChildren(...[0, 1].map(() => el("li", { class: "seat shell" }, el("div", { class: "disc" }), el("div", { class: "name" }, "…"))));
  byId("hand").replaceChildren(el("div", { class: "shell", "aria-hidden": "true" }, ...Array.from({ length: HAND }, back)));
}

/** The real table comes: nothing of the drawing stays. */
export function clear() {
  for (const drawn of document.querySelectorAll(".shell")) drawn.remove();
}

/** Show how much of `total` has come, in words and as a bar; the bar stands until `loaded`. */
export function progress(texts, got, total) {
  const percent = Math.min(100, Math.floor((100 * got) / total));
  const bar = document.querySelector("#guest-progress") ?? byId("say").appendChild(el("progress", { id: "guest-progress" }));
  bar.max = 100;
  bar.value = percent;
  bar.setAttribute("aria-label", texts.say("page.guest.loading", { percent }));
  return texts.say("page.guest.loading", { percent });
}

export function loaded() {
  byId("guest-progress")?.remove();
}

/** The person's name; asked once on this device. `usual`: options of the rules most people play by. */
export function ask(texts, usual, warning) {
  const known = localStorage.getItem(NAME);
  if (known) return Promise.resolve(known);
  const box = byId("dealing");
  const field = el("input", { id: "name", maxlength: 20, required: true, autocomplete: "nickname", "aria-label": texts.say("page.guest.name") });
  const go = el("button", { id: "sit", type: "submit", class: "main" }, texts.say("page.guest.sit"));
  const line = (id) => el("p", {}, texts.say(id));
  return new Promise((resolve) => {
    const form = el("form", { class: "guest-form", on: { submit: (event) => {
      event.preventDefault();
      const name = field.value.trim();
      if (!name) {
        field.value = "";
        field.reportValidity();
        return;
      }
      localStorage.setItem(NAME, name);
      box.replaceChildren();
      box.hidden = true;
      resolve(name);
    } } },
    el("h2", {}, texts.say("page.lobby")), warning && el("p", { class: "warning" }, texts.say(warning)), line("page.guest.honest"), line("page.guest.stay"),
    el("label", { for: "name" }, texts.say("page.guest.name")), el("div", { class: "row" }, field, go),
    el("details", { on: { toggle: (event) => event.target.open && event.target.scrollIntoView() } }, el("summary", {}, texts.say("page.help")), line("page.guest.usual"), ...helpSheet(usual, texts)));
    box.replaceChildren(form);
    box.hidden = false;
    delete box.dataset.made;
    field.focus();
  });
}
