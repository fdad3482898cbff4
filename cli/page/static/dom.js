// Elements from data. Text only ever becomes a text node: a name from a stranger can't become anything else.

const SVG = "http://www.w3.org/2000/svg";

/** An element. `props`: class, id, hidden, attributes by name, `data` (dataset), `on` (listeners). */
export function el(tag, props = {}, ...children) {
  const made = document.createElement(tag);
  set(made, props);
  made.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return made;
}

/** Give an element attributes; null or false takes one away. */
export function set(element, props) {
  for (const [name, value] of Object.entries(props)) {
    if (name === "on") {
      for (const [event, listener] of Object.entries(value)) element.addEventListener(event, listener);
    } else if (name === "data") {
      Object.assign(element.dataset, value);
    } else if (value === null || value === undefined || value === false) {
      element.removeAttribute(name);
    } else {
      const text = value === true ? "" : String(value);
      if (element.getAttribute(name) !== text) element.setAttribute(name, text);
    }
  }
  return element;
}

/** An SVG drawing from paths: [{d, class}]. Hidden from screen readers; words say what it shows. */
export function drawing(box, paths, props = {}) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", box);
  svg.setAttribute("aria-hidden", "true");
  svg.setAttribute("focusable", "false");
  for (const [name, value] of Object.entries(props)) svg.setAttribute(name, value);
  for (const each of paths) {
    const path = document.createElementNS(SVG, "path");
    for (const [name, value] of Object.entries(each)) path.setAttribute(name, value);
    svg.append(path);
  }
  return svg;
}

/** Write a text, touching the page only when it differs, so that a status region speaks once. */
export function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Make the children of `parent` follow `items`: those with a known key stay the same elements. */
export function sync(parent, items, keyOf, make, update) {
  const known = new Map([...parent.children].map((child) => [child.dataset.key, child]));
  let before = null;
  for (const [index, item] of items.entries()) {
    const key = String(keyOf(item));
    let child = known.get(key);
    if (child === undefined) {
      child = make(item);
      child.dataset.key = key;
    }
    known.delete(key);
    const wanted = before === null ? parent.firstChild : before.nextSibling;
    if (child !== wanted) parent.insertBefore(child, wanted);
    if (update) update(child, item, index);
    before = child;
  }
  for (const child of known.values()) child.remove();
}
