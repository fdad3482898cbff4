// Starts the replay: with a film inside the page, or at our own peer, which judges the file.

import { App } from "./app.js";
import { enter } from "./carrier.js";
import { el } from "./dom.js";
import { Player } from "./replay.js";
import { apply, load } from "./settings.js";
import { Texts } from "./texts.js";

const inside = document.getElementById("film");
const hand = document.getElementById("hand");
const controls = el("section", { id: "player" });
hand.before(el("ul", { id: "hands", hidden: true }));
hand.after(controls);
const settings = load();
apply(settings);

/** A catalogue: one of those inside the page, or from our own peer. Who reads may have another language than who made the page. */
async function texts(language) {
  if (inside === null) {
    const answer = await fetch(`/texts${language ? `?language=${encodeURIComponent(language)}` : ""}`);
    return new Texts(await answer.json());
  }
  const all = JSON.parse(document.getElementById("texts").textContent);
  const wanted = [language, ...navigator.languages, document.documentElement.lang].map((each) => each?.split("-")[0]);
  return new Texts(all[wanted.find((each) => Object.hasOwn(all, each))] ?? all.en);
}

/** The film of a log file, judged by our own peer. */
async function judged(bytes) {
  const answer = await fetch("/film", { method: "POST", body: bytes });
  if (!answer.ok) return { verdict: { code: answer.status === 401 ? "refused" : "malformed", good: false }, frames: [] };
  return answer.json();
}

if (inside === null) {
  addEventListener("hashchange", enter);
  await enter();
}
const catalogue = await texts(settings.language);
document.documentElement.lang = catalogue.language;
const app = new App(catalogue, settings, { reload: texts, onWords: () => player.words() });
app.opening = "page.film.none";
app.connection("open");
const player = new Player(app, controls, inside === null ? { load: judged, back: "/" } : {});
if (inside !== null) player.open(JSON.parse(inside.textContent));
else if (location.hash === "#log") {
  const answer = await fetch("/log.durak");
  if (answer.ok) player.open(await judged(await answer.blob()));
}
