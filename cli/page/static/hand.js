// Our own cards at the thumb: one row while they fit, then rows that overlap but never hide an index.

import { cardName, inOrder, isTrump, paint } from "./cards.js";
import { el, set, sync } from "./dom.js";
import { plays } from "./choices.js";
import { handCardName } from "./status.js";

const GAP = 4;
const LEAST_STRIP = 32;
const INDEX = 0.62;
const LEAST_ROW = 44;
const HEAD = 0.74;
const LIFT = 10;
const TRUMP_GAP = 10;

export function renderHand(box, state, texts, { selected, advised, order, sending, touch }) {
  const { view, legal, standing } = state;
  const label = view.me === null ? texts.say("page.hand.of", { name: view.names[view.handOf ?? 0] }) : texts.count("page.hand", view.hand.length);
  set(box, { "aria-label": label, hidden: view.me === null && view.hand.length === 0 });
  const asked = view.myTurn && legal.actions.some((action) => action.kind !== "resign");
  const held = inOrder(view.hand, view.trump, order);
  sync(box, held, (each) => each.place, (each) => makeCard(each, touch), (button, each) => {
    const found = plays(legal, each.place);
    const bluff = found.length > 0 && found.every((action) => action.bluff);
    const playable = found.length > 0 && !bluff;
    const queued = standing.queue.includes(each.place);
    paint(button, texts, each.card, view.trump);
    set(button, {
      "data-playable": playable, "data-dim": asked && found.length === 0, "data-bluff": bluff, "data-queued": queued,
      "data-selected": selected.includes(each.place), "data-sending": sending.includes(each.place), "data-advised": advised.includes(each.place),
      "aria-pressed": queued || selected.includes(each.place) ? "true" : null,
      "aria-label": handCardName(texts, cardName(texts, each.card), {
        trump: isTrump(each.card, view.trump), playable, bluff, queued, selected: selected.includes(each.place), known: each.public,
      }),
    });
  });
  rove(box);
  layOut(box, held.findIndex((each) => isTrump(each.card, view.trump)));
}

function makeCard(held, touch) {
  return el("button", { type: "button", class: "card", on: { click: (event) => touch(held.place, event) } });
}

/** One tab stop; arrows move inside. */
function rove(box) {
  const cards = [...box.children];
  const current = cards.find((each) => each === document.activeElement) ?? cards.find((each) => each.tabIndex === 0) ?? cards[0];
  for (const each of cards) each.tabIndex = each === current ? 0 : -1;
}

/** Arrow keys, Home and End inside the hand. */
export function steer(box, event) {
  const cards = [...box.children];
  const at = cards.indexOf(document.activeElement);
  if (at < 0) return;
  const perRow = Number(box.dataset.perRow) || cards.length;
  const to = { ArrowRight: at + 1, ArrowLeft: at - 1, ArrowDown: at + perRow, ArrowUp: at - perRow, Home: 0, End: cards.length - 1 }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  const next = cards[Math.max(0, Math.min(cards.length - 1, to))];
  for (const each of cards) each.tabIndex = each === next ? 0 : -1;
  next.focus();
}

/** Place the cards. `firstTrump`: index of the first trump, −1 without; a small gap stands before it. */
export function layOut(box, firstTrump = Number(box.dataset.firstTrump ?? -1)) {
  box.dataset.firstTrump = firstTrump;
  const cards = [...box.children];
  const width = box.clientWidth;
  if (width === 0 || cards.length === 0) {
    box.style.height = "";
    return;
  }
  const most = matchMedia("(min-width: 900px) and (min-height: 600px)").matches ? 84 : 62;
  const low = matchMedia("(max-height: 480px)").matches;
  const size = Math.min(low ? 50 : most, (width - 5 * GAP) / 6);
  const strip = Math.max(LEAST_STRIP, size * INDEX);
  const fit = Math.max(6, Math.floor((width - size - TRUMP_GAP) / strip) + 1);
  const rows = Math.ceil(cards.length / fit);
  const perRow = Math.ceil(cards.length / rows);
  const height = size * 1.4;
  const high = Math.max(LEAST_ROW, size * HEAD);
  box.dataset.perRow = perRow;
  box.style.setProperty("--w", `${size}px`);
  box.style.height = `${LIFT + (rows - 1) * high + height}px`;
  for (const [index, card] of cards.entries()) {
    const row = Math.floor(index / perRow);
    const inRow = Math.min(perRow, cards.length - row * perRow);
    const gap = firstTrump > row * perRow && firstTrump < row * perRow + inRow ? TRUMP_GAP : 0;
    const step = inRow > 1 ? Math.min(size + GAP, (width - size - gap) / (inRow - 1)) : 0;
    const used = size + step * (inRow - 1) + gap;
    const shift = gap && index >= firstTrump ? gap : 0;
    card.style.left = `${(width - used) / 2 + (index - row * perRow) * step + shift}px`;
    card.style.top = `${LIFT + row * high}px`;
  }
}
