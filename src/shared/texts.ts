export type Values = {
  /** Chooses the plural form of the language: `key_one`, `key_few`, `key_other` … */
  count?: number
  /** Chooses a variant of the text: `key_none` for the context "none". */
  context?: string | undefined
  /** Stands in for a text that does not exist. */
  defaultValue?: string
} & Record<string, unknown>

/** Returns the text of the first key that has one, with `{name}` filled in from `values`. */
export type TFunction = (keys: string | readonly string[], values?: Values) => string

/** The texts of a language by their keys. */
export type TextsByKey = Readonly<Record<string, string>>

/**
 * Creates the translation into one language. `byKey` is a flat object with the plural suffixes of i18next, which
 * translation tools know.
 */
export function createTranslate(language: string, byKey: TextsByKey): TFunction {
  const plurals = new Intl.PluralRules(language)
  function find(key: string, { count, context }: Values): string | undefined {
    const plain = byKey[context ? `${key}_${context}` : key]
    if (plain !== undefined) return plain
    return count === undefined ? byKey[key] : (byKey[`${key}_${plurals.select(count)}`] ?? byKey[`${key}_other`])
  }
  return (keys, values = {}) => {
    const all = typeof keys === 'string' ? [keys] : keys
    for (const key of all) {
      const text = find(key, values)
      if (text !== undefined) return fillIn(text, values)
    }
    return values.defaultValue ?? all.at(-1)!
  }
}

const fillIn = (text: string, values: Values) =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => (values[name] === undefined ? whole : String(values[name])))
