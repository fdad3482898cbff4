// A device of the table broke the rules, and there is proof. The device is accused, never the person.

import { el, set } from "./dom.js";
import { readable } from "./tell.js";

export function renderFault(box, state, texts, casePath) {
  const { view, table } = state;
  const fault = table.fault;
  set(box, { hidden: fault === null, role: fault === null ? null : "alert" });
  const key = fault === null ? "" : JSON.stringify(fault) + texts.language;
  if (box.dataset.key === key) return;
  box.dataset.key = key;
  box.replaceChildren();
  if (fault === null) return;
  const name = fault.seat === view.me ? texts.say("page.fault.ours") : view.names[fault.seat];
  const fork = fault.kind === "fork";
  const proof = el("dl", { id: "proof", hidden: true }, ...details(fault, texts));
  const toggle = el("button", { type: "button", "aria-expanded": "false", "aria-controls": "proof", on: { click: () => {
    proof.hidden = !proof.hidden;
    toggle.setAttribute("aria-expanded", String(!proof.hidden));
  } } }, texts.say("page.fault.proof"));
  box.append(
    el("h2", {}, texts.say(fork ? "page.fault.fork" : "page.fault.forbidden", { name })),
    el("p", {}, fork ? texts.say("page.fault.fork.detail", { height: fault.height }) : why(fault, view, texts)),
    el("p", {}, texts.say("page.fault.after")),
    el("div", { class: "row" }, toggle, casePath && el("a", { class: "button", href: casePath, download: `${table.file}.durakcase` }, texts.say("page.fault.save"))),
    proof);
}

/** "Entry 129: 7♣ matches no rank on the table (R10)." */
function why(fault, view, texts) {
  const known = fault.reason !== null && texts.knows(fault.reason);
  const reason = known ? texts.say(fault.reason, readable(texts, view, fault.params)) : texts.say("page.fault.unknown");
  const rule = fault.rule === null ? "" : ` (${fault.rule})`;
  return texts.say("page.fault.entry", { height: fault.height, reason: reason + rule });
}

function details(fault, texts) {
  return fault.details.flatMap(([label, value]) => [el("dt", {}, texts.say(label)), el("dd", {}, value)]);
}
