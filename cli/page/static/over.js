// The end of a game: who is the durak, how he looks, and what next.

import { cardsText, face } from "./cards.js";
import { drawing, el } from "./dom.js";
import { nextTable } from "./lobby.js";
import { about, order, people, verdict } from "./tell.js";

const HEAD = "M50 6a20 20 0 0 1 20 20v6a20 20 0 0 1-40 0v-6A20 20 0 0 1 50 6Z";
const COAT = "M14 96c0-24 14-38 36-38s36 14 36 38Z";
const EYES = "M42 26a2.600 2.600 0 1 1 0 .1ZM58 26a2.600 2.600 0 1 1 0 .1Z";
const SAD = "M41 42c4-5 14-5 18 0";
const CAP = "M29 20c2-16 14-18 21-18s19 2 21 18c-8-5-34-5-42 0ZM29 19 20 30M71 19l9 11";

/** Somebody with the shoulder boards he was given, if any. */
function picture(texts, final, trump) {
  const bust = drawing("0 0 100 100", [
    { d: COAT, class: "coat" }, { d: HEAD, class: "skin" }, { d: CAP, class: "cap" }, { d: EYES, class: "eyes" }, { d: SAD, class: "mouth" },
  ], { class: "bust" });
  const boards = final.pogony.map((card, index) => {
    const shown = face(texts, card, trump);
    shown.classList.add("board", index === 0 ? "one" : "two");
    return shown;
  });
  return el("div", { class: "picture", "aria-hidden": "true" }, bust, ...boards);
}

/** The contents of the sheet; `act` has rematch, wish, admit, sit (or null), replay and the address of the log. */
export function overSheet(state, texts, act) {
  const { view, table } = state;
  const final = view.result;
  if (final === null) {
    const title = texts.say(`stage.${view.stage}`);
    return { title, contents: [el("p", {}, texts.say(`page.over.${view.stage}`)), ...again(state, texts, act), ...files(table, texts, act)] };
  }
  const contents = [];
  if (final.outcome === "durak") contents.push(picture(texts, final, view.trump));
  if (final.pogony.length > 0) {
    contents.push(el("p", {}, about(texts, view, "result.pogony", final.duraks[0], { cards: cardsText(texts, final.pogony) })));
  }
  if (final.out.length > 0) contents.push(el("p", {}, order(texts, view, final)));
  contents.push(...again(state, texts, act), ...series(state, texts), ...files(table, texts, act));
  return { title: verdict(texts, view, final), contents };
}

/** Wins and losses so far, where the table counts them. */
function series({ view, table }, texts) {
  if (table.wins.length === 0) return [];
  const head = el("tr", {}, el("th", { scope: "col" }, texts.say("page.series.name")), el("th", { scope: "col" }, texts.say("page.series.wins")), el("th", { scope: "col" }, texts.say("page.series.losses")));
  const rows = view.names.map((name, seat) => el("tr", {},
    el("th", { scope: "row" }, seat === view.me ? texts.say("page.you") : name), el("td", {}, String(table.wins[seat])), el("td", {}, String(table.losses[seat]))));
  return [el("table", { class: "series" }, el("caption", {}, texts.say("page.series")), el("thead", {}, head), el("tbody", {}, ...rows))];
}

/** Another game, and who wants one: by the same people, or as others gather for it. */
function again({ view, table }, texts, act) {
  const made = [];
  if (table.lobby !== null) made.push(...nextTable(table, texts, act));
  if (view.me === null && act.sit) made.push(el("button", { type: "button", class: "main", on: { click: act.sit } }, texts.say("page.do.sit")));
  if (table.lobby !== null) return made;
  if (table.canRematch) {
    const on = table.rematch.includes(view.me);
    made.push(on ? el("p", { class: "wanting" }, texts.say("page.again.waiting"))
      : el("button", { type: "button", class: "main", on: { click: () => act.rematch(true) } }, texts.say("page.again")));
    // the second half of a double click on "again" takes nothing back
    if (on && table.mayTakeBack) made.push(el("button", { type: "button", on: { click: (event) => event.detail <= 1 && act.rematch(false) } }, texts.say("page.again.take-back")));
    const wanting = table.rematch.filter((seat) => seat !== view.me);
    if (wanting.length > 0) made.push(el("p", { class: "wanting" }, texts.count("page.again.wanted", wanting.length, { names: people(texts, view, wanting) })));
  }
  return made;
}

/** The replay and the file. */
function files(table, texts, act) {
  return [
    act.replay && el("button", { type: "button", on: { click: act.replay } }, texts.say("page.replay.watch")),
    act.log && el("a", { class: "button", href: act.log, download: `${table.file}.durak` }, texts.say("page.log.save")),
  ].filter(Boolean);
}
