import { useSignals } from '@preact/signals-react/runtime'
import { Check, Globe, Monitor, Moon, Sun } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useApp } from '../app-context'
import { chooseLanguage, currentLanguage, languageNames } from '../i18n'
import { themes, type Theme } from '../state/theme'
import { Menu } from '../components/menu'

const icons = { system: Monitor, light: Sun, dark: Moon } satisfies Record<Theme, unknown>

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
