// The people at the table: who they are, how many cards they hold, what they do now.

import { cardsText } from "./cards.js";
import { drawing, el, set, sync, write } from "./dom.js";
import { others } from "./state.js";

const SWORD = "M3 3h4l8 8-2 2-8-8ZM14 10l4 4-1.500 1.500-1-1L13 17l-1.500-1.500 2.500-2.500-1-1Z";
const SHIELD = "M10 1.500 18 4v6c0 4.500-3.500 7.500-8 9-4.500-1.500-8-4.500-8-9V4Z";

/** What a seat is doing, the most important first: message ids with parameters. */
export function roles(view, seat) {
  if (view.out.includes(seat)) return [["role.out", { number: view.out.indexOf(seat) + 1 }]];
  const found = [];
  if (view.stage === "play" || view.stage === "challenge") {
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
    const attacks = seat === (view.head ?? view.leader);
    set(item, {
      "data-word": word, "data-lost": presence === "lost", "data-out": view.out.includes(seat),
      "data-role": seat === view.defender ? "defends" : attacks ? "attacks" : null,
      "data-seat": seat,
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
  return table.presence[seat] === "bot" ? texts.say("page.seat.bot") : "";
}

/** Everything, for a screen reader. */
function spoken(state, seat, texts) {
  const { view, table } = state;
  const words = [texts.count("table.seat", view.counts[seat], { name: view.names[seat] })];
  for (const role of roles(view, seat)) words.push(texts.say(...role));
  if (view.waiting.includes(seat)) words.push(texts.say("role.word"));
  if (view.known[seat]?.length) words.push(texts.say("role.known", { cards: cardsText(texts, view.known[seat]) }));
  if (table.presence[seat] === "lost") words.push(texts.say("page.seat.lost"));
  if (table.presence[seat] === "bot") words.push(texts.say("page.seat.bot"));
  return words.join(texts.say("list.comma"));
}

function makeSeat() {
  return el("li", { class: "seat" },
    el("div", { class: "shown", "aria-hidden": "true" },
      el("div", { class: "disc" },
        el("span", { class: "letter" }), el("span", { class: "count" }),
        drawing("0 0 20 20", [{ d: SWORD }], { class: "sign sword" }), drawing("0 0 20 20", [{ d: SHIELD }], { class: "sign shield" })),
      el("div", { class: "under" }, el("div", { class: "name" }), el("div", { class: "role" }))),
    el("span", { class: "spoken" }));
}
