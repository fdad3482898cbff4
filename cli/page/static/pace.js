// In practice the others answer at once. This lets each thing they do be seen before the next one is shown.

const STEP = 450;
const OWN = 220;
const SEEN = new Set(["led", "beaten", "transferred", "shown", "thrown", "take-declared", "bout-beaten", "bout-taken", "accused"]);

/** How long this frame wants to be looked at, in milliseconds. */
export function look(messages, me) {
  const events = messages.filter((message) => message.type === "events" && message.first > 0).flatMap((message) => message.events);
  const times = events.filter((event) => SEEN.has(event.event)).map((event) => (event.seat === me ? OWN : STEP));
  return Math.max(0, ...times);
}

/** Frames in, frames out in the same order. `show(frame)`; `calm()` gives our seat where the pace is slow, else null. */
export class Pace {
  constructor(show, calm) {
    this.show = show;
    this.calm = calm;
    this.waiting = [];
    this.until = 0;
    this.timer = null;
    document.addEventListener("visibilitychange", () => this.flush());
  }

  take(frame) {
    const moves = frame.some((message) => message.type === "view" || message.type === "events");
    if (frame.some((message) => message.type === "hello")) this.drop();
    if (moves && (this.waiting.length > 0 || performance.now() < this.until)) {
      this.waiting.push(frame);
      this.timer ??= setTimeout(() => this.next(), this.until - performance.now());
    } else this.put(frame);
  }

  put(frame) {
    this.show(frame);
    const me = this.calm();
    const time = me === null || document.hidden ? 0 : look(frame, me);
    if (time > 0) this.until = performance.now() + time;
  }

  next() {
    this.timer = null;
    const now = performance.now();
    while (this.waiting.length > 0 && now >= this.until) this.put(this.waiting.shift());
    if (this.waiting.length > 0) this.timer = setTimeout(() => this.next(), this.until - performance.now());
  }

  /** Nobody looks, or all comes anew. */
  drop() {
    clearTimeout(this.timer);
    this.timer = null;
    this.until = 0;
    this.waiting = [];
  }

  flush() {
    const all = this.waiting;
    this.drop();
    for (const frame of all) this.show(frame);
  }
}
