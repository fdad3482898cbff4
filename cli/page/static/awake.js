// A phone whose screen goes dark drops out of the game: ask it to stay awake while one is on, where it may be asked.

let lock = null;
let wanted = false;

/** Keep the screen on, or no longer. Quietly does nothing where the browser has no such thing. */
export async function stayAwake(on) {
  wanted = on;
  if (!on) {
    await lock?.release();
    lock = null;
    return;
  }
  if (lock !== null || document.visibilityState !== "visible" || !("wakeLock" in navigator)) return;
  try {
    const got = await navigator.wakeLock.request("screen");
    got.addEventListener("release", () => {
      if (lock === got) lock = null;
    });
    lock = got;
    if (!wanted) await stayAwake(false);
  } catch {
    // low battery, or not allowed: the game is saved anyway
  }
}
