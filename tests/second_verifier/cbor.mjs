// Strict CBOR of docs/protocol.md §1: integers, byte strings, arrays, booleans, null; one encoding each.

export class Malformed extends Error {}

const MAX_DEPTH = 5;
const MAX_ITEMS = 384;

// One item at `at`; gives [value, end]. Numbers are BigInt, byte strings Uint8Array, arrays Array.
export function item(bytes, at, depth = MAX_DEPTH, room = { left: MAX_ITEMS }) {
  if (room.left-- === 0) throw new Malformed("too many items");
  const [major, argument, next] = head(bytes, at);
  switch (major) {
    case 0:
      return [argument, next];
    case 1:
      return [-1n - argument, next];
    case 2: {
      const end = next + Number(argument);
      if (argument > BigInt(bytes.length) || end > bytes.length) throw new Malformed("byte string beyond the end");
      return [bytes.subarray(next, end), end];
    }
    case 4: {
      if (depth === 0) throw new Malformed("nested too deep");
      if (argument > BigInt(bytes.length)) throw new Malformed("array beyond the end");
      const parts = [];
      let here = next;
      for (let n = 0n; n < argument; n++) {
        const [part, end] = item(bytes, here, depth - 1, room);
        parts.push(part);
        here = end;
      }
      return [parts, here];
    }
    case 7:
      if (argument === 20n && next === at + 1) return [false, next];
      if (argument === 21n && next === at + 1) return [true, next];
      if (argument === 22n && next === at + 1) return [null, next];
  }
  throw new Malformed(`major type ${major} is not of the subset`);
}

// The value whose one encoding is `bytes`.
export function whole(bytes) {
  const [value, end] = item(bytes, 0);
  if (end !== bytes.length) throw new Malformed("bytes after the item");
  return value;
}

function head(bytes, at) {
  if (at >= bytes.length) throw new Malformed("cut off");
  const major = bytes[at] >> 5;
  const short = bytes[at] & 31;
  if (short < 24) return [major, BigInt(short), at + 1];
  const width = { 24: 1, 25: 2, 26: 4, 27: 8 }[short];
  if (!width || at + 1 + width > bytes.length) throw new Malformed("bad head");
  let value = 0n;
  for (let i = 0; i < width; i++) value = (value << 8n) | BigInt(bytes[at + 1 + i]);
  const least = { 1: 24n, 2: 1n << 8n, 4: 1n << 16n, 8: 1n << 32n }[width];
  if (value < least) throw new Malformed("not the shortest head");
  return [major, value, at + 1 + width];
}

// The head of an item, for encoding.
export function headOf(major, value) {
  const v = BigInt(value);
  if (v < 24n) return Uint8Array.of((major << 5) | Number(v));
  const width = v < 1n << 8n ? 1 : v < 1n << 16n ? 2 : v < 1n << 32n ? 4 : 8;
  const out = [(major << 5) | { 1: 24, 2: 25, 4: 26, 8: 27 }[width]];
  for (let i = width - 1; i >= 0; i--) out.push(Number((v >> BigInt(8 * i)) & 255n));
  return Uint8Array.from(out);
}

export function encode(value) {
  if (value === null) return Uint8Array.of(0xf6);
  if (typeof value === "bigint" || typeof value === "number") return headOf(0, value);
  if (value instanceof Uint8Array) return join(headOf(2, value.length), value);
  return join(headOf(4, value.length), ...value.map(encode));
}

export function join(...parts) {
  const out = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

export const same = (a, b) => a.length === b.length && a.every((byte, i) => byte === b[i]);
