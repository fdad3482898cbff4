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
      return { identity: await done(meta.get("identity")), seat: await done(meta.get("seat")), again: await done(meta.get("again")), ids: await done(games.getAllKeys()), games: await done(games.getAll()), records: await done(records.getAll()) };
    });
    const kept = found.games.map((game, index) => ({
      at: game.at,
      genesis: game.genesis,
      seed: game.seed ?? new Uint8Array(0),
      records: found.records.filter((record) => record.game === found.ids[index]).map((record) => record.data),
    }));
    kept.sort((one, other) => one.at - other.at);
    const [identity, seat, again] = [found.identity, found.seat, found.again].map((each) => each ?? new Uint8Array(0));
    return { identity, seat, again, games: kept };
  }

  /**
   * Write everything or nothing: [kind, game, due, bytes] each. Reads back what must not be lost.
   * All is asked for at once, as each turn between worker and database costs time; the database answers in order:
   * first who has the table, and if that is another tab everything is undone. The reading waits for the writing.
   */
  async commit(writes) {
    const writing = this.change(async (stores) => {
      const holder = done(stores.meta.get("claim"));
      const all = Promise.all(writes.map(([kind, game, due, data]) => write(stores, kind, game, due, data)));
      all.catch(() => {}); // of a transaction that is undone
      if ((await holder) !== this.mine) throw new Error("other tab");
      await all;
    });
    const reading = this.readBack(writes);
    reading.catch(() => {});
    await writing;
    if (!(await reading)) throw new Error("not kept");
  }

  /** Whether what must not be lost stands there. */
  async readBack(writes) {
    const { meta, games, signed } = this.open("readonly").stores;
    const found = await Promise.all(writes.map(([kind, game, due, data]) => {
      if (kind === "own") return done(signed.get(`${game} ${due}`)).then((kept) => same(kept, data));
      if (kind === "seed") return done(games.get(game)).then((kept) => same(kept.seed, data));
      if (kind === "identity" || kind === "seat") return done(meta.get(kind)).then((kept) => same(kept, data));
      return true;
    }));
    return found.every(Boolean);
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

/** Asks for all it can before its first pause: so records stay in their order. */
async function write({ meta, games, records, signed }, kind, game, due, data) {
  if (kind === "identity") await done(meta.add(data, "identity"));
  else if (kind === "seat" || kind === "again") await done(meta.put(data, kind));
  else if (kind === "genesis") await Promise.all([done(games.add({ at: Date.now(), genesis: data }, game)), done(meta.delete("seat"))]);
  else if (kind === "seed" || kind === "forget") {
    const kept = await done(games.get(game));
    if (kept) await done(games.put({ ...kept, seed: kind === "seed" ? data : null }, game));
  } else {
    const entry = kind === "own" ? [done(signed.add(data, `${game} ${due}`))] : [];
    await Promise.all([...entry, done(records.add({ game, data }))]);
  }
}

const same = (one, other) => one instanceof Uint8Array && one.length === other.length && one.every((byte, index) => byte === other[index]);
