import { useSignals } from '@preact/signals-react/runtime'
import {
  CirclePause,
  CirclePlay,
  Ellipsis,
  ExternalLink,
  Gauge,
  HandCoins,
  Rss,
  Settings2,
  Tags as TagsIcon,
  Trash2,
} from 'lucide-react'
import { useCallback, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Podcast, PodcastExtras } from '../../../shared/api/podcast'
import { useApp } from '../../app-context'
import { Menu, type MenuItem } from '../../components/menu'
import { copyText } from '../../device/clipboard'
import { DeletePodcastDialog, PodcastSettingsDialog, PreferencesDialog, TagsDialog } from './dialogs'

const dialogs = {
  tags: TagsDialog,
  preferences: PreferencesDialog,
  settings: PodcastSettingsDialog,
  deletion: DeletePodcastDialog,
}
type DialogName = keyof typeof dialogs

/** The menu of a podcast. */
export function PodcastMenu({ podcast, extras }: { podcast: Podcast; extras: PodcastExtras | null }) {
  const { t } = useTranslation()
  const [open, setOpen] = useState<DialogName | null>(null)
  const close = useCallback(() => setOpen(null), [])
  const items = [
    ...useOwnItems(podcast, setOpen),
    ...useLinkItems(podcast, extras),
    ...useUpkeepItems(podcast, setOpen),
  ]
  const Dialog = open && dialogs[open]
  return (
    <>
      <Menu icon={Ellipsis} label={t('more-of', { name: podcast.name })} items={items} />
      {Dialog && <Dialog podcast={podcast} onClose={close} />}
    </>
  )
}

/** Entries that concern this user only. */
function useOwnItems({ podfetch_feed: feed }: Podcast, onOpen: (dialog: DialogName) => void): MenuItem[] {
  const { toasts } = useApp()
  const { t } = useTranslation()
  async function copyFeed() {
    if (await copyText(feed)) toasts.done(t('feed-address-copied'))
    else toasts.failed(t('link-not-copied', { link: feed }))
  }
  return [
    { icon: TagsIcon, label: t('edit-tags'), onSelect: () => onOpen('tags') },
    { icon: Gauge, label: t('preferences'), onSelect: () => onOpen('preferences') },
    { icon: Rss, label: t('copy-feed-address'), onSelect: () => void copyFeed() },
  ]
}

/** Links to the podcast's own pages. */
function useLinkItems({ link }: Podcast, extras: PodcastExtras | null): MenuItem[] {
  const { t } = useTranslation()
  return [
    ...(link ? [{ icon: ExternalLink, label: t('open-web-page'), href: link }] : []),
    ...(extras?.funding ?? []).map(({ url, text }) => ({
      icon: HandCoins,
      label: text || t('support-podcast'),
      href: url,
    })),
  ]
}

/** Entries that concern all users, for those who may use them. */
function useUpkeepItems({ id, active }: Podcast, onOpen: (dialog: DialogName) => void): MenuItem[] {
  useSignals()
  const { library, session, failed } = useApp()
  const { t } = useTranslation()
  if (!session.mayUpload.value) return []
  return [
    { icon: Settings2, label: t('podcast-settings'), onSelect: () => onOpen('settings') },
    {
      icon: active ? CirclePause : CirclePlay,
      label: active ? t('stop-updates') : t('resume-updates'),
      onSelect: () => void library.setActive(id, !active).catch(failed),
    },
    { icon: Trash2, label: t('delete-podcast'), isDanger: true, onSelect: () => onOpen('deletion') },
  ]
}
