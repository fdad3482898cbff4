// Python in node as in a guest's browser: `node run.mjs BUNDLE ROOT MODULE` runs MODULE's `main()` from ROOT on
// the bundle's interpreter and libsodium.

import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

/** What went wrong in words: node would print a megabyte of minified source instead. */
process.on("uncaughtException", (error) => {
  console.error(String(error.stack ?? error).slice(-4000));
  process.exit(1);
});

const [bundle, root, module] = process.argv.slice(2);
const from = (name) => import(pathToFileURL(`${bundle}/${name}`));
const { loadPyodide } = await from("pyodide.mjs");
const { openSodium } = await from("sodium.js");
const factory = (await from("libsodium-sumo.mjs")).default;

const python = await loadPyodide({ indexURL: `${bundle}/` });
python.unpackArchive(new Uint8Array(readFileSync(`${bundle}/cbor2.whl`)), "wheel");
python.FS.mkdirTree("/root");
python.FS.mount(python.FS.filesystems.NODEFS, { root }, "/root");
python.globals.set("sodium", await openSodium(factory));
python.globals.set("module", module);
python.runPython(`
import sys, importlib
sys.path.insert(0, "/root")
sys.dont_write_bytecode = True
from cli.guests.inside.start import Sodium, use_sodium
use_sodium(Sodium(sodium))
importlib.import_module(module).main()
`);
