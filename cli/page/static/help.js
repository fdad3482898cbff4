// The rules of this very table in plain words: the same sentences as the command `durak rules`.

import { el } from "./dom.js";

const LOWEST = { 24: "9", 36: "6", 52: "2" };

/** What a table of these options is, in the order of the command. */
function tableLines(options, texts) {
  return [
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
    options.clock > 0 && texts.count("rules.clock", options.clock),
  ];
}

/** The questions people ask, answered for these options. */
function answers(options, texts) {
  const forTwo = options.variant === "transfer" ? "rules.question.for-two.transfer" : "rules.question.for-two";
  return [
    texts.say(options.first_limit ? "rules.question.how-many.first" : "rules.question.how-many"),
    texts.say("rules.question.who-starts"),
    texts.say("rules.question.refill"),
    texts.say("rules.question.draw"),
    options.seats === 2 && texts.say(forTwo),
    options.teams !== "off" && texts.say("rules.question.teams"),
    options.cheating && texts.say("rules.question.accuse"),
    6 * options.seats === options.deck && texts.say("rules.question.no-talon"),
    texts.say("rules.question.pogony", { rank: LOWEST[options.deck] }),
    texts.say("rules.question.pass"),
  ];
}

/** The game for somebody who has never seen it, the page, this table, and what else people ask. */
export function helpSheet(options, texts) {
  const game = ["rules.aim", "rules.bout", "rules.question.beat"].map((id) => texts.say(id));
  const hands = ["tap", "why", options.cheating && "cheating", "keys", "space"].filter(Boolean).map((name) => texts.say(`page.help.${name}`));
  return [
    ...part(texts.say("page.help.play"), game),
    ...part(texts.say("page.help.hands"), hands),
    ...part(texts.say("page.help.table"), tableLines(options, texts)),
    ...part(texts.say("page.help.questions"), answers(options, texts)),
  ];
}

function part(heading, lines) {
  return [el("h3", {}, heading), el("ul", { class: "rules" }, ...lines.filter(Boolean).map((line) => el("li", {}, line)))];
}
