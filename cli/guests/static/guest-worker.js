// The guest's own peer: the same Python packages as everywhere, beside the page. Keys never leave this worker.

import sodiumFactory from "./libsodium-sumo.mjs";
import { openPython } from "./interpreter.js";
import { openSodium } from "./sodium.js";
import { openVault } from "./vault.js";

const SETTLED = 3000;
const here = new URL("./", import.meta.url).href;
const tell = (message) => self.postMessage(message);

let got = 0;
const loading = load();
loading.catch(() => {}); // `start` says it
let guest = null;
let port = null;
let stopped = "";

self.onmessage = async ({ data }) => {
  if (data.start) await start(data.start, data.port).catch((error) => tell({ failed: String(error.message ?? error).slice(-2000) }));
  else if (data.log && guest) tell({ log: guest.log_file() });
  else if (data.hurry && guest) guest.hurry();
};

/** Everything but the table: begins at once, while the person still types his name. */
async function load() {
  const sodium = await openSodium(sodiumFactory);
  const python = await openPython(here, sodium, (more) => {
    got += more;
    tell({ got });
  });
  tell({ loaded: true });
  return python;
}

async function start({ name, code, host, address }, given) {
  port = given;
  const [{ begin, remember }, vault] = await Promise.all([loading, openVault(host)]);
  const say = (text) => port.postMessage(JSON.parse(text));
  guest = await begin(vault, () => dial(address), say, name, code, host);
  port.onmessage = ({ data }) => guest.intent(JSON.stringify(data));
  yieldTo(host);
  tell({ ready: true });
  setTimeout(remember, SETTLED);
}

/** A tab that opens later takes the table; this one then falls silent. */
function yieldTo(host) {
  const channel = new BroadcastChannel(`durak-${host}`);
  channel.postMessage("mine");
  channel.onmessage = () => {
    stopped = "vault.other-tab";
    guest.stop(stopped);
    tell({ trouble: stopped });
  };
}

function dial(address) {
  if (stopped) return;
  const socket = new WebSocket(address);
  let linked = false;
  socket.binaryType = "arraybuffer";
  socket.onopen = () => {
    linked = true;
    tell({ linked });
    guest.opened(socket);
  };
  socket.onmessage = ({ data }) => guest.arrived(new Uint8Array(data));
  socket.onclose = () => {
    tell({ linked: false, was: linked });
    const trouble = guest.closed();
    if (trouble) tell({ trouble });
  };
}
