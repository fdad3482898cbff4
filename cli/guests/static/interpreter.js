// Python in this worker: from the picture of an earlier start if there is one, else from the beginning.

import { loadPyodide } from "./pyodide.mjs";
import { keep, kept } from "./pictures.js";

const OURS = "/lib/durak.zip";

/**
 * `sodium`: the function of `sodium.js`; `onBytes(n)`: n more bytes have come, unpacked.
 * Gives {begin, remember}: `start` of `inside/start.py`, and what keeps the picture for the next visit.
 */
export async function openPython(here, sodium, onBytes) {
  const bundle = new URL(here).pathname;
  const files = Promise.all([bytes(`${here}cbor2.whl`, onBytes), bytes(`${here}durak.zip`, onBytes)]);
  files.catch(() => {}); // whoever waits for it says it
  const picture = await kept(bundle);
  if (picture !== null) {
    try {
      const python = await loadPyodide({ indexURL: here, _loadSnapshot: picture });
      return { begin: complete(python, sodium, await files), remember: () => {} };
    } catch (error) {
      console.warn(String(error).slice(-300));
      await keep(bundle, null);
    }
  }
  const python = await counted(onBytes, () => loadPyodide({ indexURL: here, _makeSnapshot: true }));
  const [wheel, ours] = await files;
  lay(python, ours);
  python.runPython(`import sys; sys.path.insert(0, "${OURS}")`);
  python.pyimport("cli.guests.inside.picture").load(sodium);
  const made = python.makeMemorySnapshot();
  return { begin: complete(python, sodium, [wheel, ours]), remember: () => keep(bundle, made) };
}

const lay = (python, ours) => python.FS.writeFile(OURS, ours);

function complete(python, sodium, [wheel, ours]) {
  lay(python, ours);
  python.unpackArchive(wheel, "wheel");
  python.pyimport("cli.guests.inside.picture").complete(sodium);
  return python.pyimport("cli.guests.inside.start").start;
}

async function bytes(address, onBytes) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${answer.status} ${address}`);
  const data = new Uint8Array(await answer.arrayBuffer());
  onBytes(data.length);
  return data;
}

/** Count what `work` fetches while it comes. */
async function counted(onBytes, work) {
  const plain = self.fetch;
  self.fetch = async (...asked) => {
    const answer = await plain.apply(self, asked);
    count(answer.clone(), onBytes).catch(() => {});
    return answer;
  };
  try {
    return await work();
  } finally {
    self.fetch = plain;
  }
}

async function count(answer, onBytes) {
  for (const reader = answer.body.getReader(); ;) {
    const { done, value } = await reader.read();
    if (done) return;
    onBytes(value.length);
  }
}
