// A card drawn from the hand to the table, by finger or mouse: what a tap does, and its target in one go.

import { set } from "./dom.js";

const FAR = 12;

/** `may()`: now; `lift(place)` when a card leaves; `drop(place, attack)` on the table, null beside the pairs; `back()`. */
export class Drag {
  constructor(hand, { may, lift, drop, back }) {
    this.hand = hand;
    this.act = { may, lift, drop, back };
    this.held = null;
    this.swallow = false;
    hand.addEventListener("pointerdown", (event) => this.down(event));
    hand.addEventListener("pointermove", (event) => this.move(event));
    hand.addEventListener("pointerup", (event) => this.up(event));
    hand.addEventListener("pointercancel", () => this.cancel());
    hand.addEventListener("click", (event) => this.click(event), true);
  }

  down(event) {
    const card = event.target.closest(".card");
    if (card === null || !event.isPrimary || event.button !== 0 || !this.act.may()) return;
    this.held = { card, place: Number(card.dataset.key), id: event.pointerId, x: event.clientX, y: event.clientY, lifted: false };
  }

  move(event) {
    const { held } = this;
    if (held === null || event.pointerId !== held.id) return;
    const dx = event.clientX - held.x;
    const dy = event.clientY - held.y;
    if (!held.lifted && Math.hypot(dx, dy) > FAR) {
      held.lifted = true;
      held.card.setPointerCapture(held.id);
      set(held.card, { "data-lifted": true });
      this.act.lift(held.place);
    }
    if (held.lifted) held.card.style.transform = `translate(${dx}px, ${dy}px)`;
  }

  up(event) {
    const { held } = this;
    if (held === null || event.pointerId !== held.id) return;
    this.held = null;
    if (!held.lifted) return;
    this.swallow = true;
    setTimeout(() => { this.swallow = false; });
    const onTable = event.clientY < this.hand.getBoundingClientRect().top;
    if (!onTable || !held.card.isConnected) {
      this.settle();
      this.act.back();
      return;
    }
    const pair = document.elementsFromPoint(event.clientX, event.clientY).map((each) => each.closest("#pairs .pair")).find(Boolean);
    this.act.drop(held.place, pair ? Number(pair.dataset.key) : null);
  }

  cancel() {
    if (this.held?.lifted) this.act.back();
    this.held = null;
    this.settle();
  }

  /** The click a browser makes of every release is not meant. */
  click(event) {
    if (!this.swallow) return;
    this.swallow = false;
    event.stopPropagation();
  }

  /** Cards that lie in the hand again, but the one under the finger. */
  settle() {
    for (const card of this.hand.querySelectorAll("[data-lifted]")) {
      if (card === this.held?.card) continue;
      set(card, { "data-lifted": null });
      card.style.transform = "";
    }
  }
}
