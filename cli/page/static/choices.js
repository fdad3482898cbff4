// What a tap means among the legal actions. Pure; nothing here decides what is legal.

import { lying } from "./state.js";

/** The legal actions that lay or show the card at this place. */
export function plays(legal, place) {
  return legal.actions.filter((action) => action.places !== undefined && action.places.includes(place));
}

export const ofKind = (legal, kind) => legal.actions.find((action) => action.kind === kind);

/** A card can be set aside now, to be thrown in when our word comes. */
export function mayQueue(view) {
  return view.me !== null && view.stage === "play" && view.table.length > 0 && !view.myTurn &&
    view.defender !== view.me && view.hand.length > 0 && !view.passed.includes(view.me);
}

/** What tapping an own card does: {act} | {select} | {queue, on} | {why}. */
export function tap(state, selected, place) {
  const found = plays(state.legal, place);
  if (found.length === 0) {
    const on = !state.standing.queue.includes(place);
    return mayQueue(state.view) || !on ? { queue: place, on } : { why: place };
  }
  if (found.some((action) => action.kind === "lead" && action.places.length > 1)) {
    return { select: toggled(state.legal, selected, place) };
  }
  if (selected.includes(place)) return { select: [] };
  return found.length === 1 ? { act: found[0] } : { select: [place] };
}

/** Several cards of one rank may lead: the choice with this card put in or taken out. */
function toggled(legal, selected, place) {
  if (selected.includes(place)) return selected.filter((each) => each !== place);
  const more = [...selected, place];
  const fits = legal.actions.some((action) => action.kind === "lead" && more.every((each) => action.places.includes(each)));
  return fits ? more : [place];
}

/** The lead of exactly the chosen cards. */
export function chosenLead(legal, selected) {
  return legal.actions.find((action) => action.kind === "lead" && action.places.length === selected.length &&
    selected.every((place) => action.places.includes(place)));
}

/** Attack cards the chosen card may beat: card → action. */
export function targets(legal, selected) {
  if (selected.length !== 1) return new Map();
  const beats = plays(legal, selected[0]).filter((action) => action.kind === "beat");
  return new Map(beats.map((action) => [action.attack, action]));
}

/** Plays on the table that may be accused: height → action. All of them look alike. */
export function accusations(legal) {
  const found = legal.actions.filter((action) => action.height !== undefined && action.height !== null);
  return new Map(found.map((action) => [action.height, action]));
}

const MANY = 3;

/** The buttons of the action row. Take stands left and passing right: no finger finds one where the other was. */
export function buttons(state, selected) {
  const { view, legal, standing } = state;
  const found = [];
  const take = ofKind(legal, "take");
  if (take) found.push({ key: "take", slot: "left", main: true, act: take, sure: lying(view) > MANY });
  const lead = selected.length > 0 ? chosenLead(legal, selected) : undefined;
  if (lead) found.push({ key: "lay", slot: "right", main: true, act: lead });
  if (selected.length === 1) {
    for (const action of plays(legal, selected[0])) {
      if (action.kind === "transfer" || action.kind === "show") {
        found.push({ key: action.kind, slot: "right", main: false, act: action });
      }
    }
  }
  const pass = ofKind(legal, "pass");
  if (pass) found.push({ key: passing(view), slot: "right", main: true, act: pass });
  const waive = ofKind(legal, "waive");
  if (waive) found.push({ key: "waive", slot: "right", main: true, act: waive });
  if (mayQueue(view) || standing.passUntilNewRank) {
    const on = standing.passUntilNewRank;
    found.push({ key: "pass-until-new-rank", slot: "right", main: false, pressed: on, arm: ["pass-until-new-rank", !on] });
  }
  if (pass && passesForMe(state)) found.push({ key: "passing-for-me", slot: "left", main: false, pressed: true, arm: ["pass-for-me", false] });
  if (waive && standing.waiveForMe) found.push({ key: "waiving-for-me", slot: "left", main: false, pressed: true, arm: ["waive-for-me", false] });
  if (standing.resign) found.push({ key: "resigning", slot: "left", main: false, pressed: true, arm: ["resign", false] });
  return found;
}

/** Our side is about to pass by itself: till then that can be taken back. */
export function passesForMe({ legal, standing }) {
  return standing.passForMe && !standing.passUntilNewRank && ofKind(legal, "pass") !== undefined && ofKind(legal, "throw") === undefined;
}

/** Passing goes by the name people give it there. */
function passing(view) {
  if (view.taking) return "enough";
  return view.head === view.me ? "done" : "pass";
}
