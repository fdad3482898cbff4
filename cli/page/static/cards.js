// Cards: how they are drawn, named and put in order. A card is 13·suit + rank; suits S H C D.

import { drawing, el, set } from "./dom.js";

export const SUITS = "SHCD";
const RANKS = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"];
const SIGNS = ["♠", "♥", "♣", "♦"];
const PIPS = [
  "M16 2C23 9 30 13.600 30 19.600 30 23.400 27.200 26 23.800 26 21.200 26 19 24.700 17.600 22.600 17.800 25.600 18.800 28.200 21 30H11C13.200 28.200 14.200 25.600 14.400 22.600 13 24.700 10.800 26 8.200 26 4.800 26 2 23.400 2 19.600 2 13.600 9 9 16 2Z",
  "M16 29C6 21 2 16 2 10.500 2 6 5.500 3 9.300 3 12 3 14.700 4.600 16 7.200 17.300 4.600 20 3 22.700 3 26.500 3 30 6 30 10.500 30 16 26 21 16 29Z",
  "M16 2a6.600 6.600 0 0 1 5.200 10.700A6.800 6.800 0 1 1 17.700 22.900C18 26 19 28.400 21 30H11c2-1.600 3-4 3.300-7.100A6.800 6.800 0 1 1 10.800 12.700 6.600 6.600 0 0 1 16 2Z",
  "M16 1.500 27.500 16 16 30.500 4.500 16Z",
];
const CROWN = "M2 13 1 4.500l4.500 3L8 2l2.500 5.500 4.500-3L14 13Z";

export const rank = (card) => card % 13;
export const suit = (card) => Math.floor(card / 13);
export const isTrump = (card, trump) => trump !== null && suit(card) === suit(trump);

/** The index of a rank: "10", or the letter of the language. */
export function rankText(texts, value) {
  const text = RANKS[value];
  return value > 8 ? texts.say(`rank.${text}`) : text;
}

/** "8♠" */
export function cardText(texts, card) {
  return rankText(texts, rank(card)) + SIGNS[suit(card)];
}

/** "8♠ 8♦" */
export function cardsText(texts, cards) {
  return cards.map((card) => cardText(texts, card)).join(" ");
}

/** "queen of hearts", for a screen reader. */
export function cardName(texts, card) {
  const text = RANKS[rank(card)];
  const named = rank(card) > 8 ? texts.say(`page.rank.${text}`) : text;
  return texts.say("page.card", { rank: named, suit: texts.say(`page.suit.${SUITS[suit(card)]}`) });
}

/** One suit sign as a drawing. */
export function pip(value, cls) {
  return drawing("0 0 32 32", [{ d: PIPS[value] }], { class: cls });
}

/** Draw a card's face into an element; trumps get a frame and a crown, not colour alone. */
export function paint(element, texts, card, trump) {
  const look = `${card} ${isTrump(card, trump)} ${texts.language}`;
  if (element.dataset.look === look) return element;
  element.dataset.look = look;
  element.dataset.card = card;
  set(element, { "data-suit": SUITS[suit(card)], "data-trump": isTrump(card, trump) });
  const index = el("span", { class: "index", "aria-hidden": "true" }, rankText(texts, rank(card)));
  element.replaceChildren(index, pip(suit(card), "small"), pip(suit(card), "large"));
  if (isTrump(card, trump)) element.append(drawing("0 0 16 14", [{ d: CROWN }], { class: "crown" }));
  return element;
}

/** A face that can't be touched: for the table, the talon, pictures. */
export function face(texts, card, trump) {
  return paint(el("div", { class: "card", "aria-hidden": "true" }), texts, card, trump);
}

/** Hand order: trumps right; by suit, or by rank. */
export function inOrder(hand, trump, by) {
  const key = (held) => {
    const last = isTrump(held.card, trump) ? 1000 : 0;
    const plain = by === "rank" ? rank(held.card) * 4 + suit(held.card) : suit(held.card) * 13 + rank(held.card);
    return last + plain;
  };
  return [...hand].sort((left, right) => key(left) - key(right));
}
