import i18next from 'i18next'
import '../../src/ui/i18n'
import type { Texts } from '../../src/shared/languages'

/** Shows these texts of a language, and none of what it had before. */
export async function showTexts(language: string, texts: Texts) {
  i18next.removeResourceBundle(language, 'translation').addResourceBundle(language, 'translation', texts)
  await i18next.changeLanguage(language)
}
