// Movement that tells where a card came from. Transform and opacity only; none for people who want none.

const still = matchMedia("(prefers-reduced-motion: reduce)");
const TIMES = { move: 180, draw: 160, gather: 240 };

/** Where every card is now. */
export function capture() {
  const found = new Map();
  if (still.matches) return found;
  for (const card of document.querySelectorAll("#hand .card, #pairs .card")) {
    found.set(card.dataset.card, { rect: card.getBoundingClientRect(), card });
  }
  return found;
}

/** After a render: cards that moved glide, new ones come from `origin(card)`, gone ones go to `grave()`. */
export function glide(before, origin, grave) {
  if (still.matches) return;
  const now = new Set();
  let late = 0;
  for (const card of document.querySelectorAll("#hand .card, #pairs .card")) {
    now.add(card.dataset.card);
    const rect = card.getBoundingClientRect();
    const known = before.get(card.dataset.card);
    const from = known ? known.rect : origin(card);
    if (!from || rect.width === 0) continue;
    const dx = from.left + from.width / 2 - rect.left - rect.width / 2;
    const dy = from.top + from.height / 2 - rect.top - rect.height / 2;
    if (Math.abs(dx) + Math.abs(dy) < 2) continue;
    const scale = from.width / rect.width || 1;
    const timing = { duration: known ? TIMES.move : TIMES.draw, delay: known ? 0 : 50 * late, easing: "ease-out", fill: "backwards" };
    if (!known) late += 1;
    card.animate([{ transform: `translate(${dx}px, ${dy}px) scale(${scale})`, opacity: known ? 1 : 0.3 }, { transform: "none", opacity: 1 }], timing);
  }
  const to = grave();
  for (const [value, { rect, card }] of before) if (!now.has(value) && to) sweep(card, rect, to);
}

/** A card that left the table: its picture goes where it went. */
function sweep(card, rect, to) {
  const ghost = card.cloneNode(true);
  ghost.removeAttribute("data-card");
  ghost.className = "card ghost";
  ghost.setAttribute("aria-hidden", "true");
  ghost.tabIndex = -1;
  ghost.style.setProperty("--w", `${card.offsetWidth}px`);
  ghost.style.left = `${rect.left}px`;
  ghost.style.top = `${rect.top}px`;
  document.body.append(ghost);
  const dx = to.left + to.width / 2 - rect.left - rect.width / 2;
  const dy = to.top + to.height / 2 - rect.top - rect.height / 2;
  const moving = ghost.animate([{ transform: "none", opacity: 1 }, { transform: `translate(${dx}px, ${dy}px) scale(.4)`, opacity: 0 }], { duration: TIMES.gather, easing: "ease-in" });
  moving.finished.then(() => ghost.remove(), () => ghost.remove());
}
