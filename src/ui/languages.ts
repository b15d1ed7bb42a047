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
import { closestLanguage } from '../shared/closest-language'
import { setTexts } from './i18n'

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
} as const

export type Language = keyof typeof languages
export const languageNames = Object.entries(languages) as [Language, string][]

// The bundler replaces an import of this type by the address of the file.
const addresses = { da, 'de-DE': de, en, fr, pl, es, it, nl, 'pt-BR': ptBR, sv, uk } as unknown as Record<
  Language,
  string
>

/** The name under which the choice is kept, as a query parameter, a cookie and in storage. */
const CHOICE = 'i18nextLng'

/** Fetches the texts of a language and shows them. Throws, and changes nothing, if they cannot be fetched. */
async function showLanguage(language: Language) {
  const response = await fetch(new URL(addresses[language], import.meta.url))
  if (!response.ok) throw new Error(`${response.status} ${addresses[language]}`)
  setTexts(language, (await response.json()) as Record<string, string>)
  document.documentElement.lang = language
}

/** Shows a language and keeps the choice, which belongs to the browser, not to the account. */
export async function chooseLanguage(language: Language) {
  await showLanguage(language)
  keep(language)
}

/** Detects the language and fetches its texts. */
export async function startLanguage() {
  const language = detectLanguage([...wishes()])
  keep(language)
  // Without texts the page shows their keys, and offers the reload that mends it.
  await showLanguage(language).catch(() => undefined)
}

function keep(language: Language) {
  try {
    localStorage.setItem(CHOICE, language)
  } catch {
    // Without storage, the language is detected again next time.
  }
}

/** The codes of wanted languages, the most important first. */
function* wishes(): Generator<string> {
  yield new URLSearchParams(location.search).get('lng') ?? ''
  yield /(?:^|; )i18next=([^;]*)/.exec(document.cookie)?.[1] ?? ''
  for (const storage of ['localStorage', 'sessionStorage'] as const) yield readChoice(storage)
  yield* navigator.languages
  yield document.documentElement.lang
}

/** Reads a kept choice; empty if there is none, or if the browser denies access to its storage. */
function readChoice(storage: 'localStorage' | 'sessionStorage'): string {
  try {
    return globalThis[storage].getItem(CHOICE) ?? ''
  } catch {
    return ''
  }
}

/**
 * Returns the first wanted language that exists, else English: `de` and `de-AT` mean German. Only codes of known
 * languages are ever used, so nothing else that stands in an address or a cookie reaches the page.
 */
export function detectLanguage(wanted: readonly string[]): Language {
  const known = Object.keys(languages) as Language[]
  for (const code of wanted) {
    const found = closestLanguage(code, known)
    if (found) return found
  }
  return 'en'
}
