// Put into the vault: the tab stops for ever before, or after, its next write, and says so.
const dying = new BroadcastChannel("deaths");
async function die(when) {
  if ((await (await fetch("/deaths")).json()) !== when) return;
  dying.postMessage(when);
  await new Promise(() => {});
}

