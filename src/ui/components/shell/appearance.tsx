import { useSignals } from '@preact/signals-react/runtime'
import { Check, Globe, Monitor, Moon, Sun } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useApp } from '../../app-state'
import { chooseLanguage, currentLanguage, languages, type Language } from '../../i18n'
import { themes, type Theme } from '../../state/theme'
import { Menu } from '../menu'

const icons = { system: Monitor, light: Sun, dark: Moon } satisfies Record<Theme, unknown>
const languageNames = Object.entries(languages) as [Language, string][]

export function ThemeMenu() {
  useSignals()
  const { theme } = useApp()
  const { t } = useTranslation()
  return (
    <Menu
      icon={icons[theme.theme.value]}
      label={t('theme')}
      items={themes.map(name => ({
        icon: icons[name],
        label: t(`theme-${name}`),
        isChecked: theme.theme.value === name,
        onSelect: () => theme.choose(name),
      }))}
    />
  )
}

export function LanguageMenu() {
  const { failed } = useApp()
  const { t } = useTranslation()
  return (
    <Menu
      icon={Globe}
      label={t('language')}
      items={languageNames.map(([language, name]) => ({
        ...(language === currentLanguage() && { icon: Check }),
        label: name,
        lang: language,
        isChecked: language === currentLanguage(),
        onSelect: () => void chooseLanguage(language).catch(failed),
      }))}
    />
  )
}

/** The same two choices where the top bar has no room for them. */
export function AppearanceFields() {
  useSignals()
  const { theme, failed } = useApp()
  const { t } = useTranslation()
  return (
    <div className="appearance on-phones-only">
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
