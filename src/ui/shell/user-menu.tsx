import { useSignals } from '@preact/signals-react/runtime'
import { CircleUserRound, Info, Keyboard, LogOut, Settings as SettingsIcon, ShieldCheck, UserRound } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useApp } from '../app-context'
import { routes } from '../routes'
import { Menu, type MenuItem } from '../components/menu'

/** The menu of the signed-in user. */
export function UserMenu() {
  useSignals()
  const { session, failed, keysHelp } = useApp()
  const { t } = useTranslation()
  const { basicAuth, oidcConfigured } = session.config.value!
  const signsIn = basicAuth || oidcConfigured
  const items: (MenuItem | false)[] = [
    { icon: Info, label: t('system-info'), to: routes.info },
    { icon: UserRound, label: t('profile'), to: routes.profile },
    (session.isAdmin.value || !(basicAuth && oidcConfigured)) && {
      icon: SettingsIcon,
      label: t('settings'),
      to: routes.settings,
    },
    // Without accounts there is nobody to administer.
    session.isAdmin.value &&
      !session.isOpen.value && { icon: ShieldCheck, label: t('administration'), to: routes.users },
    { icon: Keyboard, label: t('keys'), onSelect: keysHelp.open },
    signsIn && { icon: LogOut, label: t('log-out'), onSelect: () => void session.logOut().catch(failed) },
  ]
  return (
    <Menu
      icon={CircleUserRound}
      label={t('account')}
      text={session.user.value?.username}
      items={items.filter(item => item !== false)}
    />
  )
}
