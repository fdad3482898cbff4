// Before the cards: who has done what, seat by seat, as the log says. Nothing here is a made-up animation.

import { el, set, sync, write } from "./dom.js";
import { BEFORE_CARDS } from "./state.js";

const STAGES = ["join", "keys", "shuffle", "ack", "deal"];

/** How many of the n·5 steps are done: every seat joins, opens its key, shuffles, agrees, deals. */
export function progress(view, events) {
  const seats = view.names.length;
  const stage = STAGES.indexOf(view.stage);
  const shuffled = events.filter((event) => event.event === "shuffled").length;
  const inStage = view.stage === "shuffle" ? shuffled : seats - view.waiting.length;
  return { done: stage * seats + Math.max(0, inStage), total: STAGES.length * seats };
}

/** What one seat has done in the stage: "done", "doing", "later". */
export function seatState(view, events, seat) {
  if (view.stage === "shuffle") {
    if (events.some((event) => event.event === "shuffled" && event.seat === seat)) return "done";
    return view.waiting.includes(seat) ? "doing" : "later";
  }
  return view.waiting.includes(seat) ? "doing" : "done";
}

export function renderDealing(box, state, texts) {
  const { view, events } = state;
  const dealing = BEFORE_CARDS.has(view.stage);
  set(box, { hidden: !dealing });
  if (!dealing) return;
  if (box.dataset.made !== "dealing") {
    box.dataset.made = "dealing";
    box.replaceChildren(el("h2"), el("progress"), el("ul"), el("p"));
  }
  const { done, total } = progress(view, events);
  write(box.querySelector("h2"), texts.say(`stage.${view.stage}`));
  set(box.querySelector("progress"), { max: total, value: done, "aria-label": texts.say("page.dealing.progress") });
  const seats = view.names.map((_, seat) => seat);
  sync(box.querySelector("ul"), seats, (seat) => seat, () => el("li", {}, el("span", { class: "mark", "aria-hidden": "true" }), el("span")), (item, seat) => {
    const now = seatState(view, events, seat);
    item.dataset.state = now;
    const name = seat === view.me ? texts.say("page.you") : view.names[seat];
    const verb = now === "done" ? `page.dealing.${view.stage}.done` : `page.dealing.${now}`;
    write(item.lastChild, texts.say("page.dealing.line", { name, state: texts.say(verb) }));
  });
  write(box.querySelector("p"), texts.say("page.dealing.why"));
}
