// What this browser keeps of one table, in IndexedDB. Whoever claimed it last may write; nobody signs twice for one due.

const STORES = ["meta", "games", "records", "signed"];

/** The result of a request to the browser's database. */
export const done = (request) => new Promise((resolve, reject) => {
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});

/** The database of the table whose host has this fingerprint. */
export async function openVault(host) {
  const opening = indexedDB.open(`durak-${host}`, 1);
  opening.onupgradeneeded = () => {
    const db = opening.result;
    db.createObjectStore("meta");
    db.createObjectStore("games");
    db.createObjectStore("records", { autoIncrement: true });
    db.createObjectStore("signed");
  };
  return new Vault(await done(opening));
}

class Vault {
  constructor(db) {
    this.db = db;
    this.mine = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16)).join("-");
  }

  /** Take the table from whatever tab had it; all that is kept, games oldest first. */
  async claim() {
    const found = await this.change(async ({ meta, games, records }) => {
      meta.put(this.mine, "claim");
      return { identity: await done(meta.get("identity")), seat: await done(meta.get("seat")), ids: await done(games.getAllKeys()), games: await done(games.getAll()), records: await done(records.getAll()) };
    });
    const kept = found.games.map((game, index) => ({
      at: game.at,
      genesis: game.genesis,
      seed: game.seed ?? new Uint8Array(0),
      records: found.records.filter((record) => record.game === found.ids[index]).map((record) => record.data),
    }));
    kept.sort((one, other) => one.at - other.at);
    return { identity: found.identity ?? new Uint8Array(0), seat: found.seat ?? new Uint8Array(0), games: kept };
  }

  /** Write everything or nothing: [kind, game, due, bytes] each. Reads back what must not be lost. */
  async commit(writes) {
    await this.change(async (stores) => {
      if ((await done(stores.meta.get("claim"))) !== this.mine) throw new Error("other tab");
      for (const [kind, game, due, data] of writes) await write(stores, kind, game, due, data);
    });
    const stores = this.open("readonly").stores;
    for (const [kind, game, due, data] of writes) {
      if (kind === "own" && !same(await done(stores.signed.get(`${game} ${due}`)), data)) throw new Error("not kept");
      if (kind === "seed" && !same((await done(stores.games.get(game))).seed, data)) throw new Error("not kept");
      if ((kind === "identity" || kind === "seat") && !same(await done(stores.meta.get(kind)), data)) throw new Error("not kept");
    }
  }

  open(mode) {
    const transaction = this.db.transaction(STORES, mode, { durability: "strict" });
    return { transaction, stores: Object.fromEntries(STORES.map((name) => [name, transaction.objectStore(name)])) };
  }

  /** One transaction; it is on disk when this returns. */
  async change(work) {
    const { transaction, stores } = this.open("readwrite");
    const ended = new Promise((resolve, reject) => {
      transaction.oncomplete = resolve;
      transaction.onabort = () => reject(transaction.error ?? new Error("aborted"));
    });
    ended.catch(() => {});
    let result;
    try {
      result = await work(stores);
    } catch (error) {
      try {
        transaction.abort();
      } catch {
        // it has aborted by itself
      }
      throw error;
    }
    await ended;
    return result;
  }
}

async function write({ meta, games, records, signed }, kind, game, due, data) {
  if (kind === "identity") await done(meta.add(data, "identity"));
  else if (kind === "seat") await done(meta.put(data, "seat"));
  else if (kind === "genesis") {
    await done(games.add({ at: Date.now(), genesis: data }, game));
    await done(meta.delete("seat"));
  } else if (kind === "seed" || kind === "forget") {
    const kept = await done(games.get(game));
    if (kept) await done(games.put({ ...kept, seed: kind === "seed" ? data : null }, game));
  } else {
    if (kind === "own") await done(signed.add(data, `${game} ${due}`));
    await done(records.add({ game, data }));
  }
}

const same = (one, other) => one instanceof Uint8Array && one.length === other.length && one.every((byte, index) => byte === other[index]);
