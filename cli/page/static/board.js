// The middle of the table: talon with the trump across it, and the cards that lie.

import { cardName, cardText, face, isTrump, paint, pip, SUITS, suit } from "./cards.js";
import { el, set, sync, write } from "./dom.js";

export function renderTalon(box, view, texts) {
  if (view.trump === null) {
    box.replaceChildren();
    return;
  }
  if (!box.firstChild) {
    box.append(
      el("div", { class: "left" }, el("span", { class: "suit", "aria-hidden": "true" }), el("span", { class: "many" })),
      el("div", { class: "stack", "aria-hidden": "true" }, el("div", { class: "under" }), el("div", { class: "back" })),
      el("span", { class: "spoken" }));
  }
  const under = box.querySelector(".under");
  if (under.dataset.shown !== `${view.trump}${texts.language}`) {
    under.dataset.shown = `${view.trump}${texts.language}`;
    under.replaceChildren(face(texts, view.trump, view.trump));
    set(box.querySelector(".suit"), { "data-suit": SUITS[suit(view.trump)] }).replaceChildren(pip(suit(view.trump), "trump"));
  }
  set(box, { "data-empty": view.talon === 0, "data-last": view.talon === 1 });
  const left = view.talon === 0 ? texts.say("page.talon.none") : texts.count("page.talon", view.talon);
  write(box.querySelector(".many"), left);
  const named = { suit: texts.say(`suit.name.${SUITS[suit(view.trump)]}`), card: cardText(texts, view.trump) };
  write(box.querySelector(".spoken"), texts.say(view.talon === 0 ? "page.trump" : "page.trump.card", named));
}

/** `targets`: attack card → action; `accusable`: height → action; `choose(action)` is called with one of them. */
export function renderPairs(list, view, texts, { targets, accusable, choose, accuse }) {
  set(list, { "aria-label": texts.say("page.lying"), "data-count": view.table.length });
  list.style.setProperty("--three", Math.max(1, Math.min(3, view.table.length)));
  list.style.setProperty("--six", Math.max(1, Math.min(6, view.table.length)));
  sync(list, view.table, (pair) => pair.attack, () => el("li", { class: "pair" }), (item, pair) => {
    set(item, { "data-open": pair.beat === null, "data-target": targets.has(pair.attack) });
    const shown = [card(item, "attack", pair.attack, view, texts)];
    if (pair.beat !== null) shown.push(card(item, "beat", pair.beat, view, texts));
    shown.push(words(item, describe(pair, view, texts)));
    const target = targets.get(pair.attack);
    if (target) shown.push(touch(item, "target", texts.say("page.target", { card: cardName(texts, pair.attack) }), () => choose(target)));
    for (const [height, cls, laid] of [[pair.attackHeight, "attack", pair.attack], [pair.beatHeight, "beat", pair.beat]]) {
      const action = height === null ? undefined : accusable.get(height);
      if (action) shown.push(touch(item, `accuse ${cls}`, texts.say("page.accuse.card", { card: cardName(texts, laid) }), () => accuse(action, laid)));
    }
    for (const old of [...item.children]) if (!shown.includes(old)) old.remove();
    for (const each of shown) if (each.parentNode !== item) item.append(each);
  });
}

function card(item, cls, value, view, texts) {
  const found = item.querySelector(`.card.${cls}`) ?? el("div", { class: `card ${cls}`, "aria-hidden": "true" });
  return paint(found, texts, value, view.trump);
}

function words(item, text) {
  const found = item.querySelector(".spoken") ?? el("span", { class: "spoken" });
  write(found, text);
  return found;
}

/** A button over a card. Made anew each time: its meaning belongs to one height. */
function touch(item, cls, label, go) {
  item.querySelector(`button.${cls.replaceAll(" ", ".")}`)?.remove();
  return el("button", { type: "button", class: cls, "aria-label": label, on: { click: go } });
}

function describe(pair, view, texts) {
  const named = (value) => cardName(texts, value) + (isTrump(value, view.trump) ? texts.say("list.comma") + texts.say("page.card.trump") : "");
  if (pair.beat === null) return texts.say("page.pair.open", { card: named(pair.attack) });
  return texts.say("page.pair.beaten", { card: named(pair.attack), beat: named(pair.beat) });
}
