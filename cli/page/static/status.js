// The words of the moment: what is asked of us, or whom the table waits for and why. Pure.

import { cardsText, cardText } from "./cards.js";
import { lobbyState } from "./lobby.js";
import { BEFORE_CARDS, ENDED, lostSeats, lying } from "./state.js";
import { about, order, people, tell, verdict } from "./tell.js";

/** {now, detail}: two sentences, the second may be empty. */
export function status(state, texts) {
  const { view, table } = state;
  if (state.connection !== "open") return connectionWords(state.connection, texts);
  if (table.fault) return { now: texts.say("page.halted"), detail: texts.say("page.halted.detail") };
  const lost = lostSeats(state);
  if (lost.length > 0 && !ENDED.has(view.stage)) {
    return { now: texts.count("page.wait.lost", lost.length, { names: people(texts, view, lost) }), detail: lostDetail(state, texts) };
  }
  if (ENDED.has(view.stage)) return ended(view, table, texts);
  return view.myTurn && state.legal.actions.length > 0 ? asked(state, texts) : waiting(state, texts);
}

/** It is over: who lost it, if anybody did; and what is asked of us where others gather for the next game. */
function ended(view, { lobby }, texts) {
  const { stage, result } = view;
  const next = lobby === null ? "" : texts.say(lobbyState(lobby));
  if (result === null) return { now: texts.say(`stage.${stage}`), detail: next };
  return { now: verdict(texts, view, result), detail: next || (result.out.length > 0 ? order(texts, view, result) : "") };
}

/** No socket: why, and that nothing is lost. A guest who is "away" is told beside it what he can do. */
export function connectionWords(connection, texts) {
  if (connection === "away") return { now: texts.say("page.connection.lost"), detail: "" };
  return both(texts, connection === "refused" ? "page.connection.refused" : "page.connection.lost");
}

function both(texts, id) {
  return { now: texts.say(id), detail: texts.say(`${id}.detail`) };
}

/** What is said while somebody is away: that nothing is lost, and who would end the game without him. */
function lostDetail({ view, table }, texts) {
  if (table.agreed.length === 0) return texts.say("page.wait.lost.detail");
  return texts.say("page.go-on.agreed", { names: people(texts, view, table.agreed) });
}

/** Our word. */
function asked({ view, legal, standing }, texts) {
  const name = view.defender === null ? "" : view.names[view.defender];
  if (view.stage === "challenge") return both(texts, "page.ask.challenge");
  if (view.table.length === 0) return { now: texts.say("page.ask.lead"), detail: texts.say("page.ask.lead.detail", { name }) };
  if (view.defender === view.me) {
    const open = view.table.filter((pair) => pair.beat === null);
    const now = texts.say("page.ask.defend", { name: view.names[open[0].attacker] });
    const cards = cardsText(texts, open.map((pair) => pair.attack));
    return { now, detail: texts.count("page.ask.defend.detail", lying(view), { cards }) };
  }
  const now = texts.say(view.taking ? "page.ask.add" : "page.ask.throw", { name });
  const throws = legal.actions.filter((action) => action.kind === "throw");
  if (throws.every((action) => action.bluff)) {
    return { now, detail: texts.say(standing.passForMe && throws.length === 0 ? "page.ask.nothing.passing" : "page.ask.nothing") };
  }
  return { now, detail: texts.count("page.ask.throw.detail", view.capacity) };
}

/** Whom the table waits for, and for what. */
function waiting({ view }, texts) {
  const names = people(texts, view, view.waiting.filter((seat) => seat !== view.me));
  if (BEFORE_CARDS.has(view.stage)) return { now: texts.say(`stage.${view.stage}`), detail: names && texts.say("page.wait.for", { names }) };
  if (!names) return { now: texts.say("page.wait.self"), detail: "" };
  const now = texts.say("page.wait.for", { names });
  return { now, detail: reason(view, texts) };
}

function reason(view, texts) {
  if (view.stage !== "play") return texts.say(`stage.${view.stage}`);
  if (view.table.length === 0) return about(texts, view, "page.why.lead", view.defender);
  const open = view.table.filter((pair) => pair.beat === null);
  if (view.word === view.defender) {
    return texts.say("page.why.defend", { cards: cardsText(texts, open.map((pair) => pair.attack)) });
  }
  return view.taking ? about(texts, view, "page.why.add", view.defender) : texts.say("page.why.throw");
}

/** The last thing that happened at the table, for eyes; and for ears what came with it: `unsaid` is the number of
 * the first event nobody has been told of, null when a page has just opened. {missed, last}. */
export function news({ events, view }, texts, unsaid = null) {
  const at = events.at(-1)?.at;
  const first = events.findIndex((event) => event.at === at);
  const said = (some) => some.flatMap((event) => tell(texts, view, event)).join(" ");
  if (first < 0) return { missed: "", last: "" };
  return { missed: unsaid === null ? "" : said(events.slice(unsaid, first)), last: said(events.slice(first)) };
}

/** A card of our hand in words: name, trump, what can be done with it. */
export function handCardName(texts, cardNameText, { trump, playable, bluff, queued, selected, known }) {
  const words = [cardNameText];
  if (trump) words.push(texts.say("page.card.trump"));
  if (known) words.push(texts.say("page.card.known"));
  if (queued) words.push(texts.say("page.card.queued"));
  else if (selected) words.push(texts.say("page.card.selected"));
  else if (playable) words.push(texts.say("page.card.playable"));
  else if (bluff) words.push(texts.say("page.card.bluff"));
  return words.join(texts.say("list.comma"));
}

/** "Beat 8♠" and so on: the label of a target. */
export const targetName = (texts, attack) => texts.say("page.target", { card: cardText(texts, attack) });
