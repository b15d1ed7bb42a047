import {
  ArrowDownToLine,
  Check,
  CircleDashed,
  Download,
  Ellipsis,
  ExternalLink,
  Heart,
  Link as LinkIcon,
  ListEnd,
  ListPlus,
  ListStart,
  Smartphone,
  Trash2,
} from 'lucide-react'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import type { EpisodeWrapper } from '../../../shared/api/episode'
import { useApp, type AppState } from '../../app-context'
import { Menu, type MenuItem } from '../../components/menu'
import type { EpisodeActions } from './episode-actions'
import { isGone } from './is-gone'

type Props = {
  wrapper: EpisodeWrapper
  actions: EpisodeActions
  onPickPlaylist: () => void
  /** Adds the entries of the list that the row stands in. */
  moreOf: ((wrapper: EpisodeWrapper) => readonly MenuItem[]) | undefined
}

/** The menu of an episode. */
export function EpisodeMenu({ wrapper, actions, onPickPlaylist, moreOf }: Props) {
  const app = useApp()
  const { t } = useTranslation()
  const needs = { app, wrapper, actions, t }
  return (
    <Menu
      icon={Ellipsis}
      label={t('more-of', { name: wrapper.podcastEpisode.name })}
      items={() => [
        ...listeningItems(needs),
        { icon: ListPlus, label: t('add-to-a-playlist'), onSelect: onPickPlaylist },
        ...deviceItems(needs),
        ...(moreOf?.(wrapper) ?? []),
        ...copyItems(needs),
        ...deletionItems(needs),
      ]}
    />
  )
}

type Needs = { app: AppState; wrapper: EpisodeWrapper; actions: EpisodeActions; t: TFunction }

const listeningItems = ({ wrapper, actions, t }: Needs): MenuItem[] => [
  { icon: ListStart, label: t('play-next'), onSelect: actions.queueNext },
  { icon: ListEnd, label: t('add-to-queue'), onSelect: actions.queueLast },
  { icon: Heart, label: t(wrapper.podcastEpisode.favored ? 'unlike' : 'like'), onSelect: actions.toggleLike },
  wrapper.podcastHistoryItem?.finished
    ? { icon: CircleDashed, label: t('mark-unplayed'), onSelect: actions.markUnplayed }
    : { icon: Check, label: t('mark-played'), onSelect: actions.markPlayed },
]

function deviceItems({ app, wrapper: { podcastEpisode: episode }, actions, t }: Needs): MenuItem[] {
  if (!app.kept.isPossible || isGone(episode)) return []
  return app.kept.ids.value.has(episode.episode_id)
    ? [{ icon: Smartphone, label: t('remove-from-device'), onSelect: actions.removeFromDevice }]
    : [{ icon: Smartphone, label: t('keep-on-device'), onSelect: actions.keepOnDevice }]
}

function copyItems({ app, wrapper: { podcastEpisode: episode }, actions, t }: Needs): MenuItem[] {
  const mayDownload = app.session.mayUpload.value && !episode.status && !episode.download_state && !episode.superseded
  return [
    ...(mayDownload ? [{ icon: ArrowDownToLine, label: t('download-to-server'), onSelect: actions.download }] : []),
    ...(isGone(episode) ? [] : [{ icon: Download, label: t('save-to-computer'), href: asDownload(episode.local_url) }]),
    ...(episode.link ? [{ icon: ExternalLink, label: t('open-web-page'), href: episode.link }] : []),
    { icon: LinkIcon, label: t('copy-link'), onSelect: actions.copyLink },
  ]
}

const deletionItems = ({ app, wrapper: { podcastEpisode: episode }, actions, t }: Needs): MenuItem[] =>
  episode.status && app.session.mayUpload.value
    ? [{ icon: Trash2, label: t('delete-file'), isDanger: true, onSelect: actions.removeDownload }]
    : []

/** The address that makes a browser save the file instead of playing it. */
function asDownload(address: string): string {
  const url = new URL(address)
  url.searchParams.set('download', '1')
  return url.href
}
