import type { TFunction } from 'i18next'
import {
  type Language,
  languages,
  localeFiles,
  localeFormat,
  numberFormat,
  type Texts as LocaleTexts,
} from '../../shared/languages'

/** The languages that the server speaks. */
export const knownLanguages: readonly string[] = Object.keys(languages)

/** Whether messages or public pages use a text. The others are for the interface; the executable leaves them out. */
export const isSaid = (key: string) => /^(news|notice)-|^live-now$|^public-clip-(gone|until)$/.test(key)

/** Loads i18next and the texts of a language when they are first needed; English if there is no such language. */
export function createTexts() {
  const known = new Map<Language, Promise<TFunction>>()
  return (wanted: string): Promise<TFunction> => {
    const language = Object.hasOwn(languages, wanted) ? (wanted as Language) : 'en'
    const loading = known.get(language) ?? load(language)
    known.set(language, loading)
    return loading
  }
}
export type Texts = ReturnType<typeof createTexts>

async function load(language: Language): Promise<TFunction> {
  const { createInstance } = await import('i18next')
  const all = (await Bun.file(localeFiles[language]).json()) as LocaleTexts
  const ours = Object.fromEntries(Object.entries(all).filter(([key]) => isSaid(key)))
  const resources = { [language]: { translation: ours } }
  return createInstance()
    .use(numberFormat)
    .init({ ...localeFormat, lng: language, resources })
}
