// Why the host does not answer, as far as a page can tell, as a message id. The words say what to do.

const PATIENCE = 4000;

/** "" if the host answers and nothing seems wrong; `tried`: how often the game's own connection has failed. */
export async function diagnose(tried) {
  if (navigator.onLine === false) return "page.guest.offline";
  let answer;
  try {
    answer = await fetch("/bundle", { cache: "no-store", redirect: "manual", signal: AbortSignal.timeout(PATIENCE) });
  } catch {
    return "page.guest.away";
  }
  if (!(await isHost(answer))) return "page.guest.portal";
  return tried > 2 ? "page.guest.blocked" : "";
}

/** Whether this is our host's list of files and not a sign-in page that answers for everybody. */
async function isHost(answer) {
  try {
    return answer.ok && (await answer.json()).format === 1;
  } catch {
    return false;
  }
}

/** Sign-in windows of Wi-Fi networks, and windows inside other apps: both forget what was kept in them. */
export function isSmallWindow(agent = navigator.userAgent) {
  const apple = /iPhone|iPad/.test(agent) && /AppleWebKit/.test(agent) && !/Safari\//.test(agent);
  return apple || /CaptiveNetworkSupport|; wv\)/.test(agent);
}
