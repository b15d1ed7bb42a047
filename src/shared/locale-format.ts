import type { InitOptions } from 'i18next'

/** The texts of a language, as a file of `locales/` holds them. */
export type Texts = Record<string, string>

/** Describes how the files of `locales/` are written: flat keys, `{name}` for a value, plurals by suffix. */
export const localeFormat = {
  keySeparator: false,
  nsSeparator: false,
  interpolation: {
    prefix: '{',
    suffix: '}',
    // React and the public pages escape what they show.
    escapeValue: false,
    // No text contains another: what looks like it came with a value.
    nestingPrefix: '\0',
  },
  // Each file is whole, so a text is looked up in one language only.
  load: 'currentOnly',
} satisfies InitOptions

/** Finds the language that a code means, undefined if there is none: `de` and `de-AT` mean German. */
export function closestLanguage<T extends string>(code: string, known: readonly T[]): T | undefined {
  const [base] = code.toLowerCase().split(/[-_]/)
  return known.find(language => language === code) ?? known.find(language => language.split('-')[0] === base)
}
