// Starts the page at our own peer: token, texts, socket.

import { App } from "./app.js";
import { SocketCarrier, enter } from "./carrier.js";
import { apply, load } from "./settings.js";
import { Texts } from "./texts.js";

async function texts(language) {
  const answer = await fetch(`/texts${language ? `?language=${encodeURIComponent(language)}` : ""}`);
  return new Texts(await answer.json());
}

// the address of a new start, opened where an old one was: only its end differs, and no page loads
addEventListener("hashchange", enter);
const settings = load();
apply(settings);
const [, catalogue] = await Promise.all([enter(), texts(settings.language)]);
document.documentElement.lang = catalogue.language;
const app = new App(catalogue, settings, { reload: texts, paths: { log: "/log.durak", case: "/case.durakcase", stats: "/stats" }, replay: () => location.assign("/replay#log") });
app.carrier = new SocketCarrier(`ws://${location.host}/socket`, {
  onMessages: (messages) => app.receive(messages),
  onState: (state) => app.connection(state),
});
