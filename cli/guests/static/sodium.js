// libsodium for our Python: one function, bytes in, bytes out. An empty answer means "no".
// Works on the raw module, so that one call from Python does a whole sum of products.

const KEY = 32;

/** `factory`: the default export of libsodium-sumo. */
export async function openSodium(factory) {
  const c = await factory({ getRandomValue: () => crypto.getRandomValues(new Uint32Array(1))[0] });
  if (c._sodium_init() < 0) throw new Error("libsodium does not start");
  let room = 0;
  let at = 0;

  /** Memory for this call: `data`, then `more` bytes; addresses hold until the next call. */
  function lay(data, more) {
    if (data.length + more > room) {
      if (at) c._free(at);
      room = 2 * (data.length + more) + 4096;
      at = c._malloc(room);
    }
    c.HEAPU8.set(data, at);
    return [at, at + data.length];
  }

  const read = (start, length) => c.HEAPU8.slice(start, start + length);
  const NO = new Uint8Array(0);
  const YES = Uint8Array.of(1);

  function sum(data) {
    const [start, out] = lay(data, 3 * KEY);
    const [product, total] = [out, out + KEY];
    let empty = true;
    for (let from = start; from < start + data.length; from += 2 * KEY) {
      if (c._crypto_scalarmult_ristretto255(product, from, from + KEY)) continue;
      if (empty) c.HEAPU8.copyWithin(total, product, product + KEY);
      else c._crypto_core_ristretto255_add(total, total, product);
      empty = false;
    }
    return empty ? NO : read(total, KEY);
  }

  function sign(data) {
    const [seed, out] = lay(data, 3 * KEY + 64);
    const [open, secret, signature] = [out, out + KEY, out + 3 * KEY];
    c._crypto_sign_seed_keypair(open, secret, seed);
    c._crypto_sign_detached(signature, 0, seed + KEY, data.length - KEY, 0, secret);
    return read(signature, 64);
  }

  /** Key, R ‖ S, message. libsodium forgives a torsion part of R, so R must have none: then its equation is ours. */
  function verify(data) {
    const [key] = lay(data, 0);
    const signature = key + KEY;
    if (!c._crypto_core_ed25519_is_valid_point(signature)) return NO;
    const message = signature + 64;
    return c._crypto_sign_verify_detached(signature, message, data.length - KEY - 64, 0, key) ? NO : YES;
  }

  /** Key, nonce 12, length of the associated data (2 bytes), associated data, text. */
  function cipher(data, open) {
    const [key, out] = lay(data, data.length + 16);
    const length = data[44] | (data[45] << 8);
    const [nonce, associated] = [key + KEY, key + 46];
    const text = associated + length;
    const size = data.length - 46 - length;
    if (open) {
      if (size < 16) return undefined;
      const bad = c._crypto_aead_chacha20poly1305_ietf_decrypt(out, 0, 0, text, size, 0, associated, length, 0, nonce, key);
      return bad ? undefined : read(out, size - 16);
    }
    c._crypto_aead_chacha20poly1305_ietf_encrypt(out, 0, text, size, 0, associated, length, 0, 0, nonce, key);
    return read(out, size + 16);
  }

  /** One function of two or one input and an output of 32 bytes. */
  const plain = (name, parts) => (data) => {
    const [one, out] = lay(data, KEY);
    const inputs = parts === 2 ? [one, one + KEY] : [one];
    return c[name](out, ...inputs) ? NO : read(out, KEY);
  };

  const work = {
    add: plain("_crypto_core_ristretto255_add", 2),
    sub: plain("_crypto_core_ristretto255_sub", 2),
    hash: plain("_crypto_core_ristretto255_from_hash", 1),
    base: plain("_crypto_scalarmult_ristretto255_base", 1),
    valid: (data) => (c._crypto_core_ristretto255_is_valid_point(lay(data, 0)[0]) ? YES : NO),
    sum,
    "ed-public": (data) => {
      const [seed, out] = lay(data, 3 * KEY);
      c._crypto_sign_seed_keypair(out, out + KEY, seed);
      return read(out, KEY);
    },
    "ed-sign": sign,
    "ed-verify": verify,
    "x-public": plain("_crypto_scalarmult_base", 1),
    "x-agree": plain("_crypto_scalarmult", 2),
    seal: (data) => cipher(data, false),
    unseal: (data) => cipher(data, true),
  };
  return (name, data) => work[name](data);
}
