// Starts the table page for a guest: a drawn table and his name, then his own peer in a worker behind it.

import { App } from "./app.js";
import { PortCarrier } from "./carrier.js";
import { diagnose, isSmallWindow } from "./network.js";
import { apply, load } from "./settings.js";
import * as shell from "./shell.js";
import { isOver } from "./state.js";
import { Texts } from "./texts.js";

const LANGUAGES = ["en", "de", "es", "ru"];
const LOOK_AFTER = 2500;
const CODE = /^(([0-9A-TV-Z]{4}-?){3})?$/i; // an open table has none
const UNANSWERED = new Set(["page.guest.away", "page.guest.offline"]);
const here = new URL("./", import.meta.url).href;
const { total, usual } = document.body.dataset;

async function texts(wanted) {
  const spoken = [wanted, ...navigator.languages].map((each) => each.slice(0, 2).toLowerCase());
  const language = spoken.find((each) => LANGUAGES.includes(each)) ?? "en";
  return new Texts(await (await fetch(`${here}texts-${language}.json`)).json());
}

/** Code and host's fingerprint from the fragment, which no server ever sees. */
function invitation() {
  const [code, host] = location.hash.slice(1).split("+");
  const whole = CODE.test(code) && /^[0-9a-f]{16}$/.test(host ?? "");
  return whole ? { code, host } : null;
}

// another address in the same tab differs by its end alone, and no page loads by itself
addEventListener("hashchange", () => location.reload());
shell.draw();
const settings = load();
apply(settings);
const catalogue = await texts(settings.language);
document.documentElement.lang = catalogue.language;
const app = new App(catalogue, settings, { reload: texts, sit: () => location.reload() });
const invited = invitation();

/** A sentence below the status; App shows it with the next render. */
function note(text) {
  app.note = text;
  app.render();
}

const over = () => app.state.view !== null && isOver(app.state.view);

/** The log as a file to save, renewed while the last signatures come in; null: there is none yet. */
function offer(log) {
  if (app.paths) URL.revokeObjectURL(app.paths.log);
  app.paths = log && { log: URL.createObjectURL(new Blob([log], { type: "application/octet-stream" })) };
  app.render();
}

/** The link to the host: the page says when it is gone, and after a while why it may be. */
class Linked {
  constructor() {
    this.on = false;
    this.ended = false;
    this.failed = 0; // since somebody last answered for the host
    this.timer = null;
  }

  change(on, was) {
    if (this.ended) return;
    this.on = on;
    this.failed = on || was ? 0 : this.failed + 1;
    if (on) {
      clearTimeout(this.timer);
      this.timer = null;
      app.network = null;
      app.connection("open");
    } else this.timer ??= setTimeout(() => this.look(), LOOK_AFTER);
  }

  /** It is no use to try again: `why` (a message id) is said for good, and no guess about the network. */
  end(why) {
    this.ended = true;
    clearTimeout(this.timer);
    this.timer = null;
    app.network = null;
    app.connection("open");
    app.end(why, why.startsWith("link.") ? "page.guest.again" : "");
  }

  async look() {
    const mine = this.timer;
    const why = await diagnose(this.failed);
    if (this.timer !== mine) return; // it was there meanwhile: what was asked is of before
    if (UNANSWERED.has(why)) this.failed = 0;
    if (why === "page.guest.away" && over()) {
      app.network = "page.guest.closed";
      app.render();
    } else {
      app.network = why || null;
      app.connection(why ? "away" : app.state.connection);
    }
    this.timer = setTimeout(() => this.look(), LOOK_AFTER);
  }
}

if (invited === null) app.end("page.guest.no-invitation");
else {
  let asking = true;
  let ready = false;
  let whole = false;
  let got = 0;
  const linked = new Linked();
  const worker = new Worker(new URL("./guest-worker.js", import.meta.url), { type: "module" });
  const { port1, port2 } = new MessageChannel();
  const loading = () => {
    const words = shell.progress(app.texts, got, Number(total));
    if (!asking && !ready) note(words);
  };
  worker.onmessage = ({ data }) => {
    if (data.got) {
      ({ got } = data);
      loading();
    } else if (data.loaded) {
      whole = true;
      shell.loaded();
    } else if (data.ready) {
      ready = true;
      app.note = null;
      document.body.dataset.guest = "ready";
    } else if ("linked" in data) linked.change(data.linked, data.was);
    else if (data.trouble) linked.end(data.trouble);
    else if (data.failed) {
      console.error(data.failed);
      shell.loaded();
      app.end("page.guest.failed");
    } else if (data.log && over()) offer(data.log);
  };
  app.usual = JSON.parse(usual);
  app.renderLabels();
  const name = await shell.ask(catalogue, app.usual, isSmallWindow() && "page.guest.window");
  asking = false;
  if (!whole && got > 0) loading();
  app.carrier = new PortCarrier(port1, { onMessages: (messages) => {
    shell.clear();
    app.receive(messages);
    if (over()) worker.postMessage({ log: true });
    else if (app.paths) offer(null); // the next game is on
  }, onState: (state) => app.connection(state) });
  worker.postMessage({ start: { ...invited, name, address: `ws://${location.host}/link` }, port: port2 }, [port2]);
  for (const event of ["visibilitychange", "online", "pageshow"]) addEventListener(event, () => worker.postMessage({ hurry: true }));
}
