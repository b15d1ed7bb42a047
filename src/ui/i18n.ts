import { signal } from '@preact/signals-core'
import i18next, { type TOptions } from 'i18next'
import LanguageDetector from 'i18next-browser-languagedetector'
import { initReactI18next } from 'react-i18next'
import {
  type Language,
  languages,
  localeFiles,
  closestLanguage,
  localeFormat,
  numberFormat,
  type Texts,
} from '../shared/languages'

const TEXTS = 'translation'
const known = Object.keys(languages) as Language[]

const language = signal<string>('en')
i18next.on('languageChanged', code => {
  language.value = code
})

// Detects the language, by the query `lng`, the cookie `i18next`, storage, the browser and the page, in this order, and
// keeps it in local storage. Its texts are fetched by `startLanguage`.
void i18next
  .use(LanguageDetector)
  .use(initReactI18next)
  .use(numberFormat)
  .init({
    ...localeFormat,
    resources: {},
    supportedLngs: known,
    // An unknown language falls back to English. A single missing text does not: that would fetch English every time.
    fallbackLng: code => (code ? [] : ['en']),
    detection: { convertDetectedLanguage: code => closestLanguage(code, known) ?? code },
  })

/**
 * Shows a language and keeps the choice in this browser. Throws, and changes nothing, if its texts cannot be fetched.
 */
export async function chooseLanguage(code: Language) {
  if (!i18next.hasResourceBundle(code, TEXTS)) i18next.addResourceBundle(code, TEXTS, await fetchTexts(code))
  await i18next.changeLanguage(code)
  Object.assign(document.documentElement, { lang: code, dir: i18next.dir(code) })
}

async function fetchTexts(code: Language): Promise<Texts> {
  const response = await fetch(new URL(localeFiles[code], import.meta.url))
  if (!response.ok) throw new Error(`${response.status} ${localeFiles[code]}`)
  return (await response.json()) as Texts
}

/**
 * Fetches the texts of the detected language. Without them the page shows their keys, and offers a reload to fix that.
 */
export const startLanguage = () => chooseLanguage(i18next.language as Language).catch(() => undefined)

/** Returns the code of the page's language. A component or computed signal that reads it follows a change. */
export const currentLanguage = () => language.value

/** Translates outside of components, and follows a change of the language as a signal does. */
export const translate = (keys: string | string[], values?: TOptions): string =>
  i18next.t(keys, { ...values, lng: language.value })
