// The people at the table: who they are, how many cards they hold, what they do now.

import { cardsText } from "./cards.js";
import { drawing, el, set, sync, write } from "./dom.js";
import { others } from "./state.js";

const PLAYING = new Set(["play", "challenge"]);
const SWORDS = "M3 3l2.8.5 9.2 9.2-1.8 1.8L4 5.3ZM11.2 15.8l4.600-4.600 1 1-4.600 4.600ZM14.600 14.600l2.600 2.600-1 1-2.600-2.600ZM17 3l-2.8.5-9.2 9.2 1.8 1.8L16 5.300ZM8.8 15.8l-4.600-4.600-1 1 4.600 4.600ZM5.400 14.600l-2.600 2.600 1 1 2.600-2.600Z";
const PHONE = "M6 1h8a1.500 1.500 0 0 1 1.500 1.500v15A1.500 1.500 0 0 1 14 19H6a1.500 1.500 0 0 1-1.500-1.500v-15A1.500 1.500 0 0 1 6 1Zm.500 2.500v11h7v-11ZM9 16v1.500h2V16Z";
const SHIELD = "M10 1.500 18 4v6c0 4.500-3.500 7.500-8 9-4.500-1.500-8-4.500-8-9V4Z";

/** What a seat is doing, the most important first: message ids with parameters. */
export function roles(view, seat) {
  if (view.out.includes(seat)) return [["role.out", { number: view.out.indexOf(seat) + 1 }]];
  const found = [];
  if (PLAYING.has(view.stage)) {
    if (seat === view.defender) found.push([view.taking ? "role.takes" : "role.defender", {}]);
    else if (seat === (view.head ?? view.leader)) found.push(["role.attacker", {}]);
    if (view.passed.includes(seat)) found.push(["role.passed", {}]);
  }
  if (view.marked.includes(seat)) found.push(["role.marked", {}]);
  return found;
}

export function renderSeats(list, state, texts) {
  const { view, table } = state;
  list.setAttribute("aria-label", texts.say("page.seats"));
  sync(list, others(view), (seat) => seat, makeSeat, (item, seat) => {
    const presence = table.presence[seat];
    const word = view.waiting.includes(seat) && !view.result;
    const playing = PLAYING.has(view.stage) && !view.out.includes(seat);
    const role = !playing ? null : seat === view.defender ? "defends" : seat === (view.head ?? view.leader) ? "attacks" : null;
    set(item, {
      "data-word": word, "data-lost": presence === "lost", "data-out": view.out.includes(seat),
      "data-role": role, "data-seat": seat,
      "data-program": table.programs[seat] ?? "own-app",
    });
    const name = view.names[seat];
    write(item.querySelector(".letter"), [...name][0] ?? "");
    write(item.querySelector(".count"), String(view.counts[seat]));
    write(item.querySelector(".name"), name);
    write(item.querySelector(".role"), short(view, table, seat, texts));
    write(item.querySelector(".spoken"), spoken(state, seat, texts));
  });
}

/** The line under a name: the one thing most worth knowing. */
function short(view, table, seat, texts) {
  if (table.presence[seat] === "lost") return texts.say("page.seat.lost");
  const [first] = roles(view, seat);
  if (first) return texts.say(...first);
  if (table.presence[seat] === "bot") return texts.say("page.seat.bot");
  return isPage(table, seat) ? texts.say(`page.seat.${table.programs[seat]}`) : "";
}

/** Whether that seat's person has not installed his program himself. */
const isPage = (table, seat) => (table.programs[seat] ?? "own-app") !== "own-app";

/** Everything, for a screen reader. */
function spoken(state, seat, texts) {
  const { view, table } = state;
  const words = [texts.count("table.seat", view.counts[seat], { name: view.names[seat] })];
  for (const role of roles(view, seat)) words.push(texts.say(...role));
  if (view.waiting.includes(seat)) words.push(texts.say("role.word"));
  if (view.known[seat]?.length) words.push(texts.say("role.known", { cards: cardsText(texts, view.known[seat]) }));
  if (table.presence[seat] === "lost") words.push(texts.say("page.seat.lost"));
  if (table.presence[seat] === "bot") words.push(texts.say("page.seat.bot"));
  if (isPage(table, seat)) words.push(texts.say(`lobby.note.${table.programs[seat]}`));
  return words.join(texts.say("list.comma"));
}

function makeSeat() {
  return el("li", { class: "seat" },
    el("div", { class: "shown", "aria-hidden": "true" },
      el("div", { class: "disc" },
        el("span", { class: "letter" }), el("span", { class: "count" }),
        drawing("0 0 20 20", [{ d: SWORDS }], { class: "sign sword" }), drawing("0 0 20 20", [{ d: SHIELD }], { class: "sign shield" }), drawing("0 0 20 20", [{ d: PHONE, "fill-rule": "evenodd" }], { class: "sign phone" })),
      el("div", { class: "under" }, el("div", { class: "name" }), el("div", { class: "role" }))),
    el("span", { class: "spoken" }));
}
