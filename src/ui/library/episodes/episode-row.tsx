import { Check, ListEnd } from 'lucide-react'
import { memo, useId, useState } from 'react'
import type { EpisodeWrapper } from '../../../shared/api/episode'
import { useApp } from '../../app-context'
import type { MenuItem } from '../../components/menu'
import { PickPlaylistDialog } from '../playlists'
import { DownloadButton } from './download-button'
import { episodeActions } from './episode-actions'
import { EpisodeCover } from '../covers/episode-cover'
import { EpisodeDetails } from './episode-details'
import { EpisodeFacts, ProgressLine } from './episode-facts'
import { EpisodeMenu } from './episode-menu'
import { isGone } from './is-gone'
import { PlayButton } from './play-button'
import { useEpisodePlayback } from './use-episode-playback'
import { useSwipe, type Swipe } from './use-swipe'
import './episode-row.css'

type Props = {
  wrapper: EpisodeWrapper
  podcastName: string
  /** Names the podcast, where rows of several podcasts stand together. */
  showPodcast?: boolean
  isOpen: boolean
  /** The second that a link points to. */
  moment?: number | null
  onToggle: (id: string) => void
  /** Adds entries to the episode's menu. */
  moreOf?: ((wrapper: EpisodeWrapper) => readonly MenuItem[]) | undefined
}

/**
 * One episode: its facts, its progress and its actions. A click opens the notes in place. Memoised, because a list
 * draws its rows again at every turn of the wheel.
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
  const app = useApp()
  const detailsId = useId()
  const [isPicking, setPicking] = useState(false)
  const { podcastEpisode: episode } = wrapper
  const playback = useEpisodePlayback(wrapper)
  const actions = episodeActions(app, wrapper, podcastName)
  const swipe = useSwipe({
    onRight: actions.queueLast,
    onLeft: playback.isFinished ? actions.markUnplayed : actions.markPlayed,
  })

  return (
    <article
      className={`episode ${playback.isCurrent ? 'is-current' : ''} ${playback.isFinished ? 'is-finished' : ''}`}
    >
      <SwipeHint swipe={swipe} />
      <div
        className="episode-head"
        style={swipe.offset === null ? undefined : { translate: `${swipe.offset}px` }}
        {...swipe.handlers}
      >
        <EpisodeCover episode={episode} podcastName={podcastName} size={64} />
        <div className="episode-text">
          <Title name={episode.name} detailsId={detailsId} isOpen={isOpen} onToggle={() => onToggle(episode.id)} />
          <EpisodeFacts episode={episode} podcastName={showPodcast ? podcastName : null} playback={playback} />
          <ProgressLine playback={playback} />
        </div>
        <div className="episode-actions">
          <DownloadButton episode={episode} onDownload={actions.download} onCancel={actions.removeDownload} />
          <PlayButton
            name={episode.name}
            isPlaying={playback.isPlaying}
            className="episode-play"
            isDisabled={isGone(episode)}
            onClick={playback.isPlaying ? app.player.pause : actions.play}
          />
          <EpisodeMenu wrapper={wrapper} actions={actions} onPickPlaylist={() => setPicking(true)} moreOf={moreOf} />
        </div>
      </div>
      {isPicking && <PickPlaylistDialog episode={episode} onClose={() => setPicking(false)} />}
      {isOpen && <EpisodeDetails id={detailsId} episode={episode} moment={moment} onPlayAt={actions.playAt} />}
    </article>
  )
})

/** Shows behind the row what a swipe will do. */
function SwipeHint({ swipe: { offset, isEnough } }: { swipe: Swipe }) {
  if (offset === null) return null
  return (
    <span className={`episode-swipe ${offset > 0 ? 'is-right' : 'is-left'} ${isEnough ? 'is-enough' : ''}`}>
      {offset > 0 ? <ListEnd size={22} /> : <Check size={22} />}
    </span>
  )
}

type TitleProps = { name: string; detailsId: string; isOpen: boolean; onToggle: () => void }

/** The name, a button that opens the details. Its click area is the whole row. */
function Title({ name, detailsId, isOpen, onToggle }: TitleProps) {
  return (
    <h3>
      <button
        type="button"
        className="episode-open"
        aria-expanded={isOpen}
        aria-controls={detailsId}
        onClick={onToggle}
      >
        {name}
      </button>
    </h3>
  )
}
