(() => {
  // In a guest's page: plays with the clicks of a finger, and reads what this browser keeps of a table.
  const choices = ["#pairs button.target", "#hand .card[data-playable]", "#actions button.main"];
  const done = (request) => new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  const hex = (bytes) => Array.from(bytes ?? [], (byte) => byte.toString(16).padStart(2, "0")).join("");
  let playing = null;
  window.guest = {
    /** One decision; false if nothing is asked. */
    press() {
      const found = choices.map((choice) => document.querySelector(choice)).find((choice) => choice !== null);
      found?.click();
      return found !== undefined;
    },
    play: () => (playing ??= setInterval(window.guest.press, 60)),
    stop() {
      clearInterval(playing);
      playing = null;
    },
    /** {identity, games: [{genesis, seed, records}]} in hexadecimal, of the table of this host's fingerprint. */
    async kept(host) {
      const db = await done(indexedDB.open(`durak-${host}`, 1));
      const store = (name) => db.transaction(name).objectStore(name);
      const [games, ids, records] = await Promise.all([store("games").getAll(), store("games").getAllKeys(), store("records").getAll()].map(done));
      const found = {
        identity: hex(await done(store("meta").get("identity"))),
        games: games.map((game, index) => ({
          genesis: hex(game.genesis),
          seed: hex(game.seed),
          records: records.filter((record) => record.game === ids[index]).map((record) => hex(record.data)),
        })),
      };
      db.close();
      return found;
    },
  };
})();
