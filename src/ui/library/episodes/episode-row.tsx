import { useSignals } from '@preact/signals-react/runtime'
import {
  ArrowDownToLine,
  Check,
  CircleCheck,
  CircleDashed,
  Download,
  Ellipsis,
  ExternalLink,
  Link as LinkIcon,
  Heart,
  ListEnd,
  ListPlus,
  ListStart,
  Pause,
  Play,
  RotateCw,
  Smartphone,
  Trash2,
  X,
} from 'lucide-react'
import type { TFunction } from 'i18next'
import { memo, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { Episode, EpisodeWrapper } from '../../../shared/api/episode'
import { formatDuration } from '../../../shared/duration'
import { useApp } from '../../app-context'
import { type AppState } from '../../app-context'
import { formatDate, formatMinutes } from '../../format'
import { lazily } from '../../components/lazily'
import { routes } from '../../routes'
import { Cover } from '../../components/cover'
import { DownloadRing } from '../../components/download-ring'
import { IconButton } from '../../components/icon-button'
import { Menu, type MenuItem } from '../../components/menu'
import { PickPlaylistDialog } from '../playlists'
import { episodeActions } from './episode-actions'
import { useSwipe } from './use-swipe'
import './episode-row.css'

type Props = {
  wrapper: EpisodeWrapper
  podcastName: string
  /** Where rows of several podcasts stand together. */
  showPodcast?: boolean
  isOpen: boolean
  /** The second that somebody came for. */
  moment?: number | null
  onToggle: (id: string) => void
  /** What the list that it stands in adds to its menu. */
  moreOf?: (wrapper: EpisodeWrapper) => readonly MenuItem[]
}

const Chapters = lazily(async () => (await import('./episode-texts')).Chapters)
const Transcript = lazily(async () => (await import('./episode-texts')).Transcript)

/**
 * One episode: what it is, where the listener is in it, and what can be done. A click opens the notes in place. Drawn anew
 * only when its own things change, since lists draw themselves at every turn of the wheel.
 */
export const EpisodeRow = memo(function EpisodeRow({
  wrapper,
  podcastName,
  showPodcast = false,
  isOpen,
  moment = null,
  onToggle,
  moreOf,
}: Props) {
  useSignals()
  const app = useApp()
  const { t } = useTranslation()
  const notesId = useId()
  const [isPicking, setPicking] = useState(false)
  const { podcastEpisode: episode, podcastHistoryItem: history } = wrapper
  const isCurrent = app.player.current.value?.episode.id === episode.id
  const isPlaying = isCurrent && app.player.isPlaying.value
  const position = isCurrent ? app.player.position.value : (history?.position ?? 0)
  const total = (isCurrent && app.player.duration.value) || history?.total || episode.total_time
  const isFinished = !isPlaying && (history?.finished ?? false)
  const actions = episodeActions(app, wrapper, podcastName)
  const keeping = app.kept.running.value.get(episode.episode_id)
  const swipe = useSwipe({
    onRight: () => void actions.queue('last'),
    onLeft: () => void actions.markListened(!isFinished),
  })

  return (
    <article className={`episode ${isCurrent ? 'is-current' : ''} ${isFinished ? 'is-finished' : ''}`}>
      {swipe.offset !== null && (
        <span
          className={`episode-swipe ${swipe.offset > 0 ? 'is-right' : 'is-left'} ${swipe.isEnough ? 'is-enough' : ''}`}
        >
          {swipe.offset > 0 ? <ListEnd size={22} /> : <Check size={22} />}
        </span>
      )}
      <div
        className="episode-head"
        style={swipe.offset === null ? undefined : { translate: `${swipe.offset}px` }}
        {...swipe.handlers}
      >
        <Cover
          src={episode.local_image_url}
          name={podcastName || episode.name}
          isMissing={episode.image_url === ''}
          size={64}
        />
        <div className="episode-text">
          <h3>
            <button
              type="button"
              className="episode-open"
              aria-expanded={isOpen}
              aria-controls={notesId}
              onClick={() => onToggle(episode.id)}
            >
              {episode.name}
            </button>
          </h3>
          <p className="muted">
            {showPodcast && (
              <>
                <Link href={routes.episodes(episode.podcast_id)}>{podcastName}</Link>
                {' · '}
              </>
            )}
            <time dateTime={episode.date_of_recording}>{formatDate(episode.date_of_recording)}</time>
            <Progress position={position} total={total} isFinished={isFinished} t={t} />
            {isGone(episode) && ` · ${t('not-available')}`}
            {episode.episode_type !== 'full' && ` · ${t(`episode-type-${episode.episode_type}`)}`}
            {app.kept.ids.value.has(episode.episode_id) && (
              <Smartphone className="episode-mark" size={14} role="img" aria-label={t('on-this-device')} />
            )}
            {keeping !== undefined && ` · ${t('keeping', { percent: Math.round(100 * keeping) })}`}
            {episode.favored && (
              <Heart className="episode-liked" size={14} role="img" aria-label={t('liked')} fill="currentColor" />
            )}
          </p>
          {position > 0 && !isFinished && total > 0 && (
            <span
              className="episode-progress"
              style={{ '--share': `${Math.min(100, (100 * position) / total)}%` } as React.CSSProperties}
            />
          )}
        </div>
        <div className="episode-actions">
          <DownloadButton
            app={app}
            wrapper={wrapper}
            t={t}
            onDownload={actions.download}
            onCancel={actions.removeDownload}
          />
          <IconButton
            icon={isPlaying ? Pause : Play}
            label={isPlaying ? t('pause-episode', { name: episode.name }) : t('play-episode', { name: episode.name })}
            className="episode-play"
            disabled={isGone(episode)}
            onClick={isPlaying ? app.player.pause : actions.play}
          />
          <Menu
            icon={Ellipsis}
            label={t('more-of', { name: episode.name })}
            items={() =>
              menuItems(wrapper, actions, t, app.session.mayUpload.value, [
                { icon: ListPlus, label: t('add-to-a-playlist'), onSelect: () => setPicking(true) },
                ...(app.kept.isPossible && !isGone(episode) ? [keepItem(app, wrapper, t, actions)] : []),
                ...(moreOf?.(wrapper) ?? []),
              ])
            }
          />
        </div>
      </div>
      {isPicking && <PickPlaylistDialog episode={episode} onClose={() => setPicking(false)} />}
      {isOpen && (
        <div id={notesId} className="episode-details">
          <Notes html={episode.description} t={t} />
          {(episode.has_chapters || episode.chapters_unread) && (
            <Chapters episodeId={episode.id} unread={episode.chapters_unread} onPlayAt={actions.playAt} />
          )}
          {episode.has_transcript && <Transcript episodeId={episode.id} moment={moment} onPlayAt={actions.playAt} />}
        </div>
      )}
    </article>
  )
})

function Progress({
  position,
  total,
  isFinished,
  t,
}: {
  position: number
  total: number
  isFinished: boolean
  t: TFunction
}) {
  if (isFinished)
    return (
      <>
        {' · '}
        <span className="episode-played">
          <Check size={14} aria-hidden="true" /> {t('played')}
        </span>
      </>
    )
  if (total === 0) return null
  if (position > 0) return <> · {t('time-left', { time: formatMinutes(Math.max(0, total - position)) })}</>
  return (
    <>
      {' · '}
      <span className="numbers">{formatDuration(total)}</span>
    </>
  )
}

function DownloadButton({
  app,
  wrapper,
  t,
  onDownload,
  onCancel,
}: {
  app: AppState
  wrapper: EpisodeWrapper
  t: TFunction
  onDownload: () => void
  onCancel: () => void
}) {
  useSignals()
  const { podcastEpisode: episode } = wrapper
  const live = app.downloads.byEpisode.value.get(episode.episode_id)
  if (episode.status)
    return (
      <span className="episode-downloaded" role="img" aria-label={t('downloaded')} title={t('downloaded')}>
        <CircleCheck size={20} strokeWidth={1.75} aria-hidden="true" />
      </span>
    )
  if (!app.session.mayUpload.value || episode.superseded) return null
  if (!live)
    return (
      <IconButton icon={ArrowDownToLine} label={t('download-episode', { name: episode.name })} onClick={onDownload} />
    )
  if (live.state === 'failed' || live.state === 'paused')
    return (
      <IconButton
        icon={RotateCw}
        label={t(`download-${live.state}-retry`, { name: episode.name })}
        className={`is-${live.state}`}
        onClick={onDownload}
      />
    )
  const share = live.totalBytes ? live.receivedBytes / live.totalBytes : null
  const percent = share === null ? null : Math.round(share * 100)
  return (
    <IconButton
      icon={live.state === 'running' ? X : CircleDashed}
      label={t(`download-${live.state}-cancel`, { name: episode.name, percent: percent ?? 0 })}
      className="is-downloading"
      data-percent={percent ?? undefined}
      onClick={onCancel}
    >
      {live.state === 'running' && <DownloadRing share={share} />}
    </IconButton>
  )
}

function menuItems(
  { podcastEpisode: episode, podcastHistoryItem }: EpisodeWrapper,
  actions: ReturnType<typeof episodeActions>,
  t: TFunction,
  mayUpload: boolean,
  more: readonly MenuItem[],
): MenuItem[] {
  const isFinished = podcastHistoryItem?.finished ?? false
  return [
    { icon: ListStart, label: t('play-next'), onSelect: () => actions.queue('next') },
    { icon: ListEnd, label: t('add-to-queue'), onSelect: () => actions.queue('last') },
    {
      icon: Heart,
      label: episode.favored ? t('unlike') : t('like'),
      onSelect: actions.toggleLike,
    },
    isFinished
      ? { icon: CircleDashed, label: t('mark-unplayed'), onSelect: () => actions.markListened(false) }
      : { icon: Check, label: t('mark-played'), onSelect: () => actions.markListened(true) },
    ...more,
    ...(episode.status || episode.download_state || !mayUpload || episode.superseded
      ? []
      : [{ icon: ArrowDownToLine, label: t('download-to-server'), onSelect: actions.download }]),
    ...(isGone(episode) ? [] : [{ icon: Download, label: t('save-to-computer'), href: asDownload(episode.local_url) }]),
    ...(episode.link ? [{ icon: ExternalLink, label: t('open-web-page'), href: episode.link }] : []),
    { icon: LinkIcon, label: t('copy-link'), onSelect: actions.copyLink },
    ...(episode.status && mayUpload
      ? [{ icon: Trash2, label: t('delete-file'), isDanger: true, onSelect: actions.removeDownload }]
      : []),
  ]
}

/** A newer episode lies at its address, and its file is not here: it can no longer be had. */
const isGone = ({ superseded, status }: Episode) => superseded && !status

/** On this device, or on its way there. */
function keepItem(
  app: AppState,
  { podcastEpisode: { episode_id: eid } }: EpisodeWrapper,
  t: TFunction,
  actions: ReturnType<typeof episodeActions>,
): MenuItem {
  return app.kept.ids.value.has(eid)
    ? { icon: Smartphone, label: t('remove-from-device'), onSelect: () => void app.kept.remove(eid).catch(app.failed) }
    : { icon: Smartphone, label: t('keep-on-device'), onSelect: actions.keep }
}

function asDownload(address: string): string {
  const url = new URL(address)
  url.searchParams.set('download', '1')
  return url.href
}

/** The server has made them safe. */
function Notes({ html, t }: { html: string; t: TFunction }) {
  if (html === '') return <p className="episode-notes muted">{t('no-notes')}</p>
  return <div className="episode-notes" dangerouslySetInnerHTML={{ __html: html }} />
}
