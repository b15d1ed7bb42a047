import i18next from 'i18next'
import LanguageDetector from 'i18next-browser-languagedetector'
import { initReactI18next } from 'react-i18next'
import da from '../../locales/da.json' with { type: 'file' }
import de from '../../locales/de-DE.json' with { type: 'file' }
import en from '../../locales/en.json' with { type: 'file' }
import es from '../../locales/es.json' with { type: 'file' }
import fr from '../../locales/fr.json' with { type: 'file' }
import pl from '../../locales/pl.json' with { type: 'file' }

/** The languages by their own names, in the order in which they are offered. */
export const languages = {
  da: 'Dansk',
  'de-DE': 'Deutsch',
  en: 'English',
  fr: 'Français',
  pl: 'Polski',
  es: 'Español',
} as const

export type Language = keyof typeof languages
export const languageNames = Object.entries(languages) as [Language, string][]

// The bundler replaces an import of this type by the address of the file.
const addresses = { da, 'de-DE': de, en, fr, pl, es } as unknown as Record<Language, string>

const isLanguage = (code: string): code is Language => code in languages

/**
 * Finds the language to use for a code: `de` and `de-AT` mean German. A code without a language is returned unchanged,
 * so that the detector tries the next one.
 */
export function closestLanguage(code: string): string {
  if (isLanguage(code)) return code
  const [base] = code.toLowerCase().split(/[-_]/)
  return Object.keys(languages).find(language => language.split('-')[0] === base) ?? code
}

async function fetchTexts(address: string) {
  const response = await fetch(new URL(address, import.meta.url))
  if (!response.ok) throw new Error(`${response.status} ${address}`)
  return (await response.json()) as Record<string, string>
}

const texts = {
  type: 'backend',
  callbackApi: false,
  init: () => undefined,
  read: (language: string) => (isLanguage(language) ? fetchTexts(addresses[language]) : {}),
} as const

/** Fetches the texts of a language, then switches to it. Throws, and changes nothing, if they cannot be fetched. */
export async function chooseLanguage(language: Language) {
  if (!i18next.hasResourceBundle(language, 'translation'))
    i18next.addResourceBundle(language, 'translation', await fetchTexts(addresses[language]))
  await i18next.changeLanguage(language)
}

/** Detects the language and fetches its texts. The choice belongs to the browser, not to the account. */
export async function startI18n() {
  i18next.on('languageChanged', language => (document.documentElement.lang = language))
  await i18next
    .use(texts)
    .use(LanguageDetector)
    .use(initReactI18next)
    .init({
      // Every language is complete, so English is fetched only if none of them is wanted.
      fallbackLng: wanted => (wanted ? [] : ['en']),
      supportedLngs: Object.keys(languages),
      load: 'currentOnly',
      keySeparator: false,
      nsSeparator: false,
      interpolation: { escapeValue: false, prefix: '{', suffix: '}' },
      detection: {
        order: ['querystring', 'cookie', 'localStorage', 'sessionStorage', 'navigator', 'htmlTag'],
        lookupQuerystring: 'lng',
        lookupCookie: 'i18next',
        lookupLocalStorage: 'i18nextLng',
        lookupSessionStorage: 'i18nextLng',
        caches: ['localStorage'],
        convertDetectedLanguage: closestLanguage,
      },
    })
}

/** The language that the page uses now. */
export const currentLanguage = () => (i18next.resolvedLanguage ?? 'en') as Language
