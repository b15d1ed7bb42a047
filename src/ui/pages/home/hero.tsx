import { Pause, Play } from 'lucide-react'
import { type CSSProperties, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { Chapter } from '../../../shared/api/texts'
import type { Episode, EpisodeWrapper } from '../../../shared/api/episode'
import type { Podcast } from '../../../shared/api/podcast'
import type { ServerEvents } from '../../../shared/server-event'
import type { Api } from '../../api'
import { useApp } from '../../app-context'
import { tintStyle } from '../../components/cover'
import { formatMinutes } from '../../format'
import { EpisodeCover } from '../../library/covers'
import { PlayButton, useEpisodePlayback } from '../../library/episodes/play-button'
import { routes } from '../../routes'
import { useResource } from '../../use-resource'
import './home.css'

/** The cards at the head of the home page, the first of them large. */
export function Hero({ cards, isFromFavourites }: { cards: readonly HeroCard[]; isFromFavourites: boolean }) {
  const { t } = useTranslation()
  if (cards.length === 0) return null
  return (
    <section className="hero" aria-labelledby="hero">
      <h2 className="visually-hidden" id="hero">
        {t(isFromFavourites ? 'new-from-favourites' : 'continue-listening')}
      </h2>
      <ul>
        {cards.map((card, index) => (
          <Card key={card.wrapper.podcastEpisode.id} card={card} isFirst={index === 0} />
        ))}
      </ul>
    </section>
  )
}

export function HeroSkeleton() {
  const { t } = useTranslation()
  return (
    <div className="hero" role="status" aria-busy="true" aria-label={t('loading')}>
      <div className="skeleton hero-skeleton" />
    </div>
  )
}

/** An episode on the tint of its cover. The card leads to the episode, its button plays. */
function Card({ card: { wrapper, podcast }, isFirst }: { card: HeroCard; isFirst: boolean }) {
  const { player, failed } = useApp()
  const { podcastEpisode: episode } = wrapper
  const { isPlaying, position, total } = useEpisodePlayback(wrapper)
  const toggle = () => (isPlaying ? player.pause() : void player.play(wrapper, podcast.name).catch(failed))
  const share = total > 0 ? Math.min(1, position / total) : 0
  return (
    <li
      className={`tinted hero-card fine shrinks relative clipped row ${isFirst ? 'is-first' : ''}`}
      style={tintStyle(episode.coverColor ?? podcast.coverColor, podcast.name)}
    >
      <EpisodeCover episode={episode} podcastName={podcast.name} size={256} />
      <div className="hero-text single stack grow">
        <span className="muted truncate" dir="auto">
          {podcast.name}
        </span>
        <h3 className="clamp">
          <Link className="whole bare" href={routes.episodes(episode.podcast_id, episode.id)} dir="auto">
            {episode.name}
          </Link>
        </h3>
        {isFirst && episode.has_chapters && position > 0 && <ChapterLine episode={episode} position={position} />}
        {share > 0 && <span className="hero-meter meter" style={{ '--share': share } as CSSProperties} />}
        {isFirst ? (
          <MainButton isPlaying={isPlaying} position={position} total={total} onClick={toggle} />
        ) : (
          <TimeLeft seconds={total - position} />
        )}
      </div>
      {!isFirst && <PlayButton name={episode.name} isPlaying={isPlaying} onClick={toggle} />}
    </li>
  )
}

function TimeLeft({ seconds }: { seconds: number }) {
  const { t } = useTranslation()
  return <span className="muted numbers">{t('time-left', { time: formatMinutes(Math.max(0, seconds)) })}</span>
}

type ButtonProps = { isPlaying: boolean; position: number; total: number; onClick: () => void }

function MainButton({ isPlaying, position, total, onClick }: ButtonProps) {
  const { t } = useTranslation()
  const Icon = isPlaying ? Pause : Play
  const word = t(isPlaying ? 'pause' : position > 0 ? 'resume' : 'play')
  const time = formatMinutes(Math.max(0, total - position))
  return (
    <button type="button" className="with-icon hero-play relative above-8 numbers" onClick={onClick}>
      <Icon size={16} fill="currentColor" aria-hidden="true" />
      <span>
        <span className={total > 0 ? 'hero-word' : ''}>{total > 0 ? `${word} · ` : word}</span>
        {total > 0 && (position > 0 ? t('time-left', { time }) : time)}
      </span>
    </button>
  )
}

/** Names the chapter in which the episode stopped. Keeps its line while the chapters are loaded. */
function ChapterLine({ episode, position }: { episode: Episode; position: number }) {
  const { api } = useApp()
  const { t } = useTranslation()
  const { data } = useResource((_, id: string) => api.episodes.chapters(id), [episode.id])
  const chapters = data ?? []
  const number = numberAt(chapters, position)
  return (
    <span className="muted truncate numbers above-phone" dir="auto">
      {number > 0 ? t('chapter-of', { number, count: chapters.length, title: chapters[number - 1]!.title }) : '\u00a0'}
    </span>
  )
}

/** Counts from one; 0 = none. */
const numberAt = (chapters: readonly Chapter[], position: number) =>
  chapters.filter(({ startTime }) => startTime <= position).length

const MAX_CARDS = 5

type HeroCard = { wrapper: EpisodeWrapper; podcast: Podcast }

/**
 * The episodes in progress, latest first; without any, the newest episode of the favourites. `cards` is null until they
 * are loaded, and empty when that failed: the rest of the page is worth more.
 */
export function useHero(): { cards: readonly HeroCard[] | null; isFromFavourites: boolean } {
  const { api, changes } = useApp()
  const { data, error, retry, change } = useResource(() => load(api), [])
  const shown = useRef(data)
  shown.current = data
  useEffect(
    () =>
      changes.listen({
        edit: edit =>
          change(hero => ({ ...hero, cards: hero.cards.map(card => ({ ...card, wrapper: edit(card.wrapper) })) })),
        stale: podcastId => podcastId === null && void retry(),
        hidden: () => void retry(),
        played(progress) {
          if (shown.current && changesCards(shown.current, progress)) void retry()
        },
      }),
    [changes, retry, change],
  )
  return { cards: data?.cards ?? (error === null ? null : []), isFromFavourites: data?.isFromFavourites ?? false }
}

type Shown = { cards: readonly HeroCard[]; isFromFavourites: boolean }

/** Whether an episode joins the cards, or leaves them. */
const changesCards = (
  { cards, isFromFavourites }: Shown,
  { episode_id, position, finished }: ServerEvents['progress'],
) =>
  isFromFavourites ||
  finished ||
  position === 0 ||
  cards.every(({ wrapper }) => wrapper.podcastEpisode.episode_id !== episode_id)

async function load(api: Pick<Api, 'playback' | 'timeline'>) {
  const [started, newest] = await Promise.all([
    api.playback.lastWatched(MAX_CARDS),
    api.timeline.page({ favoredOnly: true, notListened: true, undatedLast: true, limit: 1 }, null),
  ])
  if (started.length > 0)
    return {
      isFromFavourites: false,
      cards: started.map(({ podcastEpisode, episode, podcast }) => ({
        wrapper: { podcastEpisode, podcastHistoryItem: episode },
        podcast,
      })),
    }
  return {
    isFromFavourites: true,
    cards: newest.data.data.map(({ podcast_episode, history, podcast }) => ({
      wrapper: { podcastEpisode: podcast_episode, podcastHistoryItem: history },
      podcast,
    })),
  }
}
