// Before the first game: who is there, and how the others find the table.

import { el, set, sync, write } from "./dom.js";

export function renderLobby(box, lobby, texts) {
  set(box, { hidden: lobby === null, "data-kind": "lobby" });
  if (lobby === null) return;
  if (box.dataset.made !== "lobby") {
    box.dataset.made = "lobby";
    box.replaceChildren(el("h2"), el("p", { class: "taken" }), el("ul"), el("p", { class: "how" }), el("ul", { class: "addresses" }));
  }
  write(box.querySelector("h2"), texts.say("page.lobby"));
  write(box.querySelector(".taken"), texts.say("page.lobby.count", { here: lobby.people.length, seats: lobby.options.seats }));
  const [people, addresses] = box.querySelectorAll("ul");
  sync(people, lobby.people, (person) => person.name, () => el("li", {}, el("span", { class: "mark", "aria-hidden": "true" }), el("span")), (item, person) => {
    item.dataset.state = person.ready ? "done" : "doing";
    const state = texts.say(person.bot ? "page.lobby.bot" : person.ready ? "page.lobby.ready" : "page.lobby.reading");
    write(item.lastChild, texts.say("page.dealing.line", { name: person.me ? texts.say("page.you") : person.name, state }));
  });
  box.querySelector(".how").hidden = lobby.addresses.length === 0;
  write(box.querySelector(".how"), texts.say("page.lobby.address"));
  sync(addresses, lobby.addresses, (address) => address, (address) => el("li", {}, el("code", {}, texts.say("page.lobby.join", { address }))));
}
