// What the person's games on this device come to; asked for when looked at, kept nowhere.

import { el } from "./dom.js";

/** The contents of the sheet. `own` is what `/stats` gives, null where it could not be had. */
export function statsSheet(own, texts) {
  if (own === null || own.games === 0) return [el("p", {}, texts.say("stats.none"))];
  const made = [
    el("p", {}, texts.count("stats.games", own.games, { unfinished: own.unfinished })),
    own.ended > 0 && el("p", {}, texts.count("stats.ended", own.ended)),
    el("p", {}, texts.say("stats.durak", { durak: own.durak, draws: own.draws, worn: own.pogony, given: own.pogonyGiven })),
  ].filter(Boolean);
  if (own.places.length > 0) {
    made.push(el("ul", { class: "rules" }, ...own.places.map(([place, times]) => el("li", {}, texts.say("stats.place", { place, times })))));
  }
  const head = ["name", "games", "won", "lost"].map((name) => el("th", { scope: "col" }, texts.say(`page.stats.${name}`)));
  const rows = own.companions.map((each) => el("tr", {}, el("th", { scope: "row" }, each.name), el("td", {}, String(each.games)), el("td", {}, String(each.won)), el("td", {}, String(each.lost))));
  made.push(el("table", { class: "series" }, el("thead", {}, el("tr", {}, ...head)), el("tbody", {}, ...rows)));
  made.push(el("p", {}, texts.say("stats.here")));
  return made;
}
