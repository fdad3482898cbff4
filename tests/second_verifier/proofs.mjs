// The proofs of docs/protocol.md §7.3 to §7.7. Each function returns nothing or throws BadProof.
import { BadProof, G, O, Q, Transcript, cardPoint, generator, mod, point, scalar, sum, times, u16, u8 } from "./group.mjs";
import { join, same } from "./cbor.mjs";

const ask = (holds, equation) => {
  if (!holds) throw new BadProof(equation);
};
export const pieces = (bytes, size = 32) =>
  Array.from({ length: bytes.length / size }, (_, i) => bytes.subarray(size * i, size * (i + 1)));

export function key(game, seat, X, proof) {
  const [c, s] = pieces(proof).map(scalar);
  const t = new Transcript(game, 0, seat, "key");
  const p = point(X);
  t.absorb("X", X);
  t.absorbPoint("T", times(s, G).subtract(times(c, p)));
  ask(t.scalar("c") === c, "key");
}

// A deck is an array of [A, B]; points decoded once.
export const deck = (bytes) => pieces(bytes, 64).map((pair) => pieces(pair).map(point));
export const firstDeck = (cards) => cards.map((card) => [O, cardPoint(card)]);
export const deckBytes = (cards) => join(...cards.flat().map((p) => p.toBytes()));

export function shuffle(game, height, seat, X, input, outBytes, proof) {
  const N = input.length;
  ask(outBytes.length === 64 * N && proof.length === 32 * (3 * N + 6), "length");
  const output = deck(outBytes);
  const inBytes = deckBytes(input);
  const before = new Set(pieces(inBytes, 64).map(String));
  ask(!pieces(outBytes, 64).some((pair) => before.has(String(pair))), "a pair of the input");
  ask(new Set(pieces(outBytes, 64).map((pair) => String(pair.subarray(0, 32)))).size === N, "equal components");
  const parts = pieces(proof);
  const [A, B, Delta] = parts.slice(0, 3).map(point);
  const numbers = parts.slice(3).map(scalar);
  const [e, r, s, u, t] = numbers;
  const a = numbers.slice(5, 5 + N);
  const b = [a[0], ...numbers.slice(5 + N, 3 + 2 * N)];
  const c = numbers.slice(3 + 2 * N);
  ask(e !== 0n && c.length === N, "challenge");
  const tr = new Transcript(game, height, seat, "shuffle");
  tr.absorb("X", X.toBytes());
  tr.absorb("N", u16(N));
  tr.absorb("in", inBytes);
  tr.absorb("out", outBytes);
  tr.absorbPoint("A", A);
  const x = tr.scalar("x");
  tr.absorbPoint("B", B);
  const y = tr.scalar("y");
  const z = tr.scalar("z");
  const powers = [];
  for (let i = 0, power = x; i < N; i++, power = mod(power * x)) powers.push(power);
  const P = powers.reduce((product, power, i) => mod(product * (y * BigInt(i + 1) + power - z)), 1n);
  b.push(mod(e * P));
  const h = Array.from({ length: N }, (_, i) => generator(i + 1));
  const W = sum([
    times(r, G),
    ...a.map((ai, i) => times(ai + e * z, h[i])),
    times(-e * y, A),
    times(-e, B),
  ]);
  const V = sum([
    times(s, G),
    ...a.slice(1).map((next, i) => times(e * b[i + 1] - b[i] * next, h[i])),
    times(-e, Delta),
  ]);
  const U = sum([times(u, G), ...c.map((ci, i) => times(ci, h[i])), times(-e, B)]);
  const side = (base, column) =>
    sum([
      times(t, base),
      ...c.map((ci, i) => times(ci, output[i][column])),
      ...powers.map((power, i) => times(-e * power, input[i][column])),
    ]);
  const E1 = side(G, 0);
  const E2 = side(X, 1);
  for (const [label, p] of [["Delta", Delta], ["W", W], ["V", V], ["U", U], ["E1", E1], ["E2", E2]])
    tr.absorbPoint(label, p);
  ask(tr.scalar("e") === e, "shuffle");
  return output;
}

export function tokens(game, height, seat, purpose, X, masked, places, given, proof) {
  const [c, s] = pieces(proof).map(scalar);
  const S = pieces(given).map(point);
  const A = places.map((place) => masked[place][0]);
  const t = new Transcript(game, height, seat, purpose);
  t.absorb("X", X);
  t.absorb("n", u16(places.length));
  places.forEach((place, i) => t.absorb("place", join(u8(place), A[i].toBytes())));
  S.forEach((token) => t.absorbPoint("S", token));
  const w = places.map(() => t.weight());
  t.absorbPoint("T1", times(s, G).subtract(times(c, point(X))));
  t.absorbPoint("T2", sum([...A.map((p, i) => times(s * w[i], p)), ...S.map((p, i) => times(-c * w[i], p))]));
  ask(t.scalar("c") === c, purpose);
  return S;
}

export function noLower(game, height, seat, X, masked, places, others, cards, proof) {
  const [cBytes, ...rest] = pieces(proof);
  const c = scalar(cBytes);
  const x = point(X);
  const Qs = places.map((place, i) => masked[place][1].subtract(sum(others[i])));
  const t = new Transcript(game, height, seat, "no-lower");
  t.absorb("X", X);
  t.absorb("n", u16(places.length));
  t.absorb("t", u16(cards.length));
  places.forEach((place, i) => t.absorb("place", join(u8(place), masked[place][0].toBytes(), Qs[i].toBytes())));
  cards.forEach((card) => t.absorb("card", join(u8(card), cardPoint(card).toBytes())));
  const pairs = places.flatMap((place, i) => cards.map((card) => ({ place, Q: Qs[i], card })));
  pairs.forEach((pair, j) => {
    pair.V = point(rest[3 * j]);
    pair.zr = scalar(rest[3 * j + 1]);
    pair.zg = scalar(rest[3 * j + 2]);
    t.absorbPoint("V", pair.V);
  });
  for (const { place, Q: q, card, V, zr, zg } of pairs) {
    const D = q.subtract(cardPoint(card));
    t.absorbPoint("T1", sum([times(zr, D), times(-zg, masked[place][0]), times(-c, V)]));
    t.absorbPoint("T2", times(zr, x).subtract(times(zg, G)));
  }
  ask(t.scalar("c") === c, "no-lower");
}

// Whether the tokens of all seats open this place to that card.
export const opens = (masked, place, all, card) => masked[place][1].subtract(sum(all)).equals(cardPoint(card));

export function secret(X, bytes) {
  const x = scalar(bytes);
  ask(same(times(x, G).toBytes(), X), "secret");
  return x;
}

export { Q };
