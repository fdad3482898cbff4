// The menu: tastes of this browser, standing intents, and the ways out.

import { el } from "./dom.js";

const NAMES = { en: "English", de: "Deutsch", es: "Español", ru: "Русский" };

/** `act`: choose(setting, value), arm(what, on), log(), resign(), logPath. */
export function menuSheet(state, texts, settings, act) {
  const { view, standing, table } = state;
  const made = [];
  if (view !== null && view.me !== null && table.mode !== "replay") {
    made.push(toggle(texts.say("page.menu.pass-for-me"), standing.passForMe, (on) => act.arm("pass-for-me", on), texts.say("page.menu.pass-for-me.detail")));
    if (view.options.cheating) {
      made.push(toggle(texts.say("page.menu.waive-for-me"), standing.waiveForMe, (on) => act.arm("waive-for-me", on)));
    }
  }
  made.push(
    choice(texts.say("page.menu.language"), "language", texts.languages.map((code) => [code, NAMES[code] ?? code]), texts.language, act.choose),
    choice(texts.say("page.menu.order"), "order", named(texts, "order", ["suit", "rank"]), settings.order, act.choose),
    choice(texts.say("page.menu.colours"), "colours", named(texts, "colours", ["four", "two"]), settings.colours, act.choose),
    choice(texts.say("page.menu.theme"), "theme", named(texts, "theme", ["auto", "dark", "light"]), settings.theme, act.choose),
    choice(texts.say("page.menu.sound"), "sound", named(texts, "sound", ["off", "on"]), settings.sound, act.choose));
  if (act.stats) made.push(el("button", { type: "button", on: { click: act.stats } }, texts.say("page.stats")));
  if (view === null) return made;
  made.push(el("button", { type: "button", on: { click: act.log } }, texts.say("page.log")));
  if (act.logPath) made.push(el("a", { class: "button", href: act.logPath, download: `${table.file}.durak` }, texts.say("page.log.save")));
  if (act.resign) made.push(el("button", { type: "button", class: "danger", on: { click: act.resign } }, texts.say("page.resign")));
  return made;
}

const named = (texts, setting, values) => values.map((value) => [value, texts.say(`page.menu.${setting}.${value}`)]);

function choice(label, setting, values, current, choose) {
  const select = el("select", { on: { change: (event) => choose(setting, event.target.value) } },
    ...values.map(([value, text]) => el("option", { value, selected: value === current }, text)));
  return el("label", { class: "field" }, el("span", {}, label), select);
}

function toggle(label, on, change, detail = "") {
  const box = el("input", { type: "checkbox", checked: on, on: { change: (event) => change(event.target.checked) } });
  return el("label", { class: "field check" }, el("span", {}, label, detail && el("small", {}, detail)), box);
}
