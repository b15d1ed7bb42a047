import { useSignals } from '@preact/signals-react/runtime'
import { Pause, Play, Tags } from 'lucide-react'
import { type RefObject, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Episode, EpisodeWrapper, NextUp, PodcastOverview } from '../../../shared/api/episode'
import type { KnownPodcast, PodcastExtras } from '../../../shared/api/podcast'
import { useApp } from '../../app-context'
import { tintStyle } from '../../components/cover'
import { IconButton } from '../../components/buttons'
import { lazily } from '../../components/lazily'
import { formatMinutes, langOf } from '../../format'
import { PodcastCover } from '../../library/covers'
import { useEpisodePlayback } from '../../library/episodes/play-button'
import { PictureRegion } from '../../player/regions'
import { FavouriteButton } from '../../library/podcasts/favourite-button'
import { AboutDialog, TagsDialog } from './dialogs'
import './podcast.css'

const PodcastMenu = lazily(async () => (await import('./podcast-menu')).PodcastMenu)

type Props = {
  podcast: KnownPodcast
  /** Null = not loaded yet, as with `overview`. */
  extras: PodcastExtras | null
  /** The description as plain text. */
  about: string
  overview: PodcastOverview | null
  /** Marks all its episodes as played or not. */
  onMark: (finished: boolean) => void
  headerRef: RefObject<HTMLElement | null>
}

/**
 * A podcast's cover, facts and actions on the colour of its cover. The menu is loaded later, into space that is
 * reserved for it.
 */
export function PodcastHeader({ podcast, extras, about, overview, onMark, headerRef }: Props) {
  return (
    <header className="podcast-header tinted" style={tintStyle(podcast.coverColor, podcast.name)} ref={headerRef}>
      <div className="podcast-header-in stack list-width">
        <PodcastCover podcast={podcast} size={256} eager />
        <PictureRegion podcastId={podcast.id} />
        <div className="podcast-facts shrinks">
          <h1 className="display clamp">
            <bdi lang={langOf(podcast.language)}>{podcast.name}</bdi>
          </h1>
          <div className="podcast-line gap-2 x-16 fine wrap row">
            {podcast.author && (
              <b className="podcast-author fits truncate">
                <bdi>{podcast.author}</bdi>
              </b>
            )}
            <Links podcast={podcast} extras={extras} />
            <FeedStatus podcast={podcast} />
          </div>
        </div>
        <About podcast={podcast} extras={extras} about={about} />
        <div className="podcast-actions shrinks row gap-8">
          <PrimaryAction podcast={podcast} overview={overview} />
          <PlayNewest podcast={podcast} overview={overview} />
          <FavouriteButton podcast={podcast} className="podcast-favourite fills" />
          <TagsButton podcast={podcast} />
          <div className="podcast-menu rigid">
            <PodcastMenu podcast={podcast} extras={extras} onMark={onMark} />
          </div>
        </div>
      </div>
    </header>
  )
}

type AboutProps = Pick<Props, 'podcast' | 'extras'>

const outside = { target: '_blank', rel: 'noopener noreferrer' }

/** The podcast's own page, and where to support it. */
function Links({ podcast: { link }, extras }: AboutProps) {
  const { t } = useTranslation()
  const support = extras?.funding[0]
  const host = link && URL.parse(link)?.hostname.replace(/^www\./, '')
  return (
    <>
      {host && (
        <a className="above-phone ink" href={link} {...outside}>
          {host}
        </a>
      )}
      {support && (
        <a className="above-phone ink" href={support.url} title={support.text} {...outside}>
          {t('support-show')}
        </a>
      )}
    </>
  )
}

/** The beginning of the description, and a button for all of it. */
function About({ podcast, extras, about }: Pick<Props, 'podcast' | 'extras' | 'about'>) {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  return (
    <div className="podcast-about flex gap-8">
      {about && (
        <p className="clamp shrinks flush" dir="auto">
          {about}
        </p>
      )}
      <button
        type="button"
        // The text moves it once it is loaded.
        className={`link-button plain accent title reach rigid flush ${extras === null ? 'unseen' : ''}`}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        {t('more')}
        <span className="visually-hidden"> {podcast.name}</span>
      </button>
      {isOpen && <AboutDialog podcast={podcast} extras={extras} onClose={() => setOpen(false)} />}
    </div>
  )
}

function TagsButton({ podcast }: Pick<Props, 'podcast'>) {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  const names = podcast.tags.map(({ name }) => name).join(', ')
  return (
    <>
      <IconButton
        icon={Tags}
        label={names ? t('tags-named', { names }) : t('edit-tags')}
        className={`podcast-tags ${names && 'is-accent'}`}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      />
      {isOpen && <TagsDialog podcast={podcast} onClose={() => setOpen(false)} />}
    </>
  )
}

const FeedFailure = lazily(async () => (await import('./feed-failure')).FeedFailure)

/** The number of episodes, and why the checks of the feed fail. */
export function FeedStatus({ podcast }: { podcast: KnownPodcast }) {
  const { t } = useTranslation()
  const { last_error, feed_state, episode_count, new_count } = podcast
  if (last_error && feed_state !== 'inactive' && feed_state !== 'none') return <FeedFailure podcast={podcast} />
  const facts = [
    t('episodes-count', { count: episode_count }),
    feed_state === 'inactive' && t('feed-inactive'),
    feed_state !== 'inactive' && new_count > 0 && t('new-count', { count: new_count }),
  ]
  return <p className="podcast-status flush faint numbers">{facts.filter(Boolean).join(' · ')}</p>
}

type PrimaryActionProps = { podcast: KnownPodcast; overview: PodcastOverview | null }

/**
 * The button that plays what one most likely wants to hear of a podcast. While the player has an episode of it, the
 * button continues or pauses that.
 */
export function PrimaryAction({ podcast, overview }: PrimaryActionProps) {
  useSignals()
  const { player } = useApp()
  const { isPlaying, toggle } = player
  if (playingOf(player, podcast))
    return <Continue secondsLeft={secondsLeftIn(player)} isPlaying={isPlaying.value} onClick={toggle} />
  // Keeps the place, so that nothing moves when the answer arrives.
  if (!overview)
    return <button type="button" className="pill podcast-primary centred with-icon filled" aria-hidden disabled />
  return overview.next && <PlayNext podcast={podcast} next={overview.next} />
}

type PlayerOfApp = ReturnType<typeof useApp>['player']

/** The episode of a podcast that the first button continues or pauses; null if that one plays another. */
function playingOf(player: PlayerOfApp, { id }: KnownPodcast): Episode | null {
  const isActive = player.isPlaying.value || player.position.value > 0
  const playing = player.current.value
  return playing?.podcastId === id && isActive ? playing.episode : null
}

const secondsLeftIn = ({ duration, position }: PlayerOfApp) => leftOf(duration.value, position.value)
const leftOf = (total: number, position: number) => (total > 0 ? Math.max(0, total - position) : null)

type ContinueProps = { secondsLeft: number | null; isPlaying: boolean; onClick: () => void }

function Continue({ secondsLeft, isPlaying, onClick }: ContinueProps) {
  const { t } = useTranslation()
  const time = secondsLeft === null ? null : formatMinutes(secondsLeft)
  const Icon = isPlaying ? Pause : Play
  return (
    <button type="button" className="pill podcast-primary centred with-icon filled" onClick={onClick}>
      <Icon size={18} aria-hidden="true" />
      <span>{isPlaying ? t('pause') : time === null ? t('continue') : t('continue-left', { time })}</span>
    </button>
  )
}

function PlayNext({ podcast, next }: { podcast: KnownPodcast; next: NextUp }) {
  const { t } = useTranslation()
  const { total, position } = useEpisodePlayback(next.episode)
  const play = usePlay(podcast)
  const { name } = next.episode.podcastEpisode
  if (next.reason === 'begun')
    return <Continue secondsLeft={leftOf(total, position)} isPlaying={false} onClick={() => play(next.episode)} />
  return (
    <button
      type="button"
      className="pill podcast-primary centred with-icon filled"
      title={name}
      onClick={() => play(next.episode)}
    >
      <Play size={18} aria-hidden="true" />
      <span dir="auto">{t(words[next.reason], { name })}</span>
    </button>
  )
}

const words = {
  first: 'play-first-part',
  next: 'play-next-part',
  newest: 'play-newest',
  again: 'play-something',
} as const

/** Plays the newest episode, if the first button plays another one. */
export function PlayNewest({ podcast, overview }: PrimaryActionProps) {
  useSignals()
  const { player } = useApp()
  const { t } = useTranslation()
  const play = usePlay(podcast)
  const newest = overview?.newest
  const leading = playingOf(player, podcast)?.id ?? overview?.next?.episode.podcastEpisode.id
  if (!newest || newest.podcastEpisode.id === leading) return null
  return (
    <button type="button" className="secondary pill rigid above-phone" onClick={() => play(newest)}>
      {t('play-newest')}
    </button>
  )
}

function usePlay({ name }: KnownPodcast) {
  const { player, failed } = useApp()
  return (wrapper: EpisodeWrapper) => void player.play(wrapper, name).catch(failed)
}
