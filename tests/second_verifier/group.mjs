// ristretto255, scalars, generators, the transcript, and the pinned Ed25519 rule: docs/protocol.md §3, §7.1, §7.2.
import { createHash } from "node:crypto";
import { ed25519, ristretto255, ristretto255_hasher } from "@noble/curves/ed25519.js";
import { join, same } from "./cbor.mjs";

export const Q = 2n ** 252n + 27742317777372353535851937790883648493n;
export const G = ristretto255.Point.BASE;
export const O = ristretto255.Point.ZERO;

export class BadProof extends Error {}

export const mod = (a, m = Q) => ((a % m) + m) % m;
export const times = (k, point) => point.multiplyUnsafe(mod(k));
export const sum = (points) => points.reduce((all, point) => all.add(point), O);
export const ascii = (text) => new TextEncoder().encode(text);
export const u8 = (n) => Uint8Array.of(n);
export const u16 = (n) => Uint8Array.of(n >> 8, n & 255);
export const u32 = (n) => Uint8Array.of(n >>> 24, (n >> 16) & 255, (n >> 8) & 255, n & 255);
export const bigEndian = (bytes) => bytes.reduce((n, byte) => (n << 8n) | BigInt(byte), 0n);
export const littleEndian = (bytes) => bigEndian(Uint8Array.from(bytes).reverse());

const hash = (name, ...parts) => {
  const running = createHash(name);
  for (const part of parts) running.update(part);
  return Uint8Array.from(running.digest());
};
export const sha256 = (...parts) => hash("sha256", ...parts);
export const H = (tag, data) => sha256(ascii(tag), data);

export function point(bytes) {
  let decoded;
  try {
    decoded = ristretto255.Point.fromBytes(bytes);
  } catch {
    throw new BadProof("no canonical point");
  }
  if (decoded.equals(O)) throw new BadProof("the identity");
  return decoded;
}

export function scalar(bytes) {
  const value = littleEndian(bytes);
  if (value >= Q) throw new BadProof("no canonical scalar");
  return value;
}

const h2g = (message, dst) => ristretto255_hasher.hashToCurve(message, { DST: dst });
const cache = new Map();
const cached = (key, make) => (cache.has(key) ? cache.get(key) : cache.set(key, make()).get(key));
export const generator = (i) =>
  cached(`h${i}`, () => h2g(u16(i), "durak-1-generator_XMD:SHA-512_R255MAP_RO_"));
export const cardPoint = (c) => cached(`m${c}`, () => h2g(u8(c), "durak-1-card_XMD:SHA-512_R255MAP_RO_"));

export class Transcript {
  constructor(game, height, seat, purpose) {
    this.running = createHash("sha512");
    this.absorb("suite", ascii("durak-ristretto255-bg1-1"));
    this.absorb("game", game);
    this.absorb("height", u32(height));
    this.absorb("seat", u8(seat));
    this.absorb("purpose", ascii(purpose));
  }
  absorb(label, data) {
    this.running.update(join(u8(1), u8(label.length), ascii(label), u32(data.length), data));
  }
  absorbPoint(label, p) {
    this.absorb(label, p.toBytes());
  }
  squeeze(label) {
    this.running.update(join(u8(2), u8(label.length), ascii(label)));
    const digest = Uint8Array.from(this.running.copy().digest());
    this.running.update(digest);
    return digest;
  }
  scalar(label) {
    const value = mod(littleEndian(this.squeeze(label)));
    if (value === 0n) throw new BadProof("zero challenge");
    return value;
  }
  weight() {
    return littleEndian(this.squeeze("w").subarray(0, 16));
  }
}

const E = ed25519.Point;
const smallOrder = (p) => p.isSmallOrder();

// A key a game may have: canonical, in the prime-order subgroup, not the identity.
export function goodKey(bytes) {
  try {
    const key = E.fromBytes(bytes);
    return same(key.toBytes(), bytes) && key.isTorsionFree() && !smallOrder(key);
  } catch {
    return false;
  }
}

export function signed(key, message, signature) {
  const R = signature.subarray(0, 32);
  const S = littleEndian(signature.subarray(32));
  if (S >= Q) return false;
  let r;
  try {
    r = E.fromBytes(R);
  } catch {
    return false;
  }
  if (!same(r.toBytes(), R) || smallOrder(r)) return false;
  const k = mod(littleEndian(hash("sha512", R, key, message)));
  const right = E.BASE.multiplyUnsafe(S).subtract(E.fromBytes(key).multiplyUnsafe(k));
  return same(right.toBytes(), R);
}
