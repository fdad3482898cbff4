() => {
  const parse = (text) => text.match(/[\d.]+/g).map(Number);
  const lum = (c) => { const [r, g, b] = c.slice(0, 3).map((v) => { v /= 255; return v <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4; }); return .2126 * r + .7152 * g + .0722 * b; };
  return [...document.querySelectorAll("#hand .card")].map((card) => {
    const style = getComputedStyle(card), a = lum(parse(style.color)), b = lum(parse(style.backgroundColor));
    return [card.ariaLabel, Math.round(10 * (Math.max(a, b) + .05) / (Math.min(a, b) + .05)) / 10];
  }); }
