import { useSignals } from '@preact/signals-react/runtime'
import { useTranslation } from 'react-i18next'
import { useApp } from '../app-context'
import { chooseLanguage, currentLanguage, languageNames, type Language } from '../i18n'
import { themes, type Theme } from '../state/theme'

/** Theme and language in the sidebar, for phones, whose top bar has no room for the menus. */
export function AppearanceFields() {
  useSignals()
  const { theme, failed } = useApp()
  const { t } = useTranslation()
  return (
    <div className="appearance">
      <label>
        {t('theme')}
        <select value={theme.theme.value} onChange={event => theme.choose(event.target.value as Theme)}>
          {themes.map(name => (
            <option key={name} value={name}>
              {t(`theme-${name}`)}
            </option>
          ))}
        </select>
      </label>
      <label>
        {t('language')}
        <select
          value={currentLanguage()}
          onChange={event => void chooseLanguage(event.target.value as Language).catch(failed)}
        >
          {languageNames.map(([language, name]) => (
            <option key={language} value={language} lang={language}>
              {name}
            </option>
          ))}
        </select>
      </label>
    </div>
  )
}
