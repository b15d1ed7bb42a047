import type { TFunction } from 'i18next'
import da from '../../../locales/da.json' with { type: 'file' }
import de from '../../../locales/de-DE.json' with { type: 'file' }
import en from '../../../locales/en.json' with { type: 'file' }
import es from '../../../locales/es.json' with { type: 'file' }
import fr from '../../../locales/fr.json' with { type: 'file' }
import it from '../../../locales/it.json' with { type: 'file' }
import nl from '../../../locales/nl.json' with { type: 'file' }
import pl from '../../../locales/pl.json' with { type: 'file' }
import ptBR from '../../../locales/pt-BR.json' with { type: 'file' }
import sv from '../../../locales/sv.json' with { type: 'file' }
import uk from '../../../locales/uk.json' with { type: 'file' }
import { localeFormat, type Texts as LocaleTexts } from '../../shared/locale-format'

// An import of this type is the path of the file, in the executable as well.
const paths = { da, 'de-DE': de, en, es, fr, it, nl, pl, 'pt-BR': ptBR, sv, uk } as unknown as Record<string, string>

/** The languages that the server speaks. */
export const knownLanguages: readonly string[] = Object.keys(paths)

/** Only these are said in messages and on public pages: the rest of a file is for the interface. */
const isSaid = (key: string) => /^(news|notice)-|^live-now$|^public-clip-(gone|until)$/.test(key)

/** Loads i18next and the texts of a language when they are first needed; English where there is no such language. */
export function createTexts() {
  const known = new Map<string, Promise<TFunction>>()
  return (wanted: string): Promise<TFunction> => {
    const language = Object.hasOwn(paths, wanted) ? wanted : 'en'
    const loading = known.get(language) ?? load(language)
    known.set(language, loading)
    return loading
  }
}
export type Texts = ReturnType<typeof createTexts>

async function load(language: string): Promise<TFunction> {
  const { createInstance } = await import('i18next')
  const all = (await Bun.file(paths[language]!).json()) as LocaleTexts
  const said = Object.fromEntries(Object.entries(all).filter(([key]) => isSaid(key)))
  return createInstance().init({ ...localeFormat, lng: language, resources: { [language]: { translation: said } } })
}
