import { signal } from '@preact/signals-core'
import { useSyncExternalStore } from 'react'

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

type Texts = { language: string; byKey: Readonly<Record<string, string>>; translate: TFunction }

// Files hold flat JSON objects with the plural suffixes of i18next, which translation tools know.
const current = signal<Texts>(createTexts('en', {}))

/** Shows the texts of a language from now on. `byKey`: its texts by their keys. */
export function setTexts(language: string, byKey: Readonly<Record<string, string>>) {
  current.value = createTexts(language, byKey)
}

/** Translates outside of components. */
export const translate: TFunction = (keys, values) => current.value.translate(keys, values)

/** The code of the language that the page uses now. */
export const currentLanguage = () => current.value.language

export const hasText = (key: string) => key in current.value.byKey

const subscribe = (notify: () => void) => current.subscribe(notify)

/** Renders a component again when the language changes. */
export const useTranslation = () => ({ t: useSyncExternalStore(subscribe, () => current.value.translate) })

function createTexts(language: string, byKey: Readonly<Record<string, string>>): Texts {
  const plurals = new Intl.PluralRules(language)
  function find(key: string, { count, context }: Values): string | undefined {
    const plain = byKey[context ? `${key}_${context}` : key]
    if (plain !== undefined) return plain
    return count === undefined ? byKey[key] : (byKey[`${key}_${plurals.select(count)}`] ?? byKey[`${key}_other`])
  }
  function translate(keys: string | readonly string[], values: Values = {}): string {
    const all = typeof keys === 'string' ? [keys] : keys
    for (const key of all) {
      const text = find(key, values)
      if (text !== undefined) return fillIn(text, values)
    }
    return values.defaultValue ?? all.at(-1)!
  }
  return { language, byKey, translate }
}

const fillIn = (text: string, values: Values) =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => (values[name] === undefined ? whole : String(values[name])))
