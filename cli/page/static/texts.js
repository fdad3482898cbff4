// The catalogue of one language: message id and parameters in, a sentence out. Same ids as everywhere else.

export class Texts {
  constructor(catalogue) {
    this.language = catalogue.language;
    this.languages = catalogue.languages;
    this.texts = catalogue.texts;
    this.plurals = new Intl.PluralRules(catalogue.language);
    this.missing = new Set();
  }

  knows(id) {
    return Object.hasOwn(this.texts, id);
  }

  /** The sentence for `id`. An unknown id is shown as it is, and remembered for the tests. */
  say(id, params = {}) {
    const found = this.knows(id) ? this.texts[id] : null;
    if (found === null || (typeof found !== "string" && params.n === undefined)) {
      this.missing.add(id);
      return id;
    }
    const text = typeof found === "string" ? found : found[this.plurals.select(params.n)] ?? found.other;
    return fill(text, params);
  }

  /** The sentence in the plural form of `n`, which the text has as `{n}`. */
  count(id, n, params = {}) {
    return this.say(id, { ...params, n });
  }

  /** Several words as one: "A, B and C". */
  listed(words) {
    if (words.length < 2) return words.join("");
    const most = words.slice(0, -1).join(this.say("list.comma"));
    return this.say("list.and", { most, last: words.at(-1) });
  }
}

/** `{name}` becomes the parameter; what stands in a parameter is never looked at again. */
function fill(text, params) {
  return text.replace(/\{(\w+)\}/g, (whole, name) => (Object.hasOwn(params, name) ? String(params[name]) : whole));
}
