// A film of a log: frames one after the other, forwards and back, on the same table as play.

import { cardsText, inOrder } from "./cards.js";
import { drawing, el, set, sync, write } from "./dom.js";

const PACE = 1100;
const SIGNS = {
  first: "M5 4h3v16H5ZM20 4v16L9 12Z", back: "M15 4l2 2-6 6 6 6-2 2-8-8Z", play: "M7 4v16l13-8Z",
  pause: "M6 4h4v16H6ZM14 4h4v16h-4Z", forward: "M9 4l8 8-8 8-2-2 6-6-6-6Z", last: "M4 4v16l11-8ZM16 4h3v16h-3Z",
};

/** Frames with everything in them again: each was stored as what changed. */
export function unfold(film) {
  let view = {};
  let events = [];
  return film.frames.map((frame) => {
    view = { ...view, ...frame.view };
    events = [...events, ...frame.events];
    return { view, events };
  });
}

/** The messages that put one frame on the table. `seat`: whose hand is shown below, null for nobody's. */
export function messages(frame, seat) {
  const { hands, ...view } = frame.view;
  const hand = seat === null || !hands ? [] : hands[seat].map((card, place) => ({ place, card, public: true }));
  const presence = view.names.map(() => "relayed");
  return [
    { type: "hello", protocol: 1 },
    { type: "table", mode: "replay", presence, programs: [], fault: null, wins: [], losses: [], game: 1, file: "", canRematch: false, rematch: [], goOn: false, agreed: [], trouble: null, asking: [], lobby: null },
    { ...view, type: "view", hand, handOf: seat },
    { type: "legal", height: view.height, actions: [] },
    { type: "events", first: 0, events: frame.events },
  ];
}

/** What the judge said, as a sentence. */
export function verdictText(texts, verdict) {
  const params = { entries: verdict.entries ?? 0, height: verdict.height ?? 0, offset: verdict.offset ?? 0, rule: verdict.rule ?? "-" };
  const never = verdict.code === "malformed" && params.offset === 0;
  return texts.say(never ? "page.verdict.no-log" : `page.verdict.${verdict.code}`, params);
}

export class Player {
  /** `load(file)` gives a film for a dropped file, or is null where nobody can judge one; `back` is an address. */
  constructor(app, box, { load = null, back = null }) {
    this.app = app;
    this.box = box;
    this.load = load;
    this.back = back;
    this.frames = [];
    this.verdict = null;
    this.at = 0;
    this.seat = null;
    this.timer = null;
    this.build();
  }

  build() {
    const button = (name, go) => el("button", { type: "button", id: `film-${name}`, on: { click: go } }, drawing("0 0 24 24", [{ d: SIGNS[name] }]));
    this.range = el("input", { type: "range", min: 0, max: 0, value: 0, on: { input: () => this.go(Number(this.range.value)) } });
    this.badge = el("p", { id: "badge" });
    this.whose = el("select", { on: { change: () => this.choose(this.whose.value) } });
    this.toggle = button("play", () => this.playing(this.timer === null));
    this.box.append(
      this.badge, this.range,
      button("first", () => this.go(0)), button("back", () => this.go(this.at - 1)), this.toggle,
      button("forward", () => this.go(this.at + 1)), button("last", () => this.go(this.frames.length - 1)), this.whose);
    if (this.load) this.listenForFiles();
    if (this.back) this.box.append(el("a", { href: this.back, id: "back" }));
    document.addEventListener("keydown", (event) => this.key(event));
    this.words();
  }

  listenForFiles() {
    const input = el("input", { type: "file", accept: ".durak", on: { change: () => this.take(input.files[0]) } });
    this.box.append(el("label", { class: "file" }, el("span", { id: "open" }), input));
    const over = (on) => (event) => {
      event.preventDefault();
      set(document.body, { "data-over": on });
    };
    addEventListener("dragover", over(true));
    addEventListener("dragleave", over(false));
    addEventListener("drop", (event) => {
      over(false)(event);
      this.take(event.dataTransfer.files[0]);
    });
  }

  async take(file) {
    if (!file) return;
    this.badge.dataset.good = "none";
    write(this.badge, this.app.texts.say("page.verdict.judging"));
    this.open(await this.load(file));
  }

  open(film) {
    this.playing(false);
    this.verdict = film.verdict;
    this.frames = unfold(film);
    const seats = this.frames[0]?.view.names.length ?? 0;
    const opened = seats > 0 && Boolean(this.frames.at(-1).view.hands);
    this.seat = opened ? 0 : null;
    this.range.max = Math.max(0, this.frames.length - 1);
    set(this.whose, { hidden: !opened });
    const names = seats > 0 ? this.frames[0].view.names : [];
    this.whose.replaceChildren(...names.map((name, seat) => el("option", { value: seat }, name)));
    this.at = 0;
    this.words();
    if (this.frames.length > 0) this.show();
    else this.nothing();
  }

  /** No table stands under a verdict that is not its own. */
  nothing() {
    this.range.value = 0;
    this.range.removeAttribute("aria-valuetext");
    document.getElementById("hands").hidden = true;
    this.app.forget();
  }

  choose(value) {
    this.seat = Number(value);
    this.show();
  }

  go(to) {
    if (this.frames.length === 0) return;
    this.at = Math.max(0, Math.min(this.frames.length - 1, to));
    if (this.at === this.frames.length - 1) this.playing(false);
    this.show();
  }

  playing(on) {
    clearInterval(this.timer);
    this.timer = null;
    if (on && this.frames.length > 1) {
      if (this.at === this.frames.length - 1) this.at = 0;
      this.timer = setInterval(() => this.go(this.at + 1), PACE);
    }
    this.toggle.replaceChildren(drawing("0 0 24 24", [{ d: SIGNS[on ? "pause" : "play"] }]));
    this.toggle.setAttribute("aria-label", this.app.texts.say(on ? "page.film.pause" : "page.film.play"));
  }

  show() {
    const frame = this.frames[this.at];
    this.range.value = this.at;
    this.range.setAttribute("aria-valuetext", this.app.texts.say("page.film.at", { at: frame.view.height, last: this.frames.at(-1).view.height }));
    this.app.receive(messages(frame, this.seat));
    this.hands(frame.view);
  }

  /** All hands as lines, where they are published. */
  hands(view) {
    const list = document.getElementById("hands");
    const { texts, settings } = this.app;
    list.hidden = !view.hands;
    if (!view.hands) return;
    const rows = view.hands.map((cards, seat) => ({ seat, cards: inOrder(cards.map((card) => ({ card })), view.trump, settings.order).map((held) => held.card) }));
    sync(list, rows, (row) => row.seat, () => el("li", {}, el("b"), " ", el("span")), (item, row) => {
      write(item.firstChild, view.names[row.seat]);
      write(item.lastChild, row.cards.length ? cardsText(texts, row.cards) : texts.say("cards.none"));
    });
  }

  /** Labels in the language of now. */
  words() {
    const { texts } = this.app;
    for (const name of ["first", "back", "forward", "last"]) document.getElementById(`film-${name}`).setAttribute("aria-label", texts.say(`page.film.${name}`));
    this.toggle.setAttribute("aria-label", texts.say("page.film.play"));
    this.range.setAttribute("aria-label", texts.say("page.film.range"));
    this.whose.setAttribute("aria-label", texts.say("page.film.whose"));
    this.box.setAttribute("aria-label", texts.say("page.mode.replay"));
    const open = document.getElementById("open");
    if (open) write(open, texts.say("page.film.open"));
    const back = document.getElementById("back");
    if (back) write(back, texts.say("page.film.to-table"));
    const { verdict } = this;
    this.badge.dataset.good = verdict === null ? "none" : verdict.good ? "yes" : "no";
    write(this.badge, verdict === null ? texts.say("page.film.drop") : `${verdict.good ? "✓" : "✗"} ${verdictText(texts, verdict)}`);
  }

  key(event) {
    if (event.target.closest("input, select, dialog") || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "ArrowRight") this.go(this.at + 1);
    else if (event.key === "ArrowLeft") this.go(this.at - 1);
    else if (event.key === "Home") this.go(0);
    else if (event.key === "End") this.go(this.frames.length - 1);
    else return;
    event.preventDefault();
  }
}
