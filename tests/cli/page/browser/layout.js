([width, height]) => {
  const problems = [];
  const seen = (el) => { const s = getComputedStyle(el), r = el.getBoundingClientRect();
    return s.visibility !== "hidden" && s.display !== "none" && r.width > 0 && r.height > 0; };
  const name = (el) => `${el.tagName}#${el.id}.${el.className} ${el.getAttribute("aria-label") ?? el.textContent.slice(0, 20)}`;
  if (document.documentElement.scrollWidth > width) problems.push(`page is ${document.documentElement.scrollWidth} wide`);
  for (const el of document.querySelectorAll("button, a, select, input, #now, #detail, #pairs .card, #talon, .seat, .chip")) {
    if (!seen(el) || el.closest("dialog, #log")) continue;
    const r = el.getBoundingClientRect();
    if (r.left < -0.5 || r.right > width + 0.5 || r.top < -0.5 || r.bottom > height + 0.5)
      problems.push(`outside: ${name(el)} ${[r.left, r.top, r.right, r.bottom].map(Math.round)}`);
    const control = el.matches("button:not(.card), a, select, input");
    if (control && (r.width < 43.5 || r.height < 43.5)) problems.push(`small: ${name(el)} ${Math.round(r.width)}x${Math.round(r.height)}`);
    if (el.matches("button:not(.card)") && el.scrollWidth > el.clientWidth + 1) problems.push(`cut: ${name(el)}`);
  }
  for (const el of document.querySelectorAll("#news, #now, #detail, .role, .many, #title, .chip"))
    if (seen(el) && el.scrollWidth > el.clientWidth + 1 && getComputedStyle(el).textOverflow !== "ellipsis") problems.push(`text cut: ${name(el)}`);
  const parts = ["#bar", "#seats", "#talon", "#pairs", "#say", "#actions", "#hand"];
  const boxes = parts.map((each) => { const el = document.querySelector(each);
    const cards = [...el.querySelectorAll(".card")].map((card) => card.getBoundingClientRect());
    const own = el.getBoundingClientRect();
    const all = cards.length && each !== "#talon" ? cards : [own];
    return { each, left: Math.min(...all.map((r) => r.left)), right: Math.max(...all.map((r) => r.right)),
             top: Math.min(...all.map((r) => r.top)), bottom: Math.max(...all.map((r) => r.bottom)), empty: own.width === 0 || own.height === 0 }; });
  for (const [i, one] of boxes.entries()) for (const two of boxes.slice(i + 1)) {
    const x = Math.min(one.right, two.right) - Math.max(one.left, two.left);
    const y = Math.min(one.bottom, two.bottom) - Math.max(one.top, two.top);
    const lift = one.each === "#actions" && two.each === "#hand" ? 1 : 0.5;
    if (!one.empty && !two.empty && x > 0.5 && y > lift) problems.push(`${one.each} covers ${two.each} by ${Math.round(x)}x${Math.round(y)}`);
  }
  const cards = [...document.querySelectorAll("#hand .card")].map((el) => ({ el, r: el.getBoundingClientRect() }));
  for (const { el, r } of cards) {
    const beside = cards.filter((other) => Math.abs(other.r.top - r.top) < 14 && other.r.left > r.left + 1).map((other) => other.r.left);
    const strip = Math.min(r.right, ...beside) - r.left;
    if (strip < 24) problems.push(`strip of ${Math.round(strip)}: ${name(el)}`);
    const index = el.querySelector(".index").getBoundingClientRect();
    if (beside.length && index.right > Math.min(...beside) + 4) problems.push(`index hidden: ${name(el)}`);
  }
  if (cards.length === 6 && new Set(cards.map((each) => each.el.style.top)).size !== 1) problems.push("six cards in two rows");
  return problems;
}
