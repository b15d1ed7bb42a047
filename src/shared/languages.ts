import ar from '../../locales/ar.json' with { type: 'file' }
import da from '../../locales/da.json' with { type: 'file' }
import de from '../../locales/de-DE.json' with { type: 'file' }
import en from '../../locales/en.json' with { type: 'file' }
import es from '../../locales/es.json' with { type: 'file' }
import fr from '../../locales/fr.json' with { type: 'file' }
import it from '../../locales/it.json' with { type: 'file' }
import nl from '../../locales/nl.json' with { type: 'file' }
import pl from '../../locales/pl.json' with { type: 'file' }
import ptBR from '../../locales/pt-BR.json' with { type: 'file' }
import sv from '../../locales/sv.json' with { type: 'file' }
import uk from '../../locales/uk.json' with { type: 'file' }
import type { FormatterModule, InitOptions } from 'i18next'

/** The languages by their own names, in the order in which they are offered. */
export const languages = {
  da: 'Dansk',
  'de-DE': 'Deutsch',
  en: 'English',
  fr: 'Français',
  pl: 'Polski',
  es: 'Español',
  it: 'Italiano',
  nl: 'Nederlands',
  'pt-BR': 'Português (Brasil)',
  sv: 'Svenska',
  uk: 'Українська',
  ar: 'العربية',
} as const

export type Language = keyof typeof languages

/** The files of their texts: addresses in a bundle for browsers, paths on the server, in the executable as well. */
export const localeFiles = {
  ar,
  da,
  'de-DE': de,
  en,
  fr,
  pl,
  es,
  it,
  nl,
  'pt-BR': ptBR,
  sv,
  uk,
} as unknown as Readonly<Record<Language, string>>

/** The texts of a language, as a file of `locales/` holds them. */
export type Texts = Record<string, string>

/** Describes how the files of `locales/` are written: flat keys, `{name}` for a value, plurals by suffix. */
export const localeFormat = {
  keySeparator: false,
  nsSeparator: false,
  interpolation: {
    prefix: '{',
    suffix: '}',
    alwaysFormat: true,
    // React and the public pages escape what they show.
    escapeValue: false,
    // No text contains another: what looks like it came with a value.
    nestingPrefix: '\0',
  },
  // Each file is whole, so a text is looked up in one language only.
  load: 'currentOnly',
} satisfies InitOptions

/** Groups the digits of a number as the language does: 2,000 in English, 2.000 in German, 2000 in Spanish. */
export function formatNumber(value: number, language: string): string {
  if (Number.isInteger(value) && Math.abs(value) < 1000) return String(value)
  return new Intl.NumberFormat(language).format(value)
}

/** Numbers that name something are written as they are. */
const names = new Set(['number', 'season', 'status'])

/** Formats every number that is filled into a text, unless it is a name, such as that of a season. */
export const numberFormat: FormatterModule = {
  type: 'formatter',
  init() {},
  add() {},
  addCached() {},
  format: (value: unknown, _, language, options) =>
    typeof value === 'number' && !names.has(options?.['interpolationkey'])
      ? formatNumber(value, language!)
      : (value as string),
}

/** Finds the language that a code means, undefined if there is none: `de` and `de-AT` mean German. */
export function closestLanguage<T extends string>(code: string, known: readonly T[]): T | undefined {
  const [base] = code.toLowerCase().split(/[-_]/)
  return known.find(language => language === code) ?? known.find(language => language.split('-')[0] === base)
}
