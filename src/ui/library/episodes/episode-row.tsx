import { useSignals } from '@preact/signals-react/runtime'
import { Check, CircleDashed, ListPlus } from 'lucide-react'
import { type CSSProperties, type KeyboardEvent, memo, type MouseEvent, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Episode, EpisodeWrapper } from '../../../shared/api/episode'
import type { Playlist } from '../../../shared/api/playlist'
import { useApp } from '../../app-context'
import { langOf } from '../../format'
import { IconButton } from '../../components/buttons'
import { lazily } from '../../components/lazily'
import type { MenuItem } from '../../components/menu'
import type { LiveDownload } from '../../state/live-state'
import type { Selection } from '../../state/selection'
import { useDerived } from '../../use-derived'
import { EpisodeCover } from '../covers'
import { PickPlaylistDialog } from '../playlists'
import { DownloadButton } from './download-button'
import { episodeActions, type EpisodeActions } from './episode-actions'
import { EpisodeDate, EpisodeFacts, EpisodeLength, isGone } from './episode-facts'
import './episode-row.css'
import { EpisodeMenu } from './episode-menu'
import { type EpisodePlayback, PlayButton, useEpisodePlayback } from './play-button'
import { type SwipeState, useSwipe } from './use-swipe'

const EpisodeDetails = lazily(async () => (await import('./episode-details')).EpisodeDetails)
const SameEpisodeDialog = lazily(async () => (await import('./same-episode-dialog')).SameEpisodeDialog)

type Props = {
  wrapper: EpisodeWrapper
  podcastName: string
  /** Names the podcast, if rows of several podcasts are mixed. */
  showPodcast?: boolean
  /** Off inside a podcast, whose cover is above. */
  showCover?: boolean
  /** The hour is for rows below the heading of their day. */
  dateForm?: 'day' | 'hour'
  isInSeason?: boolean
  /** The level of the title among the page's headings. */
  headingLevel?: 3 | 4
  isOpen: boolean
  /** The second that a link points to. */
  moment?: number | null
  onToggle: (id: string) => void
  /** Adds entries to the episode's menu. */
  moreOf?: ((wrapper: EpisodeWrapper) => readonly MenuItem[]) | undefined
  /** The playlist that the row is in. */
  origin?: Pick<Playlist, 'id' | 'name'> | null | undefined
  /** Without one, the row cannot be selected. */
  selection?: Selection<EpisodeWrapper> | undefined
  /** Selects everything between the episode selected last and this one. */
  onExtend?: ((wrapper: EpisodeWrapper) => void) | undefined
}

/**
 * One episode: its facts, its progress and its actions. A press opens the notes in place, or selects while rows are
 * being selected. The width of the row, not of the screen, decides its form. Memoised, because a list draws its rows
 * again with every scroll event.
 */
export const EpisodeRow = memo(function EpisodeRow(props: Props) {
  useSignals()
  const { wrapper, podcastName, showPodcast = false, showCover = true, dateForm = 'day', isOpen } = props
  const app = useApp()
  const detailsId = useId()
  const [picking, setPicking] = useState<'playlist' | 'same' | null>(null)
  const { podcastEpisode: episode } = wrapper
  const playback = useEpisodePlayback(wrapper)
  const actions = episodeActions(app, wrapper, podcastName, props.origin)
  const { episode_id: eid } = episode
  const isAway = useDerived(() => app.answers.isOffline.value && !app.kept.ids.value.has(eid), [app, eid])
  const lang = useDerived(() => langOf(app.library.byId.value.get(episode.podcast_id)?.language), [app, episode])
  const live = useDerived(() => app.downloads.byEpisode.value.get(eid) ?? null, [app.downloads, eid])
  const choice = useChoice(props)
  const swipe = useSwipe({
    onForward: actions.queueLast,
    onBack: playback.isFinished ? actions.markUnplayed : actions.markPlayed,
  })

  return (
    <article
      className={classOf(playback, choice, { showCover, isOpen, isAway })}
      style={{ '--share': playback.share } as CSSProperties}
      data-swiped={swipe.state?.side}
    >
      {swipe.state && <SwipeHint state={swipe.state} isFinished={playback.isFinished} />}
      <div
        className="episode-head level stack rounded relative"
        role="presentation"
        {...swipe.handlers}
        onKeyDown={event => app.singleKeys.areOn.value && handleKey(event, actions, choice)}
      >
        <Lead {...{ episode, podcastName, showCover, playback, choice, isAway }} onPlay={actions.play} />
        <div className="episode-text shrinks">
          <EpisodeTitle
            name={episode.name}
            lang={lang}
            level={props.headingLevel ?? 3}
            playback={playback}
            detailsId={detailsId}
            isOpen={isOpen}
            onPress={({ shiftKey }) => {
              if (shiftKey && choice.extend) choice.extend()
              else if (choice.isActive) choice.toggle?.()
              else props.onToggle(episode.id)
            }}
          />
          <EpisodeFacts
            episode={episode}
            podcastName={showPodcast ? podcastName : null}
            isInSeason={props.isInSeason ?? false}
            {...{ playback, live }}
          />
        </div>
        <EpisodeDate episode={episode} form={dateForm} />
        <EpisodeLength playback={playback} />
        <EpisodeTools episode={episode} live={live} actions={actions} />
        <EpisodeMenu
          wrapper={wrapper}
          actions={actions}
          onPickPlaylist={() => setPicking('playlist')}
          onPickSame={() => setPicking('same')}
          onSelectRow={choice.isActive ? undefined : choice.toggle}
          showPodcast={showPodcast}
          moreOf={props.moreOf}
        />
      </div>
      {picking === 'playlist' && <PickPlaylistDialog episode={episode} onClose={() => setPicking(null)} />}
      {picking === 'same' && <SameEpisodeDialog episode={episode} onClose={() => setPicking(null)} />}
      {isOpen && (
        <EpisodeDetails id={detailsId} episode={episode} moment={props.moment ?? null} onPlayAt={actions.playAt} />
      )}
    </article>
  )
})

type Choice = ReturnType<typeof useChoice>

/** The row's part in the selection of its list. Commands are absent if the row cannot be selected. */
function useChoice({ wrapper, selection, onExtend }: Pick<Props, 'wrapper' | 'selection' | 'onExtend'>) {
  const { id } = wrapper.podcastEpisode
  return {
    isActive: useDerived(() => selection?.isActive.value ?? false, [selection]),
    isChosen: useDerived(() => selection?.has(id) ?? false, [selection, id]),
    toggle: selection && (() => selection.toggle(wrapper)),
    extend: onExtend && (() => onExtend(wrapper)),
  }
}

type LeadProps = {
  episode: Episode
  podcastName: string
  showCover: boolean
  playback: EpisodePlayback
  choice: Choice
  /** Whether it can't be played without the server. */
  isAway: boolean
  onPlay: () => void
}

/** The cover, the button that plays, and while rows are being selected the box. */
function Lead({ episode, podcastName, showCover, playback, choice, isAway, onPlay }: LeadProps) {
  const { player } = useApp()
  return (
    <>
      {showCover && <EpisodeCover episode={episode} podcastName={podcastName} size={64} />}
      <PlayButton
        name={episode.name}
        isPlaying={playback.isPlaying}
        share={playback.share}
        className="episode-play over"
        isDisabled={isGone(episode) || isAway}
        onClick={playback.isPlaying ? player.pause : onPlay}
      />
      {choice.isActive && <Box name={episode.name} choice={choice} />}
    </>
  )
}

function Box({ name, choice: { isChosen, toggle, extend } }: { name: string; choice: Choice }) {
  const { t } = useTranslation()
  return (
    <input
      type="checkbox"
      className="episode-box reach"
      aria-label={t('select-episode', { name })}
      checked={isChosen}
      onClick={({ shiftKey }) => (shiftKey && extend ? extend() : toggle?.())}
      onChange={() => undefined}
    />
  )
}

type Form = { showCover: boolean; isOpen: boolean; isAway: boolean }

const classOf = (playback: EpisodePlayback, choice: Choice, { showCover, isOpen, isAway }: Form) =>
  [
    'episode',
    showCover ? 'has-cover' : 'has-no-cover',
    isOpen && 'is-open',
    isAway && 'is-away',
    playback.isCurrent && 'is-current',
    playback.isFinished && 'is-finished',
    choice.isActive && 'is-selecting',
    choice.isChosen && 'is-selected',
  ]
    .filter(Boolean)
    .join(' ')

/** Handles the keys of the row that has the focus: `n` plays it next, `x` selects it, Shift+x all up to it. */
function handleKey(event: KeyboardEvent, { queueNext }: EpisodeActions, { toggle, extend = toggle }: Choice) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
  // Menus have their own keys.
  if (event.target instanceof Element && event.target.closest('[role=menu]')) return
  const commands: Record<string, (() => void) | undefined> = { n: queueNext, x: toggle, X: extend }
  const command = commands[event.key]
  if (!command) return
  event.preventDefault()
  command()
}

/** Shows what a swipe will do, behind the row. */
function SwipeHint({ state: { side, isEnough }, isFinished }: { state: SwipeState; isFinished: boolean }) {
  const { t } = useTranslation()
  const [Icon, text] =
    side === 'forward' ? [ListPlus, t('queue')] : isFinished ? [CircleDashed, t('not-played')] : [Check, t('played')]
  return (
    <span
      className={`episode-swipe absolute solid text-s strong row gap-8 is-${side} ${isEnough ? 'is-enough' : ''}`}
      aria-hidden="true"
    >
      <Icon size={20} />
      {text}
    </span>
  )
}

type EpisodeToolsProps = { episode: Episode; live: LiveDownload | null; actions: EpisodeActions }

/** Buttons for frequent actions if there is room; the menu has all of them as well. */
function EpisodeTools({ episode, live, actions }: EpisodeToolsProps) {
  const { t } = useTranslation()
  return (
    <div className="episode-tools over flex at-end relative">
      <IconButton
        icon={ListPlus}
        label={t('queue-episode', { name: episode.name })}
        className="is-quiet"
        onClick={actions.queueLast}
      />
      <DownloadButton episode={episode} live={live} actions={actions} />
    </div>
  )
}

type EpisodeTitleProps = {
  name: string
  lang: string | undefined
  level: 3 | 4
  playback: EpisodePlayback
  detailsId: string
  isOpen: boolean
  onPress: (event: MouseEvent) => void
}

/** The name of an episode, a button that opens its details. Its click area is the whole row. */
function EpisodeTitle({ name, lang, level, playback, detailsId, isOpen, onPress }: EpisodeTitleProps) {
  const Heading = `h${level}` as const
  return (
    <Heading>
      <button
        type="button"
        className="episode-open ink rounded wide start truncate plain whole"
        dir="auto"
        lang={lang}
        aria-expanded={isOpen}
        aria-controls={detailsId}
        onClick={onPress}
      >
        {playback.isCurrent && <Bars isMoving={playback.isPlaying} />}
        {name}
      </button>
    </Heading>
  )
}

/** Bars that move while the episode plays. */
const Bars = ({ isMoving }: { isMoving: boolean }) => (
  <span className={`playing-bars gap-2 ${isMoving ? 'is-moving' : ''}`} aria-hidden="true">
    <i />
    <i />
    <i />
  </span>
)
