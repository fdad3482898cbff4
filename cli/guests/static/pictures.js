// The picture of the started interpreter (`inside/picture.py`), kept in this browser for its bundle alone.

import { done } from "./vault.js";

async function store(mode) {
  const opening = indexedDB.open("durak-picture", 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore("pictures");
  const db = await done(opening);
  return [db, db.transaction("pictures", mode).objectStore("pictures")];
}

/** The picture kept for `bundle`, null if there is none. A browser that keeps nothing has none. */
export async function kept(bundle) {
  try {
    const [db, pictures] = await store("readonly");
    const found = await done(pictures.get(bundle));
    db.close();
    return found ?? null;
  } catch {
    return null;
  }
}

/** Keep this picture and no other; null forgets all. It saves seconds and nothing else, so failing is no harm. */
export async function keep(bundle, picture) {
  try {
    const [db, pictures] = await store("readwrite");
    await done(pictures.clear());
    if (picture !== null) await done(pictures.put(picture, bundle));
    db.close();
  } catch {
    // no room, or a window that keeps nothing
  }
}
