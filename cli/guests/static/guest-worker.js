// The guest's own peer: the same Python packages as everywhere, beside the page. Keys never leave this worker.

import { loadPyodide } from "./pyodide.mjs";
import sodiumFactory from "./libsodium-sumo.mjs";
import { openSodium } from "./sodium.js";
import { openVault } from "./vault.js";

const here = new URL("./", import.meta.url).href;
const tell = (message) => self.postMessage(message);
const bytes = async (name) => new Uint8Array(await (await fetch(here + name)).arrayBuffer());

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
  tell({ step: 1 });
  const [python, wheel, ours, sodium] = await Promise.all([
    loadPyodide({ indexURL: here }), bytes("cbor2.whl"), bytes("durak.zip"), openSodium(sodiumFactory),
  ]);
  tell({ step: 2 });
  python.unpackArchive(wheel, "wheel");
  python.unpackArchive(ours, "zip");
  const { start: begin, use_sodium: use } = python.pyimport("cli.guests.inside.start");
  use(sodium);
  for (const name of ["driver", "page"]) python.pyimport(`cli.guests.inside.${name}`);
  python.pyimport("game.mental_poker.deck").warm_up();
  tell({ step: 3 });
  return begin;
}

async function start({ name, code, host, address }, given) {
  port = given;
  const [begin, vault] = await Promise.all([loading, openVault(host)]);
  const say = (text) => port.postMessage(JSON.parse(text));
  guest = await begin(vault, () => dial(address), say, name, code, host);
  port.onmessage = ({ data }) => guest.intent(JSON.stringify(data));
  yieldTo(host);
  tell({ step: 4 });
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
  socket.binaryType = "arraybuffer";
  socket.onopen = () => guest.opened(socket);
  socket.onmessage = ({ data }) => guest.arrived(new Uint8Array(data));
  socket.onclose = () => {
    const trouble = guest.closed();
    if (trouble) tell({ trouble });
  };
}
