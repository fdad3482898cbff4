// The table on the screen: messages in, a render out; fingers in, intents out. It keeps nothing that is not tastes.

import { renderTalon, renderPairs } from "./board.js";
import { accusations, buttons, chosenLead, ofKind, passesForMe, tap, targets } from "./choices.js";
import { cardName } from "./cards.js";
import { stayAwake } from "./awake.js";
import { renderClock } from "./clock.js";
import { renderDealing } from "./dealing.js";
import { Drag } from "./drag.js";
import { drawing, el, set, sync, write } from "./dom.js";
import { renderFault } from "./fault.js";
import { layOut, renderHand, steer } from "./hand.js";
import { helpSheet } from "./help.js";
import { asks, lobbyButtons, lobbyDetail, lobbyState, renderAsking, renderLobby } from "./lobby.js";
import { logSheet, renderLog } from "./log.js";
import { menuSheet } from "./menu.js";
import { capture, glide } from "./motion.js";
import { overSheet } from "./over.js";
import { renderSeats } from "./seats.js";
import { Pace } from "./pace.js";
import * as settingsOf from "./settings.js";
import * as sheets from "./sheets.js";
import { chime } from "./sound.js";
import { EMPTY, PROTOCOL, fold, isOver, lying, ready } from "./state.js";
import { statsSheet } from "./stats.js";
import { connectionWords, news, status } from "./status.js";
import { actionText, people, readable } from "./tell.js";

const MENU = [{ d: "M4 7h16v2H4ZM4 11h16v2H4ZM4 15h16v2H4Z" }];
const QUESTION = [{ d: "M11 17h2v2h-2ZM12 4c2.800 0 4.700 1.600 4.700 4 0 1.800-1 2.800-2.200 3.600C13.300 12.400 13 12.900 13 14v1h-2v-1.200c0-1.700.7-2.600 2-3.500 1-.7 1.600-1.200 1.600-2.200 0-1.200-1-2-2.600-2s-2.600.9-2.700 2.300H7.200C7.300 5.700 9.200 4 12 4Z" }];
const SURE_AFTER = 350;
const DOUBLE = 500;

const byId = (id) => document.getElementById(id);

export class App {
  /** `reload(language)` gives Texts; `paths`: addresses of log and case, or null; `replay` opens the replay; `sit` is
   * for who has watched a game and wants a seat in the next, where one can change that. */
  constructor(texts, settings, { reload, paths = null, replay = null, sit = null, onWords = () => {} }) {
    this.texts = texts;
    this.settings = settings;
    this.reload = reload;
    this.paths = paths;
    this.replay = replay;
    this.sit = sit;
    this.network = null;
    this.ended = null;
    this.usual = null;
    this.onWords = onWords;
    this.state = EMPTY;
    this.carrier = null;
    this.asked = 0;
    this.overShown = 0;
    this.movedAt = -DOUBLE;
    this.unsaid = null;
    this.pace = new Pace((messages) => this.show(messages), () => (this.state.table?.mode === "practice" ? this.state.view?.me ?? null : null));
    this.opening = "page.connection.opening";
    this.clear();
    this.listen();
  }

  clear() {
    this.selected = [];
    this.sending = null;
    this.note = null;
    this.sure = null;
    this.advised = [];
  }

  // Messages ---------------------------------------------------------------------------------------------

  connection(state) {
    this.state = { ...this.state, connection: state };
    if (state !== "open") this.sending = null;
    this.render();
  }

  receive(messages) {
    if (this.ended === null) this.pace.take(messages);
  }

  /** Nothing happens here any more, and the page says so in place of all else: message ids, why and what to do. */
  end(now, detail = "") {
    this.ended = { now, detail };
    const { view } = this.state;
    this.state = { ...this.state, legal: EMPTY.legal, view: view && { ...view, myTurn: false, waiting: [] } };
    this.clear();
    this.render();
  }

  show(messages) {
    const before = capture();
    const old = this.state.view;
    const game = this.state.table?.game;
    const known = this.state.events.length;
    const anew = messages.some((message) => message.type === "hello" || (message.type === "events" && message.first === 0));
    for (const message of messages) {
      if (message.type === "why" && message.ask === this.asked) this.answer(message);
      else if (message.type === "refused") this.refusal(message);
      else if (message.type === "hint") this.hinted(message);
      else this.state = fold(this.state, message);
    }
    const { view, events } = this.state;
    if (anew || events.length < known) this.unsaid = null;
    else if (events.length > known) this.unsaid = known;
    if (this.state.protocol !== PROTOCOL) {
      location.reload();
      return;
    }
    const moved = old?.height !== view?.height || game !== this.state.table?.game;
    if (moved) {
      this.clear();
      this.movedAt = performance.now();
    }
    this.selected = this.selected.filter((place) => view?.hand.some((held) => held.place === place));
    this.render();
    if (moved && old !== null && view !== null) glide(before, (card) => this.origin(card, old), () => this.grave(old));
    if (view?.myTurn && !old?.myTurn) chime(this.settings);
  }

  /** The game that was shown is not here any more. */
  forget() {
    this.state = { ...EMPTY, connection: this.state.connection };
    this.clear();
    for (const id of ["seats", "hand", "log"]) byId(id).replaceChildren();
    this.render();
  }

  answer({ rule, reason, params }) {
    const { texts } = this;
    const text = texts.say(reason, readable(texts, this.state.view, params));
    this.note = rule === null ? text : texts.say("page.why.rule", { text, rule });
  }

  refusal({ reason, params }) {
    this.sending = null;
    this.note = this.texts.say(reason, params);
  }

  /** What a bot would do: said in words, and its card marked. */
  hinted({ height, action }) {
    const found = this.state.legal.actions.find((each) => each.id === action);
    if (!found || this.state.legal.height !== height) return;
    this.note = this.texts.say("page.hint.is", { action: actionText(this.texts, found) });
    this.advised = found.places ?? [];
  }

  // Intents ----------------------------------------------------------------------------------------------

  act(action) {
    const { height } = this.state.legal;
    if (this.sending !== null) return;
    this.sending = { height, places: action.places ?? [] };
    this.selected = [];
    this.sure = null;
    if (!this.carrier.send({ intent: "act", height, action: action.id })) this.sending = null;
    this.render();
  }

  /** Whether a finger on the hand means anything now. */
  get touchable() {
    return this.carrier !== null && this.ended === null && this.sending === null && this.state.connection === "open";
  }

  /** Drop the second half of a double click whose first has moved the game: it was not meant for what lies there now. */
  dropLate(event) {
    if (event.detail <= 1 || performance.now() - this.movedAt >= DOUBLE) return;
    event.preventDefault();
    event.stopPropagation();
  }

  touch(place, byKey) {
    if (!this.touchable) return;
    const wanted = tap(this.state, this.selected, place);
    this.note = null;
    if (wanted.act) this.act(wanted.act);
    else if (wanted.queue !== undefined) this.carrier.send({ intent: "queue", place: wanted.queue, on: wanted.on });
    else if (wanted.why !== undefined) this.why(wanted.why, null);
    else this.select(wanted.select, byKey);
  }

  select(places, byKey) {
    this.selected = places;
    this.render();
    if (byKey) document.querySelector("#pairs button.target")?.focus();
  }

  /** A card leaves the hand: what it could beat glows. */
  lift(place) {
    if (targets(this.state.legal, [place]).size > 0) this.select([place], false);
  }

  /** A card was let go on the table, on this attack or beside all of them. */
  drop(place, attack) {
    const beats = targets(this.state.legal, [place]);
    const open = this.state.view.table.some((pair) => pair.attack === attack && pair.beat === null);
    this.selected = this.selected.filter((each) => each !== place);
    if (beats.has(attack)) this.act(beats.get(attack));
    else if (open && beats.size > 0) this.why(place, attack);
    else this.touch(place, false);
    this.render();
  }

  why(place, attack) {
    this.asked += 1;
    this.carrier.send({ intent: "why", ask: this.asked, place, attack });
  }

  press(button) {
    if (button.arm) {
      this.carrier.send({ intent: "arm", what: button.arm[0], on: button.arm[1] });
      return;
    }
    if (button.sure && this.sure === null) {
      this.sure = performance.now();
      this.render();
      return;
    }
    if (button.sure && performance.now() - this.sure < SURE_AFTER) return;
    this.act(button.act);
  }

  accuse(action, card) {
    const { texts } = this;
    const name = cardName(texts, card);
    sheets.confirm(texts, texts.say("page.accuse.sure", { card: name }), texts.say("page.accuse.detail"), texts.say("page.accuse.yes"), () => this.act(action));
  }

  // Render -----------------------------------------------------------------------------------------------

  render() {
    this.renderLabels();
    if (!ready(this.state)) {
      this.renderEmpty();
      return;
    }
    const { state, texts } = this;
    const { view } = state;
    const focus = document.activeElement?.closest("#hand, #pairs, #actions");
    set(document.body, {
      "data-stage": view.stage, "data-turn": view.myTurn, "data-connection": state.connection, "data-seats": view.names.length,
      "data-watching": view.me === null, "data-fault": state.table.fault !== null,
    });
    this.renderBar();
    renderSeats(byId("seats"), state, texts);
    renderTalon(byId("talon"), view, texts);
    renderPairs(byId("pairs"), view, texts, {
      targets: targets(state.legal, this.selected), accusable: accusations(state.legal),
      choose: (action) => this.act(action), accuse: (action, card) => this.accuse(action, card),
    });
    renderDealing(byId("dealing"), state, texts);
    renderFault(byId("fault"), state, texts, this.paths?.case ?? null);
    this.renderTrouble();
    this.renderAsking(state.table.asking);
    const words = this.lastWords() ?? status(state, texts);
    const { missed, last } = news(state, texts, this.unsaid);
    const told = [missed, ...state.table.asking.map((guest) => asks(guest, texts))].filter(Boolean).join(" ");
    this.renderSay({ ...words, news: { missed: told, last }, detail: this.note ?? words.detail });
    this.renderActions();
    renderHand(byId("hand"), state, texts, {
      selected: this.selected, advised: this.advised, order: this.settings.order, sending: this.sending?.places ?? [],
      touch: (place, event) => this.touch(place, event.detail === 0),
    });
    if (this.sending === null) this.drag.settle();
    renderLog(byId("log"), state, texts);
    this.renderOver();
    renderClock(byId("clock"), state);
    if (this.carrier !== null) stayAwake(view.me !== null && !isOver(view));
    if (focus && document.activeElement === document.body) this.refocus();
    const turn = view.myTurn && state.legal.actions.length > 0;
    document.title = turn ? texts.say("page.title.turn", { text: words.now }) : texts.say("page.title");
  }

  /** No game yet: the lobby, or only words. */
  renderEmpty() {
    const { state, texts } = this;
    const lobby = state.table?.lobby ?? null;
    set(document.body, { "data-stage": "lobby" });
    if (state.table !== null) this.renderBar();
    this.renderAsking([]);
    renderLobby(byId("dealing"), lobby, state.table?.asking ?? [], texts, this.lobbyActs());
    this.renderFound(lobby && this.ended === null && state.connection === "open" ? lobbyButtons(lobby, (wish) => this.wish(wish)) : []);
    this.renderTrouble();
    const away = state.connection !== "opening" && state.connection !== "open";
    this.renderSay(this.lastWords() ?? (away ? connectionWords(state.connection, texts) : this.lobbyWords(lobby)));
  }

  /** What is said once nothing happens here any more. */
  lastWords() {
    const { ended, texts } = this;
    return ended && { now: texts.say(ended.now), detail: ended.detail && texts.say(ended.detail) };
  }

  /** Who wants in while a game is shown: one at a time, there is little room. */
  renderAsking(guests) {
    renderAsking(byId("asking"), guests.slice(0, 1), this.texts, (guest, on) => this.admit(guest, on));
  }

  lobbyWords(lobby) {
    const { texts } = this;
    const hope = lobby === null ? "" : lobbyDetail(lobby);
    return { now: texts.say(lobby === null ? this.opening : lobbyState(lobby)), detail: this.note ?? (hope && texts.say(hope)) };
  }

  wish(wish) {
    this.carrier.send({ intent: "lobby", wish });
  }

  lobbyActs() {
    return { admit: (guest, on) => this.admit(guest, on), showOut: (person) => this.carrier.send({ intent: "show-out", person }) };
  }

  admit(guest, on) {
    this.carrier.send({ intent: "admit", guest, on });
  }

  renderLabels() {
    write(byId("title"), this.texts.say("page.title"));
    set(byId("menu"), { "aria-label": this.texts.say("page.menu"), hidden: this.state.table === null });
    byId("help").setAttribute("aria-label", this.texts.say("page.help"));
  }

  renderBar() {
    const { state, texts } = this;
    const { presence, mode } = state.table;
    const here = presence.filter((each) => each !== "lost").length;
    const friends = presence.length > 0 ? texts.say("page.links", { here, seats: presence.length }) : "";
    const text = state.connection !== "open" ? texts.say("page.connection.chip") : mode === "friends" ? friends : texts.say(`page.mode.${mode}`);
    write(byId("links"), text);
    set(byId("links"), { "data-bad": state.connection !== "open" || (mode === "friends" && here < presence.length) });
  }

  /** What is wrong with the network, where the page itself finds that out; else with our device. */
  renderTrouble() {
    const trouble = this.network ?? this.state.table?.trouble ?? null;
    set(byId("trouble"), { hidden: trouble === null });
    write(byId("trouble"), trouble === null ? "" : this.texts.say(trouble));
  }

  renderSay({ now, detail, news: { missed, last } = { missed: "", last: "" } }) {
    const [before, end] = byId("news").children;
    write(before, missed && `${missed} `);
    write(end, last);
    write(byId("now"), now);
    write(byId("detail"), detail);
  }

  renderActions() {
    const { state, texts } = this;
    const nothing = this.ended !== null || this.sending !== null || state.connection !== "open" || state.table.fault !== null;
    const found = nothing ? [] : buttons(state, this.selected);
    if (this.mayHint()) {
      found.push({ key: "hint", slot: "hint", main: false, go: () => this.carrier.send({ intent: "hint" }) });
    }
    const { lobby } = state.table;
    if (isOver(state.view)) found.push({ key: "result", slot: lobby === null ? "right" : "left", main: false, go: () => this.showOver() });
    if (lobby !== null && !nothing) found.push(...lobbyButtons(lobby, (wish) => this.wish(wish)));
    const agreed = state.table.agreed.includes(state.view.me);
    if (this.ended !== null) {
      this.renderFound(found);
      return;
    }
    if (agreed) found.push({ key: "go-on-not", slot: "left", main: false, pressed: true, go: () => this.carrier.send({ intent: "go-on-without", on: false }) });
    else if (state.table.goOn) found.push({ key: "go-on", slot: "left", main: false, go: () => this.goOn() });
    this.renderFound(found);
  }

  /** Hints are for practice, while something is asked of us. */
  mayHint() {
    const { table, view, legal } = this.state;
    return this.state.connection === "open" && table.mode === "practice" && view.myTurn && this.sending === null && !passesForMe(this.state) && legal.actions.some((action) => action.kind !== "resign");
  }

  renderFound(found) {
    this.found = found;
    sync(byId("actions"), found, (button) => button.key, (button) => el("button", { type: "button", on: { click: () => this.pressKey(button.key) } }), (element, button) => {
      set(element, { class: button.main ? "main" : "plain", "data-slot": button.slot, "aria-pressed": button.pressed === undefined ? null : String(button.pressed) });
      write(element, this.label(button));
    });
  }

  pressKey(key) {
    const button = this.found.find((each) => each.key === key);
    if (button === undefined) return;
    if (button.go) button.go();
    else this.press(button);
  }

  label(button) {
    const { texts, state } = this;
    if (button.go) return texts.say(`page.do.${button.key}`);
    if (button.key === "take" && this.sure !== null) return texts.count("page.do.take.sure", lying(state.view));
    if (button.key === "lay") return texts.count("page.do.lay", chosenLead(state.legal, this.selected).places.length);
    const card = button.act?.cards ? { card: cardName(texts, button.act.cards[0]) } : {};
    return texts.say(`page.do.${button.key}`, card);
  }

  /** The finger's last place is gone: the next thing one may want. */
  refocus() {
    const next = document.querySelector("#pairs button.target") ?? document.querySelector('#hand [tabindex="0"]') ?? document.querySelector("#actions button");
    next?.focus({ preventScroll: true });
  }

  // Sheets -----------------------------------------------------------------------------------------------

  renderOver() {
    const { table, view } = this.state;
    if (!isOver(view) || table.mode === "replay") {
      if (sheets.shown() === "over") sheets.hide();
      return;
    }
    if (sheets.shown() === "over") sheets.update(overSheet(this.state, this.texts, this.exits()).contents);
    else if (this.overShown !== table.game) this.showOver();
  }

  showOver() {
    this.overShown = this.state.table.game;
    const { title, contents } = overSheet(this.state, this.texts, this.exits());
    sheets.show("over", title, this.texts.say("page.over.look"), contents);
  }

  exits() {
    return {
      rematch: (on) => this.carrier.send({ intent: "rematch", on }),
      wish: (wish) => this.wish(wish),
      ...this.lobbyActs(),
      sit: this.sit,
      replay: this.replay,
      log: this.paths?.log ?? null,
    };
  }

  showMenu() {
    const { texts, state } = this;
    if (state.table === null) return;
    const may = this.ended === null && state.view !== null && state.view.me !== null && !isOver(state.view) && state.table.mode !== "replay" && state.table.fault === null;
    sheets.show("menu", texts.say("page.menu"), texts.say("page.close"), menuSheet(state, texts, this.settings, {
      choose: (setting, value) => this.choose(setting, value),
      arm: (what, on) => this.carrier.send({ intent: "arm", what, on }),
      log: () => this.showLog(),
      logPath: this.paths?.log ?? null,
      stats: this.paths?.stats ? () => this.showStats() : null,
      resign: may && (() => this.resign()),
    }));
  }

  showLog() {
    sheets.show("log", this.texts.say("page.log"), this.texts.say("page.close"), logSheet(this.state, this.texts));
    document.querySelector("#sheet-log .moves").lastElementChild?.scrollIntoView();
  }

  /** End the game without those who are away: says first what that means at this table. */
  goOn() {
    const { texts, state } = this;
    const detail = texts.say(`rules.absent.${state.view.options.absent}`);
    const names = people(texts, state.view, state.view.waiting);
    sheets.confirm(texts, texts.say("page.go-on.sure", { names }), detail, texts.say("page.go-on.yes"), () => this.carrier.send({ intent: "go-on-without", on: true }));
  }

  async showStats() {
    const answer = await fetch(this.paths.stats).catch(() => null);
    const own = answer?.ok ? await answer.json() : null;
    sheets.show("stats", this.texts.say("page.stats"), this.texts.say("page.close"), statsSheet(own, this.texts));
  }

  resign() {
    const { texts } = this;
    sheets.confirm(texts, texts.say("page.resign.sure"), texts.say("page.resign.detail"), texts.say("page.resign.yes"), () => {
      const now = ofKind(this.state.legal, "resign");
      if (now) this.act(now);
      else this.carrier.send({ intent: "arm", what: "resign", on: true });
    });
  }

  async choose(setting, value) {
    this.settings = { ...this.settings, [setting]: value };
    settingsOf.save(this.settings);
    settingsOf.apply(this.settings);
    if (setting === "language") await this.speak(value);
    if (setting === "sound") chime(this.settings);
    this.render();
    if (sheets.shown() === "menu" && setting === "language") this.showMenu();
  }

  async speak(language) {
    this.texts = await this.reload(language);
    document.documentElement.lang = this.texts.language;
    this.note = null;
    this.onWords();
  }

  // Places for motion ------------------------------------------------------------------------------------

  /** Where a card that was not on the screen came from: its player's seat, or the talon. */
  origin(card, old) {
    if (card.closest("#hand")) return byId("talon").getBoundingClientRect();
    const pair = this.state.view.table.find((each) => [each.attack, each.beat].includes(Number(card.dataset.card)));
    const seat = pair?.attack === Number(card.dataset.card) ? pair.attacker : pair?.beater;
    return this.seatRect(seat ?? old.defender);
  }

  /** Where the cards of a closed bout go: to the taker, or off the table. */
  grave(old) {
    const last = this.state.events.findLast((event) => event.event === "bout-taken" || event.event === "bout-beaten");
    if (last?.event === "bout-taken") return this.seatRect(last.defender);
    const board = byId("board").getBoundingClientRect();
    return old && new DOMRect(board.right - 20, board.top + 20, 20, 28);
  }

  seatRect(seat) {
    const found = seat === this.state.view.me ? byId("hand") : document.querySelector(`#seats [data-seat="${seat}"] .disc`);
    return found?.getBoundingClientRect() ?? null;
  }

  // Fingers ----------------------------------------------------------------------------------------------

  listen() {
    byId("menu").append(drawing("0 0 24 24", MENU));
    byId("help").append(drawing("0 0 24 24", QUESTION));
    byId("menu").addEventListener("click", () => this.showMenu());
    byId("help").addEventListener("click", () => {
      const options = this.state.table?.lobby?.options ?? this.state.view?.options ?? this.usual;
      if (options) sheets.show("help", this.texts.say("page.help"), this.texts.say("page.close"), helpSheet(options, this.texts));
    });
    this.drag = new Drag(byId("hand"), {
      may: () => this.touchable, lift: (place) => this.lift(place), drop: (place, attack) => this.drop(place, attack), back: () => this.select([], false),
    });
    new ResizeObserver(() => layOut(byId("hand"))).observe(byId("table"));
    document.addEventListener("click", (event) => this.dropLate(event), { capture: true });
    document.addEventListener("keydown", (event) => this.key(event));
    byId("hand").addEventListener("keyup", (event) => event.key === " " && event.preventDefault()); // or it plays the card
    setInterval(() => renderClock(byId("clock"), this.state), 1000);
    document.addEventListener("visibilitychange", () => this.render());
  }

  key(event) {
    if (this.carrier === null || sheets.shown() !== null || event.ctrlKey || event.metaKey || event.altKey || !ready(this.state)) return;
    if (event.key === "Escape") this.select([], false);
    else if (event.target === document.body || event.target.closest("#hand, #actions, #pairs")) this.shortcut(event);
  }

  /** Arrows walk the hand, 1 … 9 take its cards, space is the main action unless another button has the focus. */
  shortcut(event) {
    const hand = byId("hand");
    if (/^[1-9]$/.test(event.key)) hand.children[Number(event.key) - 1]?.click();
    else if (event.key === " " && (event.target === document.body || hand.contains(event.target))) {
      event.preventDefault();
      if (!event.repeat) byId("actions").querySelector("button.main")?.click();
    } else if (event.key.startsWith("Arrow") && event.target === document.body) hand.querySelector('[tabindex="0"]')?.focus();
    else steer(hand, event);
  }
}
