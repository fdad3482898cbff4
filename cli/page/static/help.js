// The rules of this very table in plain words: the same sentences as the command `durak rules`.

import { el } from "./dom.js";

export function helpSheet(options, texts) {
  const lines = [
    texts.say("rules.cards", { deck: options.deck, seats: options.seats }),
    texts.say(`rules.variant.${options.variant}`),
    options.show_transfer && texts.say("rules.show-transfer"),
    options.teams !== "off" && texts.say("rules.teams", { teams: options.teams }),
    texts.say(`rules.throwers.${options.throwers}`),
    options.lead === "several" && texts.say("rules.several"),
    texts.say(options.first_limit ? "rules.limit.first" : "rules.limit"),
    texts.say(options.throw_after_take ? "rules.after-take.on" : "rules.after-take.off"),
    texts.say(`rules.next-first.${options.next_first}`),
    options.cheating && texts.say("rules.cheating"),
    texts.say(`rules.absent.${options.absent}`),
    texts.say(options.open_after ? "rules.open-after.on" : "rules.open-after.off"),
    options.series && texts.say("rules.series"),
  ];
  const keys = ["tap", "why", options.cheating && "cheating", "keys", "space"].filter(Boolean).map((name) => el("li", {}, texts.say(`page.help.${name}`)));
  return [
    el("ul", { class: "rules" }, ...lines.filter(Boolean).map((line) => el("li", {}, line))),
    el("h3", {}, texts.say("page.help.hands")), el("ul", { class: "rules" }, ...keys),
  ];
}
