import type { TFunction } from 'i18next'
import {
  Check,
  CircleDashed,
  Download,
  EyeOff,
  ExternalLink,
  FileDown,
  Link as LinkIcon,
  ListPlus,
  ListStart,
  ListVideo,
  Merge,
  Pause,
  Podcast,
  RotateCw,
  Smartphone,
  Clock,
  SquareCheck,
  TextAlignStart,
  ThumbsUp,
  Trash2,
  X,
} from 'lucide-react'
import type { EpisodeWrapper } from '../../../shared/api/episode'
import type { AppState } from '../../app-context'
import { inGroups, type MenuItem } from '../../components/menu'
import { routes } from '../../routes'
import type { EpisodeActions } from './episode-actions'
import { isGone } from './episode-facts'
import { isNew } from './episode-target'

export type EpisodeMenuProps = {
  wrapper: EpisodeWrapper
  actions: EpisodeActions
  onPickPlaylist: () => void
  /** Absent if there is no room for a choice of episodes. */
  onPickSame?: () => void
  /** Selects the row, where rows can be selected. */
  onSelectRow?: (() => void) | undefined
  /** Leads to the podcast, where rows of several podcasts stand together. */
  showPodcast?: boolean
  /** Begins the menu with the entries of the player. */
  firstOf?: () => MenuItem[]
  /** Adds the entries of the list that the row is in. */
  moreOf: ((wrapper: EpisodeWrapper) => readonly MenuItem[]) | undefined
}

/** The entries of the menu of an episode, in their groups. */
export function itemsOf(props: EpisodeMenuProps, app: AppState, t: TFunction): MenuItem[] {
  const { wrapper, actions, onPickPlaylist, onPickSame, onSelectRow, showPodcast = false, firstOf, moreOf } = props
  const needs = { app, wrapper, actions, t, onSelectRow }
  return inGroups(
    firstOf?.() ?? [],
    [...queueItems(needs), { icon: ListVideo, label: t('add-to-a-playlist'), onSelect: onPickPlaylist }],
    [...opinionItems(needs), ...(moreOf?.(wrapper) ?? [])],
    titled(t('downloads'), fileItems(needs)),
    [
      ...(showPodcast ? [podcastItem(needs)] : []),
      ...linkItems(needs),
      ...sameItems(needs, onPickSame),
      ...selectItems(needs),
    ],
    deletionItems(needs),
  )
}

/** Adds a heading to a group of more than one entry. */
const titled = (group: string, [first, ...rest]: MenuItem[]): MenuItem[] =>
  first ? [rest.length > 0 ? { group, ...first } : first, ...rest] : []

type Needs = {
  app: AppState
  wrapper: EpisodeWrapper
  actions: EpisodeActions
  t: TFunction
  onSelectRow?: (() => void) | undefined
}
type DownloadNeeds = Omit<Needs, 'wrapper'> & { wrapper: Pick<EpisodeWrapper, 'podcastEpisode'> }

/** Absent for the episode that plays: it can't play next. */
const queueItems = ({ app, wrapper, actions, t }: Needs): MenuItem[] =>
  app.player.current.value?.episode.id === wrapper.podcastEpisode.id
    ? []
    : [
        { icon: ListStart, label: t('play-next'), onSelect: actions.queueNext },
        { icon: ListPlus, label: t('add-to-queue'), onSelect: actions.queueLast },
      ]

function newItems({ wrapper, actions, t }: Pick<Needs, 'wrapper' | 'actions' | 't'>): MenuItem[] {
  if (isNew(wrapper)) return [{ icon: X, label: t('mark-not-new'), onSelect: actions.toggleNew }]
  if (wrapper.podcastHistoryItem?.finished) return []
  return [{ icon: Clock, label: t('mark-new'), onSelect: actions.toggleNew }]
}

const opinionItems = ({ wrapper, actions, t }: Needs): MenuItem[] => [
  { icon: ThumbsUp, label: t(wrapper.podcastEpisode.favored ? 'unlike' : 'like'), onSelect: actions.toggleLike },
  wrapper.podcastHistoryItem?.finished
    ? { icon: CircleDashed, label: t('mark-unplayed'), onSelect: actions.markUnplayed }
    : { icon: Check, label: t('mark-played'), onSelect: actions.markPlayed },
  ...newItems({ wrapper, actions, t }),
  ...(isBegun(wrapper) ? [{ icon: EyeOff, label: t('remove-from-continue-listening'), onSelect: actions.hide }] : []),
]

const isBegun = ({ podcastHistoryItem: history }: EpisodeWrapper) => (history?.position ?? 0) > 0 && !history?.finished

const podcastItem = ({ wrapper, t }: Needs): MenuItem => ({
  icon: Podcast,
  label: t('open-podcast'),
  to: routes.episodes(wrapper.podcastEpisode.podcast_id),
})

/** Entries about the episode's audio: on the server, in this browser, in the folder of downloads. */
function fileItems({ app, wrapper: { podcastEpisode: episode }, actions, t }: Needs): MenuItem[] {
  const downloads = downloadItems({ app, wrapper: { podcastEpisode: episode }, actions, t })
  if (isGone(episode)) return downloads
  const device = app.kept.ids.value.has(episode.episode_id)
    ? { icon: Smartphone, label: t('remove-from-device'), onSelect: actions.removeFromDevice }
    : { icon: Smartphone, label: t('keep-offline'), onSelect: actions.keepOnDevice }
  const { mayUpload, config } = app.session
  const mayTranscribe =
    mayUpload.value && config.value?.transcriptionEnabled && episode.status && !episode.has_transcript
  return [
    ...downloads,
    ...(mayTranscribe ? [{ icon: TextAlignStart, label: t('transcribe'), onSelect: actions.transcribe }] : []),
    ...(app.kept.isPossible ? [device] : []),
    { icon: FileDown, label: t('save-file'), href: asDownload(episode.local_url) },
  ]
}

const linkItems = ({ wrapper: { podcastEpisode: episode }, actions, t }: Needs): MenuItem[] => [
  ...(episode.link ? [{ icon: ExternalLink, label: t('open-web-page'), href: episode.link }] : []),
  { icon: LinkIcon, label: t('copy-link'), onSelect: actions.copyLink },
]

const selectItems = ({ onSelectRow, t }: Needs): MenuItem[] =>
  onSelectRow ? [{ icon: SquareCheck, label: t('select'), onSelect: onSelectRow }] : []

const sameItems = ({ app, t }: Needs, onPickSame: (() => void) | undefined): MenuItem[] =>
  onPickSame && app.session.mayUpload.value ? [{ icon: Merge, label: t('same-episode-as'), onSelect: onPickSame }] : []

/** Entries that a wide row shows as buttons, too. */
function downloadItems({ app, wrapper: { podcastEpisode: episode }, actions, t }: DownloadNeeds): MenuItem[] {
  if (!app.session.mayUpload.value || episode.status || episode.superseded) return []
  const live = app.downloads.byEpisode.value.get(episode.episode_id)
  const cancel = { icon: X, label: t('cancel-download'), onSelect: actions.removeDownload }
  if (!live) return [{ icon: Download, label: t('download-to-server'), onSelect: actions.download }]
  if (live.state === 'running')
    return [{ icon: Pause, label: t('pause-download'), onSelect: actions.pauseDownload }, cancel]
  if (live.state === 'queued') return [cancel]
  const label = t(live.state === 'paused' ? 'resume-download' : 'download-again')
  return [{ icon: RotateCw, label, onSelect: actions.download }, cancel]
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
