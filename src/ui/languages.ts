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
import type { Texts } from '../shared/locale-format'

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
export const knownLanguages = Object.keys(languages) as Language[]

// The bundler replaces an import of this type by the address of the file.
const addresses = { da, 'de-DE': de, en, fr, pl, es, it, nl, 'pt-BR': ptBR, sv, uk } as unknown as Record<
  Language,
  string
>

/** Fetches the texts of a language. */
export async function fetchTexts(language: Language): Promise<Texts> {
  const response = await fetch(new URL(addresses[language], import.meta.url))
  if (!response.ok) throw new Error(`${response.status} ${addresses[language]}`)
  return (await response.json()) as Texts
}
