import { useEffect, useRef } from 'react'
import type { EpisodeWrapper } from '../../../shared/api/episode'
import type { Podcast } from '../../../shared/api/podcast'
import type { ServerEvents } from '../../../shared/server-event'
import type { Api } from '../../api'
import { useApp } from '../../app-context'
import { useResource } from '../../use-resource'

const MAX_CARDS = 5

export type HeroCard = { wrapper: EpisodeWrapper; podcast: Podcast }

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
        stale: () => undefined,
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
