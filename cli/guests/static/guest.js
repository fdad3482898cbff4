// Starts the table page for a guest: his name, then his own peer in a worker behind it.

import { App } from "./app.js";
import { PortCarrier } from "./carrier.js";
import { el } from "./dom.js";
import { apply, load } from "./settings.js";
import { isOver } from "./state.js";
import { Texts } from "./texts.js";

const NAME = "durak-name";
const LANGUAGES = ["en", "de", "es", "ru"];
const here = new URL("./", import.meta.url).href;

async function texts(wanted) {
  const spoken = [wanted, ...navigator.languages].map((each) => each.slice(0, 2).toLowerCase());
  const language = spoken.find((each) => LANGUAGES.includes(each)) ?? "en";
  return new Texts(await (await fetch(`${here}texts-${language}.json`)).json());
}

/** Code and host's fingerprint from the fragment, which no server ever sees. */
function invitation() {
  const [code, host] = location.hash.slice(1).split("+");
  return /^[0-9a-f]{16}$/.test(host ?? "") ? { code, host } : null;
}

/** The person's name; asked once on this device. */
function ask(catalogue) {
  const known = localStorage.getItem(NAME);
  if (known) return Promise.resolve(known);
  const box = document.getElementById("dealing");
  const field = el("input", { id: "name", maxlength: 20, autocomplete: "nickname", "aria-label": catalogue.say("page.guest.name") });
  const go = el("button", { id: "sit", type: "submit", class: "main" }, catalogue.say("page.guest.sit"));
  return new Promise((resolve) => {
    const form = el("form", { class: "guest", on: { submit: (event) => {
      event.preventDefault();
      const name = field.value.trim();
      if (!name) return;
      localStorage.setItem(NAME, name);
      box.replaceChildren();
      box.hidden = true;
      resolve(name);
    } } }, el("h2", {}, catalogue.say("page.lobby")), el("p", {}, catalogue.say("page.guest.honest")), el("p", {}, catalogue.say("page.guest.stay")), el("label", { for: "name" }, catalogue.say("page.guest.name")), field, go);
    box.replaceChildren(form);
    box.hidden = false;
    delete box.dataset.made;
    field.focus();
  });
}

const settings = load();
apply(settings);
const catalogue = await texts(settings.language);
document.documentElement.lang = catalogue.language;
const app = new App(catalogue, settings, { reload: texts });
const invited = invitation();

/** A sentence below the status; App shows it with the next render. */
function note(id, params) {
  app.note = app.texts.say(id, params);
  app.render();
}

/** The log as a file to save, renewed while the last signatures come in. */
function offer(log) {
  if (app.paths) URL.revokeObjectURL(app.paths.log);
  app.paths = { log: URL.createObjectURL(new Blob([log], { type: "application/octet-stream" })) };
  app.render();
}

if (invited === null) note("page.guest.no-invitation");
else {
  let asking = true;
  let step = 0;
  const worker = new Worker(new URL("./guest-worker.js", import.meta.url), { type: "module" });
  const { port1, port2 } = new MessageChannel();
  worker.onmessage = ({ data }) => {
    step = data.step ?? step;
    if (data.step && data.step < 4) {
      if (!asking) note("page.guest.loading", { step, steps: 3 });
    } else if (data.step) {
      app.note = null;
      document.body.dataset.guest = "ready";
    } else if (data.trouble) note(data.trouble);
    else if (data.failed) {
      console.error(data.failed);
      note("page.guest.failed");
    } else if (data.log) offer(data.log);
  };
  const name = await ask(catalogue);
  asking = false;
  if (step > 0 && step < 4) note("page.guest.loading", { step, steps: 3 });
  app.carrier = new PortCarrier(port1, { onMessages: (messages) => {
    app.receive(messages);
    if (app.state.view !== null && isOver(app.state.view)) worker.postMessage({ log: true });
  }, onState: (state) => app.connection(state) });
  worker.postMessage({ start: { ...invited, name, address: `ws://${location.host}/link` }, port: port2 }, [port2]);
  for (const event of ["visibilitychange", "online", "pageshow"]) addEventListener(event, () => worker.postMessage({ hurry: true }));
}
