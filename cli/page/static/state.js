// What the page knows: a fold over messages. Everything here can be got again from `hello` on.

export const PROTOCOL = 1;

export const EMPTY = Object.freeze({
  protocol: null,
  connection: "opening",
  table: null,
  view: null,
  legal: { height: -1, actions: [] },
  standing: { passUntilNewRank: false, passForMe: false, waiveForMe: false, resign: false, queue: [] },
  events: [],
});

/** The state after one message. `why` and `refused` change nothing here: they are answers, see `main.js`. */
export function fold(state, message) {
  switch (message.type) {
    case "hello":
      return { ...EMPTY, connection: state.connection, protocol: message.protocol };
    case "table":
    case "view":
    case "legal":
    case "standing":
      return { ...state, [message.type]: message };
    case "events":
      return { ...state, events: [...state.events.slice(0, message.first), ...message.events] };
    default:
      return state;
  }
}

/** All a render needs has come. */
export const ready = (state) => state.view !== null && state.table !== null;

export const BEFORE_CARDS = new Set(["join", "keys", "shuffle", "ack", "deal"]);
export const ENDED = new Set(["over", "void", "aborted"]);

/** Play is over and there is something to show for it. */
export function isOver(view) {
  return ENDED.has(view.stage) || view.result !== null;
}

/** Seats the game waits for and that cannot be reached. */
export function lostSeats(state) {
  return state.view.waiting.filter((seat) => state.table.presence[seat] === "lost");
}

/** How many cards lie on the table. */
export function lying(view) {
  return view.table.reduce((count, pair) => count + (pair.beat === null ? 1 : 2), 0);
}

/** The seats in the order they sit, from the one after us. */
export function others(view) {
  const seats = view.names.length;
  const first = view.me === null ? 0 : view.me + 1;
  const count = view.me === null ? seats : seats - 1;
  return Array.from({ length: count }, (_, index) => (first + index) % seats);
}
