// Before a game: who is there, and how the others find the table.

import { drawing, el, set, sync, write } from "./dom.js";

/** `asking`: those who want in; `act.admit(id, on)` answers one of them, `act.showOut(id)` takes a seat back. */
export function renderLobby(box, lobby, asking, texts, act) {
  set(box, { hidden: lobby === null, "data-kind": "lobby" });
  if (lobby === null) return;
  if (box.dataset.made !== "lobby") {
    box.dataset.made = "lobby";
    box.replaceChildren(el("h2"), el("p", { class: "taken" }), el("ul"), el("div", { class: "asking" }), el("section", { class: "guests" }, el("p"), el("div", { class: "qr" }), el("ul", { class: "addresses" }), el("p", { class: "hint" }), el("p")), el("p", { class: "how" }), el("ul", { class: "addresses" }), el("div", { class: "qr" }));
  }
  const [title, taken] = [box.querySelector("h2"), box.querySelector(".taken")];
  title.hidden = taken.hidden = lobby.apart !== null && lobby.people.length === 0; // strangers are not told who sits there
  write(title, texts.say("page.lobby"));
  write(taken, count(lobby, texts));
  const [people, addresses] = box.querySelectorAll(":scope > ul");
  renderPeople(people, lobby, texts, act);
  box.querySelector(".how").hidden = lobby.addresses.length === 0;
  write(box.querySelector(".how"), texts.say("page.lobby.address"));
  const found = elsewhere(lobby.addresses);
  const ways = lobby.code ? [lobby.code, ...found.map((address) => `${typed(address)} ${lobby.code}`)] : found.map(typed);
  sync(addresses, ways, (way) => way, (way) => el("li", {}, el("code", {}, texts.say("page.lobby.join", { address: way }))));
  renderAsking(box.querySelector(".asking"), asking, texts, act.admit);
  square(box.querySelector(":scope > .qr"), lobby.qr, texts.say("page.lobby.qr"));
  renderGuests(box.querySelector(".guests"), lobby.guests, texts);
}

const count = (lobby, texts) => texts.say("page.lobby.count", { here: lobby.people.length, seats: lobby.options.seats });

/** One line for each who has a seat: what his program is, whether he is there and agrees; the host may show him out. */
function renderPeople(list, lobby, texts, act) {
  sync(list, lobby.people, (person) => `${person.id} ${person.name}`, (person) => personLine(person, act), (item, person) => {
    const [, line, out] = item.children;
    item.dataset.state = person.ready && !person.away ? "done" : "doing";
    const state = [texts.say(stateOf(person))];
    if (person.bot && person.away) state.unshift(texts.say("lobby.note.bot"));
    if (person.program !== "own-app") state.unshift(texts.say(`lobby.note.${person.program}`));
    write(line, texts.say("page.dealing.line", { name: person.me ? texts.say("page.you") : person.name, state: state.join(texts.say("list.comma")) }));
    out.hidden = !person.mayShowOut;
    write(out, texts.say("page.lobby.out"));
    set(out, { "aria-label": texts.say("page.lobby.out.who", { name: person.name }) });
  });
}

/** The lines below move up: the second half of a double click must not show out the next one as well. */
const personLine = (person, act) => el("li", {}, el("span", { class: "mark", "aria-hidden": "true" }), el("span", { class: "line" }),
  el("button", { type: "button", class: "out", on: { click: (event) => event.detail <= 1 && act.showOut(person.id) } }));

function stateOf(person) {
  if (person.away) return "lobby.note.away";
  if (person.bot) return "lobby.note.bot";
  if (person.ready) return "page.lobby.ready";
  return person.me ? "page.lobby.reading.me" : "page.lobby.reading";
}

/** The same after a game, when others gather than have played it: `act` has wish, admit and showOut. */
export function nextTable({ lobby, asking }, texts, act) {
  const people = el("ul", { class: "people" });
  renderPeople(people, lobby, texts, act);
  const detail = lobbyDetail(lobby);
  return [
    el("h3", {}, texts.say("page.over.next")), el("p", {}, count(lobby, texts)), people,
    ...asking.map((guest) => question(guest, texts, act.admit)),
    el("p", { class: "wanting" }, texts.say(lobbyState(lobby))), detail && el("p", {}, texts.say(detail)),
    ...lobbyButtons(lobby, act.wish).map((button) => el("button", { type: "button", class: button.main && "main", "aria-pressed": button.pressed ? "true" : null, on: { click: button.go } }, texts.say(`page.do.${button.key}`))),
  ];
}

/** The addresses others can use; our own device's, or of one network interface, only where there is nothing else. */
function elsewhere(addresses) {
  const others = addresses.filter((address) => !/^(127\.|\[fe[89ab])/i.test(address));
  return others.length > 0 ? others : addresses;
}

/** Shells take brackets for patterns. */
const typed = (address) => (address.includes("[") ? `'${address}'` : address);

/** How phones with only a browser get here, and whom they trust if they do. */
function renderGuests(box, guests, texts) {
  box.hidden = guests.addresses.length === 0;
  if (box.hidden) return;
  const [how, hint, honest] = box.querySelectorAll("p");
  write(how, texts.say("page.lobby.guests"));
  sync(box.querySelector("ul"), guests.addresses, (address) => address, (address) => el("li", {}, el("code", {}, address)));
  square(box.querySelector(".qr"), guests.qr, texts.say("page.lobby.guests.qr"));
  hint.hidden = guests.hint === null;
  write(hint, guests.hint === null ? "" : texts.say(guests.hint));
  write(honest, texts.say("guests.honest"));
}

/** What the lobby waits for, as a message id. */
export function lobbyState(lobby) {
  if (lobby.apart !== null) return lobby.apart;
  const me = lobby.people.find((person) => person.me);
  if (me && !me.ready) return "page.lobby.agree";
  if (lobby.people.length < lobby.options.seats) return "page.lobby.wait-seats";
  if (lobby.people.some((person) => !person.ready)) return "page.lobby.wait-ready";
  return lobby.hosting ? "page.lobby.may-start" : "page.lobby.wait-host";
}

const DETAILS = { "page.lobby.playing": "page.lobby.playing.detail", "refused.full": "page.lobby.full.detail" };

/** What who has no seat may hope for, as a message id; "" if there is nothing to say. */
export const lobbyDetail = (lobby) => DETAILS[lobby.apart] ?? "";

/** Agree or take it back; the host starts, and may seat a bot; who has no seat asks for one, or to watch. */
export function lobbyButtons(lobby, wish) {
  const found = [];
  if (lobby.mayWatch) found.push({ key: "watch", slot: "left", main: false, go: () => wish("watch") });
  if (lobby.maySit) found.push({ key: "sit", slot: "right", main: true, go: () => wish("sit") });
  const me = lobby.people.find((person) => person.me);
  if (lobby.maySeatBot) found.push({ key: "seat-bot", slot: "left", main: false, go: () => wish("seat-bot") });
  if (lobby.hosting) {
    if (lobby.mayStart) found.push({ key: "start", slot: "right", main: true, go: () => wish("start") });
  } else if (me?.ready) found.push({ key: "not-ready", slot: "right", main: false, pressed: true, go: () => wish("not-ready") });
  else if (me) found.push({ key: "ready", slot: "right", main: true, go: () => wish("ready") });
  return found;
}

/** Those who want in: the host decides. */
export function renderAsking(box, asking, texts, admit) {
  box.hidden = asking.length === 0;
  sync(box, asking, (guest) => guest.id, (guest) => question(guest, texts, admit));
}

/** What somebody asks of the host. */
export const asks = (guest, texts) => texts.say(guest.watching ? "page.lobby.asks-watch" : "page.lobby.asks-seat", { name: guest.name });

function question(guest, texts, admit) {
  return el("div", { class: "guest" }, el("p", {}, asks(guest, texts)),
    el("button", { type: "button", on: { click: () => admit(guest.id, true) } }, texts.say("page.lobby.let-in")),
    el("button", { type: "button", on: { click: () => admit(guest.id, false) } }, texts.say("page.lobby.decline")));
}

/** A QR code from its rows: one path, dark on light, with the quiet edge scanners need. */
function square(box, rows, label) {
  const key = rows.join();
  box.hidden = rows.length === 0;
  if (box.dataset.key === key) return;
  box.dataset.key = key;
  const size = rows.length + 8;
  const dark = rows.flatMap((row, y) => [...row].map((module, x) => (module === "1" ? `M${x + 4} ${y + 4}h1v1h-1Z` : "")));
  const svg = drawing(`0 0 ${size} ${size}`, [{ d: `M0 0h${size}v${size}H0Z`, class: "light" }, { d: dark.join(""), class: "dark" }], { "shape-rendering": "crispEdges" });
  svg.setAttribute("role", "img");
  svg.removeAttribute("aria-hidden");
  svg.setAttribute("aria-label", label);
  box.replaceChildren(svg);
}
