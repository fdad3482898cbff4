async () => {
  const times = [];
  const frame = () => new Promise((go) => requestAnimationFrame(() => setTimeout(go)));
  for (let n = 0; n < 60; n++) {
    await new Promise((go) => setTimeout(go, 40));
    const start = performance.now();
    const changed = new Promise((go) => new MutationObserver((_, me) => { if (!document.querySelector("[data-sending]")) { me.disconnect(); go(); } })
      .observe(document.querySelector("#hand"), { subtree: true, attributes: true, childList: true }));
    document.querySelector("#hand .card[data-playable]").click();
    await frame();
    await changed;
    await frame();
    times.push(performance.now() - start);
  }
  return times.sort((a, b) => a - b);
}
