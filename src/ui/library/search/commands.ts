import { useSignals } from '@preact/signals-react/runtime'
import type { TFunction } from 'i18next'
import {
  ChartColumn,
  Clock,
  Download,
  HardDriveDownload,
  Heart,
  House,
  Info,
  Keyboard,
  LayoutGrid,
  ListChecks,
  ListVideo,
  Monitor,
  Moon,
  Plus,
  RefreshCw,
  Settings,
  Sun,
  Tags,
  UserRound,
  UsersRound,
  type LucideIcon,
} from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'wouter'
import { useApp, type AppState } from '../../app-context'
import { administrationTabs, routes, settingsGroups } from '../../routes'
import { themes } from '../../state/preferences'

/** Something that the search can do besides finding: a page to open, or a command. */
export type Command = { id: string; title: string; about: string; icon: LucideIcon; run: () => void }

const pages: readonly [key: string, to: string, icon: LucideIcon][] = [
  ['home', routes.home, House],
  ['all-subscriptions', routes.podcasts, LayoutGrid],
  ['favorites', routes.favorites, Heart],
  ['timeline', routes.timeline, Clock],
  ['tags', routes.tags, Tags],
  ['your-episodes', routes.yours('liked'), ListChecks],
  ['persons', routes.people, UsersRound],
  ['playlists', routes.playlists, ListVideo],
  ['downloads', routes.downloads, Download],
  ['on-this-device', routes.device, HardDriveDownload],
  ['statistics', routes.statistics, ChartColumn],
  ['system-info', routes.info, Info],
  ['profile', routes.profile, UserRound],
]
const themeIcons = { system: Monitor, light: Sun, dark: Moon }

/** Lists every page and command that the user may open, in the words of their language. */
export function useCommands(): Command[] {
  useSignals()
  const app = useApp()
  const { isAdmin, isOpen, mayUpload } = app.session
  const { t } = useTranslation()
  const [, navigate] = useLocation()
  const page = (id: string, title: string, to: string, icon: LucideIcon, about = t('page')): Command => ({
    id: `page-${id}`,
    title,
    about,
    icon,
    run: () => navigate(to),
  })
  return [
    ...commandsOf(app, t),
    ...pages.map(([key, to, icon]) => page(key, t(key), to, icon)),
    ...Object.values(settingsGroups(isAdmin.value, mayUpload.value))
      .flat()
      .map(tab => page(tab, t(`settings-${tab}`), routes.settingsOf(tab), Settings, t('settings'))),
    // Without accounts there is nobody to administer.
    ...(isAdmin.value && !isOpen.value
      ? administrationTabs.map(tab => page(tab, t(tab), routes[tab], UsersRound, t('administration')))
      : []),
  ]
}

function commandsOf({ theme, session, library, addPodcast, keysHelp, failed }: AppState, t: TFunction): Command[] {
  const command = (id: string, title: string, about: string, icon: LucideIcon, run: () => void) => ({
    id,
    title,
    about,
    icon,
    run,
  })
  return [
    ...themes.map(name =>
      command(`theme-${name}`, t(`theme-command-${name}`), t('theme'), themeIcons[name], () => theme.choose(name)),
    ),
    ...(session.mayUpload.value
      ? [
          command('check-all', t('check-all-now'), t('all-subscriptions'), RefreshCw, () => {
            library.refreshAll().catch(failed)
          }),
        ]
      : []),
    ...(session.mayAdd.value
      ? [command('add', t('add-podcast'), t('all-subscriptions'), Plus, () => addPodcast.open())]
      : []),
    command('keys', t('keys'), t('page'), Keyboard, keysHelp.open),
  ]
}
