() => [...document.querySelectorAll(
    ".sheet, .sheet h2, .sheet button, .sheet a, .sheet select, .sheet p, .sheet th, #fault, #dealing, #actions button, #now")]
  .map((each) => ({ each, r: each.getBoundingClientRect() }))
  .filter(({ r }) => r.width > 0)
  .filter(({ each, r }) => each.scrollWidth > each.clientWidth + 1 || r.right > 320.5 ||
    (each.matches(".sheet button, .sheet a, .sheet select") && r.height < 43.5))
  .map(({ each, r }) => `${each.tagName}#${each.id}.${each.className} ${each.textContent.slice(0, 40)} ${each.scrollWidth}>${each.clientWidth} ${Math.round(r.height)}`)
