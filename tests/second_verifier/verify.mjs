// node verify.mjs FILE…: one JSON line a file, {"verdict": "holds" | "forbidden" | "fork" | "malformed", …}.
import { readFileSync } from "node:fs";
import { Malformed } from "./cbor.mjs";
import { Forbidden, Fork, check, read } from "./log.mjs";

function judge(file) {
  try {
    const heights = check(read(Uint8Array.from(readFileSync(file))));
    return { verdict: "holds", heights };
  } catch (error) {
    if (error instanceof Fork) return { verdict: "fork", seat: error.seat, height: error.height };
    if (error instanceof Forbidden)
      return { verdict: "forbidden", seat: error.seat, height: error.height, why: error.message };
    if (error instanceof Malformed) return { verdict: "malformed", why: error.message };
    throw error;
  }
}

for (const file of process.argv.slice(2)) console.log(JSON.stringify({ file, ...judge(file) }));
