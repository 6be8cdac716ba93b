// Words that may stand at a place of a description, and what is known of the word that stands there.

/**
 * An entry of the form, as the server declares it.
 * @typedef {object} Entry
 * @property {string} name its English name
 * @property {string} value kind of value, in words
 * @property {string} [unit] @property {string} [example] @property {string} [names]
 * @property {{name: string, shown: Object<string, string>}[]} [options]
 * @property {string} [scope] @property {string} [parts] @property {boolean} [required]
 */

/**
 * A word that may be inserted.
 * @typedef {{label: string, insert: string, detail: string}} Choice
 */

/** A word without accents, case and the signs that join words. */
const plainWord = (word) =>
  word.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().replace(/[-_'\s]+/g, " ").trim();

const NAME = /[\p{L}_][\p{L}\p{N}_]*$/u;

class Vocabulary {
  /** @param {object} declared the document of the server @param {string} lang of the page */
  constructor(declared, lang) {
    Object.assign(this, declared, { lang });
  }

  // --- words

  /** Spellings of an entry in all languages, its English name first. */
  spellings(name) {
    return [name, ...Object.values(this.words[name] ?? {}).flat()];
  }

  /** An entry as a language writes it. */
  written(name, lang) {
    return this.words[name]?.[lang]?.[0] ?? name;
  }

  /** The entry of a word in any language. */
  entry(word, entries) {
    const wanted = plainWord(word);
    return entries.find(({ name }) => this.spellings(name).some((one) => plainWord(one) === wanted));
  }

  /** The language of a description: that of the sections it has. */
  language(text) {
    const found = [...text.matchAll(/^([^\s#:]+(?: [^\s#:]+)*)\s*:/gmu)].map((match) => match[1]);
    for (const word of found) {
      for (const { name } of this.scopes.model.entries) {
        const others = Object.entries(this.words[name] ?? {});
        const lang = others.find(([, words]) => words.some((one) => plainWord(one) === plainWord(word)));
        if (lang && plainWord(name) !== plainWord(word)) return lang[0];
        if (word === name && others.some(([, words]) => plainWord(words[0]) !== name)) return "en";
      }
    }
    return this.lang;
  }

  // --- scopes

  /** The scope at the end of a path of keys; `named` where a name of the user's comes next. */
  scopeAt(path) {
    let scope = "model", named = false;
    for (const word of path) {
      if (named) {
        named = false;
        continue;
      }
      const entry = this.entry(word, this.entriesOf(scope, new Map(), true));
      if (!entry?.parts && !entry?.scope) return null;
      [scope, named] = [entry.parts ?? entry.scope, Boolean(entry.parts)];
    }
    return { scope, named };
  }

  /**
   * The entries of a scope: of the type that is written, or of all types.
   * @param {string} scope @param {Map<string, string>} written @param {boolean} whole
   * @returns {Entry[]}
   */
  entriesOf(scope, written, whole = false) {
    const { entries, types = [], byFirst } = this.scopes[scope];
    const several = (chosen) => {
      const all = [...entries, ...chosen.flatMap((one) => one.entries)];
      const scoped = (name) => all.find((one) => one.name === name && one.scope) ?? all.find((one) => one.name === name);
      return [...new Set(all.map((one) => one.name))].map(scoped);
    };
    if (whole || !types.length) return several(types);
    const type = this.typeOf(scope, written);
    if (!type) return byFirst ? several(types) : entries;
    const common = type.common ? entries.filter(({ name }) => type.common.includes(name)) : entries;
    return [...common, ...type.entries];
  }

  /** The type of a part: that which it names, or whose first entry it has. */
  typeOf(scope, written) {
    const { types = [], byFirst } = this.scopes[scope];
    const keys = [...written.keys()];
    if (byFirst) {
      const has = ({ name }) => keys.some((key) => this.entry(key, [{ name }]));
      return types.findLast(({ entries }) => has(entries[0]));
    }
    const key = keys.find((one) => this.entry(one, [{ name: "type" }]));
    return key && this.typeCalled(scope, written.get(key));
  }

  typeCalled(scope, word) {
    const wanted = plainWord(word);
    return (this.scopes[scope].types ?? []).find(({ names }) => names.some((one) => plainWord(one) === wanted));
  }

  /** The entry whose value is at a context. @returns {Entry | undefined} */
  valueAt(context) {
    const place = this.scopeAt(context.path);
    if (!place || !context.key) return undefined;
    if (place.named) return this.scopes[place.scope].alone;
    return this.entry(context.key, this.entriesOf(place.scope, context.entries));
  }

  // --- choices

  /**
   * The words that may stand at the caret, and where the text starts that they replace.
   * @param {string} text @param {number} caret @param {string[]} coordinates
   * @returns {{from: number, choices: Choice[]}}
   */
  choicesAt(text, caret, coordinates) {
    if (isPhrase(text)) return this.operatorsAt(text, caret);
    const context = contextAt(text, caret), lang = this.language(text);
    const chosen = context.key ? this.values(context, text, lang, coordinates) : this.keys(context, text, caret, lang);
    if (text.trim() !== context.scalar.trim()) return chosen;
    return { from: chosen.from, choices: [...chosen.choices, ...this.operatorsAt(text, caret).choices] };
  }

  keys(context, text, caret, lang) {
    const place = this.scopeAt(context.path);
    const nothing = { from: context.from, choices: [] };
    if (!place || place.named) return nothing;
    const own = context.scalar + /^[^:\n,{}[\]]*/.exec(text.slice(caret))[0];  // the key at the caret
    const present = [...context.entries.keys()].filter((key) => key !== own.trim());
    const known = this.entriesOf(place.scope, context.entries);
    const lacking = known.filter(({ name }) => !present.some((key) => this.entry(key, [{ name }])));
    const colon = /^[\p{L}\p{N}_'-]*\s*:/u.test(text.slice(caret)) ? "" : ": ";
    const start = plainWord(context.scalar);
    const begins = (name) => [name, ...(this.words[name]?.[lang] ?? [])].some((one) => plainWord(one).startsWith(start));
    const choices = lacking
      .filter(({ name }) => begins(name))
      .sort((a, b) => Number(b.required ?? false) - Number(a.required ?? false))
      .map((one) => {
        const label = this.written(one.name, lang);
        return { label, insert: label + colon, detail: this.detail(one) };
      });
    return { from: context.from, choices };
  }

  values(context, text, lang, coordinates) {
    const entry = this.valueAt(context), place = this.scopeAt(context.path);
    if (!entry) return { from: context.from, choices: [] };
    const start = plainWord(context.scalar);
    if (entry.name === "type" && !place.named) {
      const types = this.scopes[place.scope].types ?? [];
      const choices = types
        .filter(({ names }) => names.some((one) => plainWord(one).startsWith(start)))
        .map(({ shown, entries }) => {
          const detail = entries.map(({ name }) => this.written(name, lang)).join(", ");
          return { label: shown[lang], insert: shown[lang], detail };
        });
      return { from: context.from, choices };
    }
    const options = (entry.options ?? []).map(({ name, shown }) => [shown[lang] ?? name, name, ""]);
    const word = NAME.exec(context.scalar)?.[0] ?? "";
    const from = options.length ? context.from : context.from + context.scalar.length - word.length;
    const wanted = options.length ? start : plainWord(word);
    const choices = [...options, ...this.namesFor(entry.names, text, lang, coordinates)]
      .filter(([label, other]) => [label, other].some((one) => plainWord(one).startsWith(wanted)))
      .map(([label, , detail]) => ({ label, insert: label, detail }));
    return { from, choices };
  }

  /** Names of the text and of functions that a value may contain: shown, in English, what it is. */
  namesFor(kind, text, lang, coordinates) {
    const sections = namesIn(text), own = (name) => {
      const key = [...sections.keys()].find((one) => this.entry(one, [{ name }]));
      const told = this.scopes.model.entries.find((one) => one.name === name).value;
      return (sections.get(key) ?? []).map((one) => [one, one, told]);
    };
    const moving = coordinates.map((one) => [one, one, ""]);
    const functions = Object.entries(this.functions).map(([name, count]) => {
      return [name, name, `${name}(${"abcd".slice(0, count).split("").join(", ")})`];
    });
    const constants = [...own("parameters"), ...functions];
    const ground = [[this.written("ground", lang), "ground", ""]];
    const known = {
      bodies: () => [...ground, ...own("bodies")],
      joints: () => own("joints"),
      contacts: () => own("contacts"),
      coordinates: () => moving,
      constants: () => [...constants, ...own("tables")],
      varying: () => [...moving, ["t", "t", ""], ...own("definitions"), ...constants, ...own("tables")],
    };
    return known[kind]?.() ?? [];
  }

  operatorsAt(text, caret) {
    const before = text.slice(0, caret), word = /[A-Za-z]*$/.exec(before)[0];
    const from = caret - word.length, open = (sign) => before.split(sign).length;
    const choices = this.operators
      .filter(({ name }) => name.startsWith(word.toUpperCase()))
      .map((one) => ({ label: one.name, insert: `${one.name}(`, detail: this.detail(one) }));
    return { from, choices: open("(") > open(")") ? [] : choices };
  }

  // --- help

  /** Kind of value, unit and example of an entry, in a few words. */
  detail({ value, unit, example }) {
    return [value, unit && `[${unit}]`, example].filter(Boolean).join(" · ");
  }

  /**
   * The entry, the type or the operator at a place of the text, and what is known of it.
   * @returns {{title: string, detail: string} | null}
   */
  helpAt(text, caret) {
    if (isPhrase(text)) return this.helpOfOperator(text, caret);
    const context = contextAt(text, caret), lang = this.language(text);
    const place = this.scopeAt(context.path);
    if (!place) return null;
    const key = context.key || /^[^:\n,{}[\]]*/.exec(text.slice(context.from))[0];
    const entry = this.valueAt({ ...context, key });
    if (!entry || !key.trim()) return null;
    if (entry.name === "type" && context.key) {
      const type = this.typeOf(place.scope, context.entries);
      const names = type?.entries.map((one) => this.written(one.name, lang) + (one.unit ? ` [${one.unit}]` : ""));
      if (type) return { title: type.shown[lang], detail: names.join(", ") || entry.value };
    }
    return { title: key.trim(), detail: this.detail(entry) };
  }

  helpOfOperator(text, caret) {
    const before = text.slice(0, caret), rest = text.slice(caret);
    const inside = /([A-Za-z]+)\s*\([^()]*$/.exec(before)?.[1];
    const word = inside ?? /[A-Za-z]*$/.exec(before)[0] + /^[A-Za-z]*/.exec(rest)[0];
    const found = this.operators.find(({ name }) => name === word.toUpperCase());
    return found ? { title: found.name, detail: this.detail(found) } : null;
  }
}
