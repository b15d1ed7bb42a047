import { useSignals } from '@preact/signals-react/runtime'
import {
  CheckCheck,
  CircleDashed,
  CirclePause,
  CirclePlay,
  Download,
  Ellipsis,
  Gauge,
  Info,
  RefreshCw,
  Rss,
  Settings2,
  Tags as TagsIcon,
  Trash2,
  X,
} from 'lucide-react'
import { clearNew } from '../../library/episodes/new-episodes'
import { useCallback, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { KnownPodcast, PodcastExtras } from '../../../shared/api/podcast'
import { useApp } from '../../app-context'
import { formatRelative } from '../../format'
import { Menu, type MenuItem } from '../../components/menu'
import { useCopyFeed } from '../../library/forms/copy'
import {
  AboutDialog,
  DeletePodcastDialog,
  DownloadAllDialog,
  PodcastSettingsDialog,
  PreferencesDialog,
  TagsDialog,
} from './dialogs'
import type { MarkPodcast } from '../../library/episodes/use-bulk-actions'

const dialogs = {
  about: AboutDialog,
  tags: TagsDialog,
  preferences: PreferencesDialog,
  downloads: DownloadAllDialog,
  settings: PodcastSettingsDialog,
  deletion: DeletePodcastDialog,
}
type DialogName = keyof typeof dialogs
type Open = (dialog: DialogName) => void

export { PodcastAside } from './podcast-aside'

type Props = { podcast: KnownPodcast; extras: PodcastExtras | null; onMark: MarkPodcast }

/** All actions on a podcast and on all its episodes at once. */
export function PodcastMenu({ podcast, extras, onMark }: Props) {
  const { t } = useTranslation()
  const [open, setOpen] = useState<DialogName | null>(null)
  const close = useCallback(() => setOpen(null), [])
  const items = [
    ...useOwnItems(podcast, setOpen),
    ...useEpisodeItems(podcast, onMark, setOpen),
    ...useUpkeepItems(podcast, setOpen),
  ]
  const Dialog = open && dialogs[open]
  return (
    <>
      <Menu icon={Ellipsis} label={t('more-of', { name: podcast.name })} heading={podcast.name} items={items} />
      {Dialog && <Dialog podcast={podcast} extras={extras} onClose={close} />}
    </>
  )
}

/** Entries that concern this user only. */
function useOwnItems({ podfetch_feed: feed }: KnownPodcast, onOpen: Open): MenuItem[] {
  const { t } = useTranslation()
  const { copyAddress } = useCopyFeed()
  return [
    { icon: Info, label: t('about-podcast'), onSelect: () => onOpen('about') },
    { icon: TagsIcon, label: t('edit-tags'), onSelect: () => onOpen('tags') },
    { icon: Gauge, label: t('preferences'), onSelect: () => onOpen('preferences') },
    ...(feed ? [{ icon: Rss, label: t('copy-feed-address'), onSelect: () => void copyAddress(feed) }] : []),
  ]
}

/** Entries that concern all episodes. */
function useEpisodeItems({ id, new_count }: KnownPodcast, onMark: MarkPodcast, onOpen: Open): MenuItem[] {
  useSignals()
  const app = useApp()
  const { session } = app
  const { t } = useTranslation()
  return [
    { group: '', icon: CheckCheck, label: t('mark-all-played'), onSelect: () => onMark(true) },
    { icon: CircleDashed, label: t('mark-all-unplayed'), onSelect: () => onMark(false) },
    ...(new_count > 0
      ? [{ icon: X, label: t('mark-none-new'), onSelect: () => void clearNew(app, id).catch(app.failed) }]
      : []),
    ...(session.mayUpload.value
      ? [{ icon: Download, label: t('download-all'), onSelect: () => onOpen('downloads') }]
      : []),
  ]
}

/** Entries that concern all users, for those who may use them. */
function useUpkeepItems({ id, active, feed_state }: KnownPodcast, onOpen: Open): MenuItem[] {
  useSignals()
  const { library, session, feedChecks, failed } = useApp()
  const { t } = useTranslation()
  if (!session.mayUpload.value) return []
  const hasFeed = feed_state !== 'none'
  const checkedAt = feedChecks.byId.value.get(id)?.last_checked_at
  const refresh: MenuItem = {
    group: checkedAt ? t('checked', { when: formatRelative(checkedAt) }) : '',
    icon: RefreshCw,
    label: t(library.refreshing.value.has(id) ? 'refreshing' : 'refresh'),
    onSelect: () => void library.refresh(id).catch(failed),
  }
  const updates: MenuItem = {
    icon: active ? CirclePause : CirclePlay,
    label: active ? t('stop-updates') : t('resume-updates'),
    onSelect: () => void library.setActive(id, !active).catch(failed),
  }
  const settings: MenuItem = {
    icon: Settings2,
    label: t('podcast-settings'),
    onSelect: () => onOpen('settings'),
  }
  return [
    ...(hasFeed ? [refresh, settings, updates] : [{ ...settings, group: '' }]),
    { icon: Trash2, label: t('delete-podcast'), isDanger: true, onSelect: () => onOpen('deletion') },
  ]
}
