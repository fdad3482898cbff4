// How messages travel. A carrier has `send(intent)` and tells `onMessages(list)` and `onState(name)`;
// the page above does not know which one it has.

const FIRST_WAIT = 200;
const LONGEST_WAIT = 1500;
const ENTERED = "durak-entered";

/** A WebSocket to our own peer that comes back by itself. States: "open", "lost", "refused". */
export class SocketCarrier {
  constructor(address, { onMessages, onState }) {
    this.address = address;
    this.onMessages = onMessages;
    this.onState = onState;
    this.wait = FIRST_WAIT;
    this.socket = null;
    this.timer = null;
    document.addEventListener("visibilitychange", () => this.hurry());
    addEventListener("online", () => this.hurry());
    addEventListener("pageshow", () => this.hurry());
    // a start that did not know us has been entered by another tab of this browser: its cookie is ours too
    this.others = new BroadcastChannel(ENTERED);
    this.others.addEventListener("message", () => this.hurry(true));
    this.open();
  }

  open() {
    clearTimeout(this.timer);
    const socket = new WebSocket(this.address);
    this.socket = socket;
    socket.addEventListener("open", () => {
      this.wait = FIRST_WAIT;
      this.onState("open");
    });
    socket.addEventListener("message", (event) => this.onMessages(JSON.parse(event.data)));
    socket.addEventListener("close", () => this.closed(socket));
  }

  async closed(socket) {
    if (socket !== this.socket) return;
    this.onState("lost");
    if (await refused()) {
      this.onState("refused");
      return;
    }
    this.timer = setTimeout(() => this.open(), this.wait);
    this.wait = Math.min(LONGEST_WAIT, this.wait * 2);
  }

  /** Somebody looks again, or the network is back: do not wait out the timer. */
  hurry(hidden = false) {
    if ((hidden || document.visibilityState === "visible") && this.socket.readyState > WebSocket.OPEN) {
      this.wait = FIRST_WAIT;
      this.open();
    }
  }

  send(intent) {
    if (this.socket.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(intent));
    return true;
  }
}

/** A worker or any message port: the peer runs beside the page. */
export class PortCarrier {
  constructor(port, { onMessages, onState }) {
    this.port = port;
    port.onmessage = (event) => onMessages(event.data);
    onState("open");
  }

  send(intent) {
    this.port.postMessage(intent);
    return true;
  }
}

/** Move the token from the address into the cookie; a short fragment is no token. */
export async function enter() {
  const token = location.hash.slice(1);
  if (token.length < 40) return;
  history.replaceState(null, "", location.pathname);
  const answer = await fetch("/enter", { method: "POST", body: token });
  if (!answer.ok) return;
  const others = new BroadcastChannel(ENTERED);
  others.postMessage("");
  others.close();
}

/** Whether the server is there but does not know us: it has been started anew. */
async function refused() {
  try {
    return (await fetch("/entered")).status === 401;
  } catch {
    return false;
  }
}
