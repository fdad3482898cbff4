// The table's clock: a hint to people, it decides nothing. Counts from when this page saw the height.

import { set, write } from "./dom.js";

let since = 0;
let seen = "";

/** "0:23", or nothing where the table has no clock or nobody is asked to decide. */
export function clockText(seconds, elapsed) {
  const left = Math.max(0, Math.ceil(seconds - elapsed));
  return `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
}

/** Write it; called on every render and once a second. */
export function renderClock(element, { view, table }) {
  const running = view !== null && view.options.clock > 0 && ["play", "challenge"].includes(view.stage) && table.fault === null;
  set(element, { hidden: !running });
  if (!running) return;
  const key = `${table.game} ${view.height}`;
  if (key !== seen) {
    seen = key;
    since = performance.now();
  }
  const elapsed = (performance.now() - since) / 1000;
  write(element, clockText(view.options.clock, elapsed));
  set(element, { "data-bad": elapsed > view.options.clock });
}
