import { useSignals } from '@preact/signals-react/runtime'
import {
  CircleUserRound,
  Globe,
  Info,
  Keyboard,
  LogOut,
  Monitor,
  Moon,
  Settings as SettingsIcon,
  ShieldCheck,
  Sun,
  UserRound,
} from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApp } from '../app-context'
import { lazily } from '../components/lazily'
import { Menu, type MenuItem } from '../components/menu'
import { routes } from '../routes'
import { themes, type Theme } from '../state/theme'
import { useAccountPlaces } from './use-account-places'

const LanguageDialog = lazily(async () => (await import('./language-dialog')).LanguageDialog)

const themeIcons = { system: Monitor, light: Sun, dark: Moon } satisfies Record<Theme, unknown>

/** The menu of the signed-in user, with the theme and the language of this browser. */
export function UserMenu() {
  useSignals()
  const { session, failed, keysHelp, theme } = useApp()
  const { t } = useTranslation()
  const { maySettings, mayAdminister, signsIn } = useAccountPlaces()
  const [isChoosing, setChoosing] = useState(false)
  const items: (MenuItem | false)[] = [
    { icon: Info, label: t('system-info'), to: routes.info },
    { icon: UserRound, label: t('profile'), to: routes.profile },
    maySettings && { icon: SettingsIcon, label: t('settings'), to: routes.settings },
    mayAdminister && { icon: ShieldCheck, label: t('administration'), to: routes.users },
    ...themes.map((name, index): MenuItem => ({
      ...(index === 0 && { group: t('theme') }),
      icon: themeIcons[name],
      label: t(`theme-${name}`),
      isChecked: theme.theme.value === name,
      onSelect: () => theme.choose(name),
    })),
    { group: '', icon: Globe, label: t('language'), onSelect: () => setChoosing(true) },
    { icon: Keyboard, label: t('keys'), onSelect: keysHelp.open },
    signsIn && { icon: LogOut, label: t('log-out'), onSelect: () => void session.logOut().catch(failed) },
  ]
  return (
    <>
      <Menu
        icon={CircleUserRound}
        label={t('account')}
        text={session.user.value?.username}
        heading={session.user.value?.username}
        items={items.filter(item => item !== false)}
      />
      {isChoosing && <LanguageDialog onClose={() => setChoosing(false)} />}
    </>
  )
}
