// Events as sentences, with the same messages as line mode.

import { cardsText, cardText, rankText, SUITS, suit } from "./cards.js";

/** The name at a seat, or "you". */
export function someone(texts, view, seat) {
  return seat === view.me ? texts.say("seat.you") : view.names[seat];
}

export function people(texts, view, seats) {
  return texts.listed(seats.map((seat) => someone(texts, view, seat)));
}

/** A sentence about a seat: the `.me` form when it is us. */
export function about(texts, view, id, seat, params = {}) {
  return seat === view.me ? texts.say(`${id}.me`, params) : texts.say(id, { ...params, name: view.names[seat] });
}

/** Parameters as they come from the core, made readable: cards, seats and ranks by their names. */
export function readable(texts, view, params) {
  const made = {};
  for (const [name, value] of Object.entries(params)) {
    if (typeof value !== "number") made[name] = value;
    else if (["card", "attack", "face"].includes(name)) made[name] = cardText(texts, value);
    else if (name === "seat") made.seat = made.name = someone(texts, view, value);
    else if (name === "rank") made.rank = rankText(texts, value);
    else made[name] = value;
  }
  return made;
}

/** The sentences of one event; some need none. */
export function tell(texts, view, event) {
  const card = (value) => cardText(texts, value);
  const cards = (values) => cardsText(texts, values);
  const say = (id, seat, params) => [about(texts, view, id, seat, params)];
  const defends = (seat) => about(texts, view, "role.defends", seat);
  switch (event.event) {
    case "joined":
    case "keys-opened":
    case "deal-void":
    case "rolled-back":
    case "result-signed":
    case "hands-opened":
      return [texts.say(`event.${event.event}`)];
    case "shuffled":
      return say("event.shuffled", event.seat, { done: event.done, total: event.total });
    case "dealt": {
      const shown = { suit: texts.say(`suit.name.${SUITS[suit(event.trump)]}`), card: card(event.trump) };
      return [event.talon ? texts.count("event.dealt", event.talon, shown) : texts.say("event.dealt.all", shown)];
    }
    case "claimed":
      if (event.rank === null) return say("event.claimed.nothing", event.seat);
      return say("event.claimed", event.seat, { rank: rankText(texts, event.rank) });
    case "trump-opened":
      return say("event.trump-opened", event.seat, { card: card(event.card) });
    case "leader-fixed":
      return say("event.leader", event.seat, { why: texts.say(`leader.${event.why}`) });
    case "led":
      return say("event.led", event.seat, { cards: cards(event.cards), defends: defends(event.defender) });
    case "beaten":
      return say("event.beat", event.seat, { attack: card(event.attack), card: card(event.card) });
    case "transferred":
    case "shown":
      return say(`event.${event.event}`, event.seat, { card: card(event.card), defends: defends(event.defender) });
    case "thrown":
      return say(event.taking ? "event.thrown.taking" : "event.thrown", event.seat, { card: card(event.card) });
    case "take-declared":
    case "passed":
    case "resigned":
      return say(`event.${event.event}`, event.seat);
    case "accused": {
      const accused = someone(texts, view, event.accused);
      return say(event.upheld ? "event.accused.upheld" : "event.accused.false", event.seat, { accused, card: card(event.card) });
    }
    case "bout-beaten":
      return say("event.bout-beaten", event.defender, { cards: cards(event.cards) });
    case "bout-taken":
      return say("event.bout-taken", event.defender, { n: event.cards.length, cards: cards(event.cards) });
    case "drew":
      return say("event.drew", event.seat, { n: event.count, talon: event.talon });
    case "went-out":
      return say("event.went-out", event.seat, { order: event.order });
    case "game-over":
      return result(texts, view, event.result);
    case "aborted": {
      const id = event.durak ? "event.aborted.durak" : "event.aborted.void";
      return [texts.say(id, { names: people(texts, view, event.waiting_for) })];
    }
    default:
      return [];
  }
}

/** The end in sentences: who, in which order, pogony. */
export function result(texts, view, final) {
  const lines = [verdict(texts, view, final)];
  if (final.out.length > 0) lines.push(order(texts, view, final));
  if (final.pogony.length > 0) {
    lines.push(about(texts, view, "result.pogony", final.duraks[0], { cards: cardsText(texts, final.pogony) }));
  }
  return lines;
}

export function verdict(texts, view, final) {
  if (final.outcome === "draw") return texts.say("result.draw");
  if (final.duraks.length > 1) return texts.say("result.duraks", { names: people(texts, view, final.duraks) });
  return about(texts, view, "result.durak", final.duraks[0]);
}

export function order(texts, view, final) {
  const places = final.out.map((seat, index) => texts.say("result.place", { number: index + 1, name: someone(texts, view, seat) }));
  return texts.say("result.order", { places: places.join(texts.say("list.comma")) });
}

/** A legal action in words, as line mode lists it. */
export function actionText(texts, action) {
  const params = { cards: cardsText(texts, action.cards ?? []) };
  if (action.cards) params.card = cardText(texts, action.cards[0]);
  if (action.attack !== undefined) params.attack = cardText(texts, action.attack);
  return texts.say(action.kind === "waive" ? "choice.no-challenge" : `choice.${action.kind}`, params);
}
