// Put into the vault: every tab but the first stops for ever before, or by turns after, its first write, and says so.
const dying = new BroadcastChannel("deaths");
const turn = new Promise((resolve) => {
  const opening = indexedDB.open("deaths", 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore("tabs", { autoIncrement: true });
  opening.onsuccess = () => {
    const adding = opening.result.transaction("tabs", "readwrite").objectStore("tabs").add(0);
    adding.onsuccess = () => {
      opening.result.close();
      resolve(adding.result - 2);
    };
  };
});
async function die(when) {
  const mine = await turn;
  if (mine < 0 || mine >= MOST || ["before", "after"][mine % 2] !== when) return;
  dying.postMessage(when);
  await new Promise(() => {});
}

