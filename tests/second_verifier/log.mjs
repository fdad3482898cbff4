// A log file: its items, its signatures, its chain, and every proof in it (docs/protocol.md §2 to §7).
import { Malformed, encode, item, join, same, whole } from "./cbor.mjs";
import { BadProof, H, ascii, cardPoint, goodKey, O, point, sha256, signed, sum, u8 } from "./group.mjs";
import * as proofs from "./proofs.mjs";

const HEADER = Uint8Array.of(0x82, 0x49, ...ascii("durak-log"), 1);
const HEAD = Uint8Array.of(0x84, 0x43, 0xa1, 0x01, 0x27, 0xa0);
const PROTECTED = Uint8Array.of(0xa1, 0x01, 0x27);
const SIGNED_HEAD = join(Uint8Array.of(0x84, 0x6a), ascii("Signature1"), encode(PROTECTED), encode(ascii("durak-entry-1")));
const LOWEST = { 24: 7, 36: 4, 52: 0 };
const [JOIN, OPEN_KEYS, SHUFFLE, ACK, TOKENS, CLAIM, OPEN, NO_LOWER, LEAD, BEAT, TRANSFER, SHOW, THROW] =
  Array.from({ length: 13 }, (_, i) => i);
const ABORT = 19;
const SECRETS = 20;

export class Forbidden extends Error {
  constructor(entry, why) {
    super(why);
    this.seat = entry.seat;
    this.height = entry.height;
  }
}
export class Fork extends Forbidden {}

const need = (holds, why) => {
  if (!holds) throw new Malformed(why);
};
const isBytes = (value, length) => value instanceof Uint8Array && value.length === length;
const isNumber = (value, below) => typeof value === "bigint" && value >= 0n && value < BigInt(below);

function readGenesis(bytes) {
  const parts = whole(bytes);
  need(Array.isArray(parts) && parts.length === 6 && parts[0] === 1n, "genesis");
  const [, rules, options, suite, seats] = parts;
  need(isBytes(rules, 32) && same(rules, sha256(ascii("durak-rules-1"))), "other rules");
  need(suite === 1n && Array.isArray(seats) && options.length === 15, "genesis");
  need(Number(options[1]) === seats.length, "as many seats as the options say");
  const keys = seats.flatMap((seat) => [seat[0], seat[1]]);
  need(keys.every(goodKey) && new Set(keys.map(String)).size === keys.length, "keys");
  for (const [gameKey, identity, nonce, certificate] of seats)
    need(signed(identity, join(ascii("durak-cert-1"), gameKey, nonce), certificate), "certificate");
  const n = Number(options[0]);
  const cards = Array.from({ length: 52 }, (_, c) => c).filter((c) => c % 13 >= LOWEST[n]);
  return { id: H("durak-genesis-1", bytes), keys: seats.map((seat) => seat[0]), cards, previous: parts[5] };
}

function readRecord(bytes, at) {
  need(same(bytes.subarray(at, at + HEAD.length), HEAD), "no entry");
  const [body, bodyEnd] = item(bytes, at + HEAD.length);
  const [signature, end] = item(bytes, bodyEnd);
  need(body instanceof Uint8Array && body.length <= 16384 && isBytes(signature, 64), "record");
  const parts = whole(body);
  need(Array.isArray(parts) && parts.length === 8 && parts[0] === 1n, "body");
  const [, game, height, seat, prev, state, kind, payload] = parts;
  need(isBytes(game, 32) && isNumber(height, 4096) && isNumber(seat, 6) && isBytes(prev, 32), "body");
  need(isBytes(state, 16) && isNumber(kind, 32) && Array.isArray(payload), "body");
  need(!(kind >= 8n && kind <= 17n && body.length > 512), "size");
  const entry = { game, height: Number(height), seat: Number(seat), prev, kind: Number(kind), payload, body, signature };
  entry.id = H("durak-id-1", body);
  entry.lane = entry.kind === ABORT ? 1 : 0;
  return [entry, end];
}

// All entries of a file, well signed, each once. Throws Malformed.
export function read(bytes) {
  need(same(bytes.subarray(0, HEADER.length), HEADER), "header");
  const [, genesisEnd] = item(bytes, HEADER.length);
  const genesis = readGenesis(bytes.subarray(HEADER.length, genesisEnd));
  const entries = [];
  const ids = new Set();
  for (let at = genesisEnd; at < bytes.length; ) {
    const [entry, end] = readRecord(bytes, at);
    need(same(entry.game, genesis.id) && entry.seat < genesis.keys.length, "another game");
    const key = genesis.keys[entry.seat];
    need(signed(key, join(SIGNED_HEAD, encode(entry.body)), entry.signature), "signature");
    need(!ids.has(String(entry.id)), "the same entry twice");
    ids.add(String(entry.id));
    entries.push(entry);
    at = end;
  }
  return { genesis, entries };
}

// Check chain and proofs. Throws Malformed, Forbidden or Fork; gives the number of heights.
export function check({ genesis, entries }) {
  const lines = new Map();
  const aborts = new Set();
  for (const entry of entries) {
    if (entry.lane) {
      aborts.add(entry);
      continue;
    }
    if (!lines.has(entry.height)) lines.set(entry.height, new Map());
    const line = lines.get(entry.height);
    if (line.has(entry.seat)) throw new Fork(entry, "two bodies for one due");
    line.set(entry.seat, entry);
  }
  const game = new Game(genesis);
  let prev = genesis.id;
  const before = new Map();
  for (let height = 0; height < lines.size; height++) {
    const line = lines.get(height);
    need(line !== undefined, `nothing at height ${height}`);
    before.set(height, prev);
    const met = [...line.values()].sort((a, b) => a.seat - b.seat);
    for (const entry of met) {
      need(same(entry.prev, prev), `chain at height ${height}`);
      try {
        game.check(entry);
      } catch (error) {
        if (error instanceof BadProof) throw new Forbidden(entry, error.message);
        throw error;
      }
    }
    game.apply(met);
    prev = H("durak-prev-1", encode([genesis.id, height, met.map((entry) => entry.id)]));
  }
  before.set(lines.size, prev);
  for (const abort of aborts) need(before.has(abort.height) && same(abort.prev, before.get(abort.height)), "chain of an ABORT");
  return lines.size;
}

// What the proofs are about: keys, decks, tokens, public faces. No rules of play.
class Game {
  constructor({ id, keys, cards }) {
    this.id = id;
    this.n = keys.length;
    this.cards = cards;
    this.commitments = [];
    this.keys = [];
    this.nonces = [];
    this.deck = null;
    this.tokens = cards.map(() => new Map());
    this.faces = new Map();
    this.claims = [];
    this.dealt = false;
  }

  check(entry) {
    const { seat, height, kind, payload } = entry;
    const shape = (holds) => {
      if (!holds) throw new Forbidden(entry, "shape");
    };
    switch (kind) {
      case JOIN:
        return shape(payload.length === 1 && isBytes(payload[0], 32));
      case OPEN_KEYS: {
        const [X, proof, nonce] = payload;
        shape(payload.length === 3 && isBytes(X, 32) && isBytes(proof, 64) && isBytes(nonce, 32));
        const commitment = sha256(ascii("durak-1-join"), this.id, u8(seat), X, proof, nonce);
        if (!same(commitment, this.commitments[seat])) throw new BadProof("commitment");
        return proofs.key(this.id, seat, X, proof);
      }
      case SHUFFLE: {
        const N = this.cards.length;
        shape(payload.length === 2 && isBytes(payload[0], 64 * N) && isBytes(payload[1], 32 * (3 * N + 6)));
        this.next = proofs.shuffle(this.id, height, seat, this.joint, this.deck, payload[0], payload[1]);
        return undefined;
      }
      case TOKENS: {
        const [places, given, proof] = payload;
        shape(payload.length === 3 && Array.isArray(places) && places.length > 0 && isBytes(given, 32 * places.length));
        shape(isBytes(proof, 64) && places.every((p, i) => isNumber(p, this.cards.length) && (i === 0 || places[i - 1] < p)));
        entry.places = places.map(Number);
        if (!this.dealt) shape(String(entry.places) === String(this.owedAtDeal(seat)));
        entry.points = proofs.tokens(this.id, height, seat, "deal", this.keys[seat], this.deck, entry.places, given, proof);
        return undefined;
      }
      case CLAIM:
        return shape(payload.length === 1 && (payload[0] === null || isNumber(payload[0], 13)));
      case OPEN:
        return this.opening(entry, [payload[0]], [payload[1]], payload[2], shape);
      case NO_LOWER:
        return this.noLower(entry, shape);
      case LEAD:
        return this.opening(entry, payload[0], payload[1], payload[2], shape);
      case BEAT:
        return this.opening(entry, [payload[1]], [payload[2]], payload[3], shape);
      case TRANSFER:
      case SHOW:
      case THROW:
        return this.opening(entry, [payload[0]], [payload[1]], payload[2], shape);
      case SECRETS:
        shape(payload.length === 1 && isBytes(payload[0], 32));
        entry.x = proofs.secret(this.keys[seat], payload[0]);
        return undefined;
    }
    return undefined;
  }

  opening(entry, places, cards, opening, shape) {
    shape(Array.isArray(places) && Array.isArray(cards) && places.length === cards.length);
    shape(places.every((p) => isNumber(p, this.cards.length)) && cards.every((c) => isNumber(c, 52)));
    const laid = new Map(places.map((place, i) => [Number(place), Number(cards[i])]));
    const hidden = [...laid.keys()].filter((place) => !this.faces.has(place)).sort((a, b) => a - b);
    entry.laid = laid;
    if (hidden.length === 0) return shape(opening === null);
    shape(Array.isArray(opening) && opening.length === 2);
    const [given, proof] = opening;
    shape(isBytes(given, 32 * hidden.length) && isBytes(proof, 64));
    const own = proofs.tokens(
      this.id, entry.height, entry.seat, "open", this.keys[entry.seat], this.deck, hidden, given, proof,
    );
    hidden.forEach((place, i) => {
      const all = [...this.others(place, entry.seat), own[i]];
      shape(all.length === this.n);
      if (!proofs.opens(this.deck, place, all, laid.get(place))) throw new BadProof("another card");
    });
    return undefined;
  }

  others(place, seat) {
    return [...this.tokens[place]].filter(([from]) => from !== seat).map(([, token]) => token);
  }

  noLower(entry, shape) {
    const last = this.claims.findLast((rank) => rank !== null);
    const suit = Math.floor(this.faces.get(this.cards.length - 1) / 13);
    const seen = new Set(this.faces.values());
    const cards = this.cards
      .filter((c) => Math.floor(c / 13) === suit && (last === undefined || c % 13 < Number(last)))
      .filter((c) => !seen.has(c));
    const places = Array.from({ length: 6 }, (_, i) => 6 * entry.seat + i).filter((p) => !this.faces.has(p));
    const proof = entry.payload[0];
    shape(entry.payload.length === 1 && isBytes(proof, 32 + 96 * places.length * cards.length));
    const others = places.map((place) => this.others(place, entry.seat));
    proofs.noLower(this.id, entry.height, entry.seat, this.keys[entry.seat], this.deck, places, others, cards, proof);
  }

  owedAtDeal(seat) {
    const trump = this.cards.length - 1;
    const dealt = Array.from({ length: 6 * this.n }, (_, p) => p).filter((p) => Math.floor(p / 6) !== seat);
    return [...new Set([...dealt, trump])].sort((a, b) => a - b);
  }

  apply(met) {
    for (const entry of met) {
      if (entry.kind === JOIN) this.commitments[entry.seat] = entry.payload[0];
      if (entry.kind === OPEN_KEYS) this.keys[entry.seat] = entry.payload[0];
      if (entry.kind === SHUFFLE) this.deck = this.next;
      if (entry.kind === CLAIM) this.claims.push(entry.payload[0]);
      if (entry.kind === TOKENS) entry.places.forEach((p, i) => this.tokens[p].set(entry.seat, entry.points[i]));
      if (entry.laid) for (const [place, card] of entry.laid) this.faces.set(place, card);
    }
    const [first] = met;
    if (first.kind === OPEN_KEYS && met.length === this.n) this.openKeys();
    if (first.kind === TOKENS && !this.dealt && met.length === this.n) this.dealTrump();
    if (first.kind === SECRETS && met.length === this.n) this.openAll(met);
  }

  openKeys() {
    this.joint = sum(this.keys.map(point));
    this.void = new Set(this.keys.map(String)).size < this.n || this.joint.equals(O);
    this.deck = proofs.firstDeck(this.cards);
  }

  dealTrump() {
    const place = this.cards.length - 1;
    const all = [...this.tokens[place].values()];
    const card = this.cards.find((c) => proofs.opens(this.deck, place, all, c));
    need(card !== undefined, "the trump place holds no card");
    this.faces.set(place, card);
    this.dealt = true;
  }

  openAll(met) {
    const x = met.reduce((all, entry) => all + entry.x, 0n);
    const found = this.deck.map(([A, B]) => {
      const face = B.subtract(A.multiplyUnsafe(((x % proofs.Q) + proofs.Q) % proofs.Q));
      return this.cards.find((card) => cardPoint(card).equals(face));
    });
    need(new Set(found).size === this.cards.length && !found.includes(undefined), "the deck opens to no deck");
    for (const [place, card] of this.faces) need(found[place] === card, "a public face differs from the opened deck");
  }
}
