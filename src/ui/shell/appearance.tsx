import { useSignals } from '@preact/signals-react/runtime'
import { Check, Globe, Monitor, Moon, Sun } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useApp } from '../app-context'
import { Menu } from '../components/menu'
import { chooseLanguage, currentLanguage, languageNames } from '../i18n'
import { themes, type Theme } from '../state/theme'

const icons = { system: Monitor, light: Sun, dark: Moon } satisfies Record<Theme, unknown>

/** The menu for a light or dark theme, or that of the system. */
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

/** The menu of languages, each by its own name. */
export function LanguageMenu() {
  const { failed } = useApp()
  const { t } = useTranslation()
  const current = currentLanguage()
  return (
    <Menu
      icon={Globe}
      label={t('language')}
      items={languageNames.map(([language, name]) => ({
        ...(language === current && { icon: Check }),
        label: name,
        lang: language,
        isChecked: language === current,
        onSelect: () => void chooseLanguage(language).catch(failed),
      }))}
    />
  )
}
