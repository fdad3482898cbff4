// Tastes of this browser, and nothing else: a private window that keeps nothing loses nothing.

const KEY = "durak";
const START = { language: "", colours: "four", theme: "auto", order: "suit", sound: "off" };

export function load() {
  try {
    return { ...START, ...JSON.parse(localStorage.getItem(KEY) ?? "{}") };
  } catch {
    return { ...START };
  }
}

export function save(settings) {
  try {
    localStorage.setItem(KEY, JSON.stringify(settings));
  } catch {
    // kept for this tab only
  }
}

/** Show the tastes on the page. */
export function apply(settings) {
  const root = document.documentElement;
  root.dataset.colours = settings.colours === "two" ? "two" : "four";
  if (settings.theme === "light" || settings.theme === "dark") root.dataset.theme = settings.theme;
  else delete root.dataset.theme;
}
