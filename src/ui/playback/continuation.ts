import { computed, effect, type ReadonlySignal, signal, untracked } from '@preact/signals-core'
import type { Episode, EpisodeWrapper } from '../../shared/api/episode'
import type { ContinueWith } from '../../shared/api/queue'
import type { Api } from '../api'
import { ApiError } from '../api/client'
import { queuesApi, type QueuesApi } from '../api/queues'
import { translate } from '../i18n'
import type { EpisodeChanges } from '../state/episode-changes'
import type { Kept } from '../state/kept'
import type { Toasts } from '../state/toasts'
import type { Playing } from './state'

type StartNeeds = Omit<Parameters<typeof createContinuation>[0], 'api' | 'origin'> &
  Parameters<typeof createOrigin>[0] & {
    changes: Pick<EpisodeChanges, 'listen'>
    api: Omit<Parameters<typeof createContinuation>[0]['api'], 'queues'>
    client: Parameters<typeof queuesApi>[0]
  }

/** Continues after the queue for listeners who want that; others never load this code. */
export function continueWith(needs: StartNeeds) {
  const continuation = createContinuation({
    ...needs,
    api: { ...needs.api, queues: queuesApi(needs.client) },
    origin: createOrigin(needs),
  })
  needs.changes.listen({
    edit: () => undefined,
    stale: continuation.look,
    played({ episode_id }) {
      if (continuation.next.peek()?.wrapper.podcastEpisode.episode_id === episode_id) continuation.look()
    },
  })
  return continuation
}

export type Continuation = ReturnType<typeof createContinuation>

/** The episode that plays once the queue has ended, and the reason. */
export type Continued = { wrapper: EpisodeWrapper; with: Exclude<ContinueWith, 'nothing'> }

type Needs = Sources & {
  current: ReadonlySignal<Playing | null>
  choice: ReadonlySignal<ContinueWith>
  /** Whether nothing waits in the queue. */
  isQueueEmpty: ReadonlySignal<boolean>
  origin: Origin
  play: (wrapper: EpisodeWrapper) => Promise<unknown>
  pause: () => void
  toasts: Pick<Toasts, 'done'>
}

/**
 * Finds what plays after the last episode of the queue, as its listener chose, as soon as that is the one in the
 * player: it is shown in advance, and the end of an episode needn't wait for an answer.
 */
export function createContinuation(needs: Needs) {
  const { current, choice, isQueueEmpty, origin, isConnected } = needs
  const find = createSearch(needs)
  const found = signal<Continued | null>(null)
  /** The `id` of the episode after which nothing is to play. */
  const stopsAfter = signal<string | null>(null)
  const isOff = computed(() => choice.value === 'nothing' || !isQueueEmpty.value)
  const playing = computed(() => current.value?.episode.id ?? null)
  const isStopped = computed(() => playing.value !== null && stopsAfter.value === playing.value)
  let attempt = 0

  async function look(): Promise<Continued | null> {
    const mine = ++attempt
    const now = current.peek()?.live ? null : current.peek()
    const reason = choice.peek()
    if (now === null || isOff.peek() || reason === 'nothing') return (found.value = null)
    const wrapper = await find(now, reason)
    if (mine !== attempt) return found.peek()
    return (found.value = wrapper && { wrapper, with: reason })
  }

  effect(() => {
    if (playing.value !== stopsAfter.peek()) stopsAfter.value = null
  })
  effect(() => {
    void [playing.value, choice.value, isOff.value, origin.playlist.value?.id, isConnected()]
    untracked(() => {
      found.value = null
      void look()
    })
  })

  /** Returns what plays now that the episode has ended; waits for the answer if it has not arrived yet. */
  const take = async () => (isStopped.peek() ? null : (found.peek() ?? look()))

  return {
    /** The next episode; null = none, or the queue comes first. */
    next: computed(() => (isStopped.value ? null : found.value)),
    /** Whether the listener wants nothing after this episode, though there would be something. */
    isStopped: computed(() => isStopped.value && found.value !== null),
    /** The playlist in which playing began. */
    playlist: origin.playlist,
    stopHere: () => void (stopsAfter.value = playing.peek()),
    goOn: () => void (stopsAfter.value = null),
    /** Searches again: there is more than before, or something was played elsewhere. */
    look: () => void look(),
    /** Continues, and says so. Something else may have been played before the answer arrives. */
    async follow() {
      const ended = playing.peek()
      const next = await take()
      if (!next || playing.peek() !== ended) return
      const { name } = next.wrapper.podcastEpisode
      needs.toasts.done(translate('continued-with', { name }), {
        label: translate('stop-playing'),
        run: needs.pause,
      })
      origin.lead(next.wrapper.podcastEpisode.id)
      await needs.play(next.wrapper)
    },
  }
}

/** The sources that a search for the following episode asks. */
type Sources = {
  origin: Pick<Origin, 'playlist' | 'forget'>
  /** Whether the server can be reached; without it only the episodes on this device play. */
  isConnected: () => boolean
  kept: { peek: () => readonly Kept[] }
  /** Whether a podcast, by its `id`, is heard from its first episode on. */
  isSerial: (podcastId: string) => boolean
  api: {
    queues: Pick<QueuesApi, 'following'>
    playlists: Pick<Api['playlists'], 'find'>
    timeline: Pick<Api['timeline'], 'page'>
  }
}
/** `orders`: the episodes of playlists that were read, by the ids of both, for when the server can't be reached. */
type Search = Sources & { orders: Map<string, readonly string[]> }

/**
 * Returns the function that finds the episode after another one, as its listener chose; null = there is none. Never
 * rejects.
 */
function createSearch(sources: Sources) {
  const search: Search = { ...sources, orders: new Map() }
  const { kept, origin, orders, isSerial, isConnected } = search

  return async ({ episode }: Playing, choice: ContinueWith): Promise<EpisodeWrapper | null> => {
    const onDevice = () =>
      findKept(kept.peek(), episode, choice, {
        isSerial: isSerial(episode.podcast_id),
        order: orders.get(origin.playlist.peek()?.id ?? ''),
      })
    if (!isConnected()) return onDevice()
    try {
      return await finders[choice](search, episode.id)
    } catch (error) {
      const isRefusal = error instanceof ApiError && error.status >= 400 && error.status < 500
      // Any other failure is a network failure that the page does not know about yet.
      return isRefusal ? null : onDevice()
    }
  }
}

type Find = (search: Search, episode: string) => Promise<EpisodeWrapper | null>

const finders: Record<ContinueWith, Find> = {
  nothing: async () => null,
  podcast: async ({ api }, episode) => (await api.queues.following(episode)).episode,
  async playlist({ api, origin, orders }, episode) {
    const { id } = origin.playlist.peek() ?? {}
    if (id === undefined) return null
    try {
      const { items } = await api.playlists.find(id)
      orders.set(
        id,
        items.map(({ podcastEpisode }) => podcastEpisode.id),
      )
      return nextInList(items, episode)
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) origin.forget()
      throw error
    }
  },
  async newest({ api }, episode) {
    const { data } = await api.timeline.page({ notListened: true, limit: 2 }, null)
    const item = data.data.find(({ podcast_episode }) => podcast_episode.id !== episode)
    return item ? { podcastEpisode: item.podcast_episode, podcastHistoryItem: item.history } : null
  },
}

/**
 * The next episode of a list that is not finished; its first one, if the list does not contain the last that played.
 */
function nextInList(items: readonly EpisodeWrapper[], episode: string): EpisodeWrapper | null {
  const place = items.findIndex(({ podcastEpisode }) => podcastEpisode.id === episode)
  return items.slice(place + 1).find(({ podcastHistoryItem }) => !podcastHistoryItem?.finished) ?? null
}

type About = {
  /** Whether the podcast is heard from its first episode on. */
  isSerial: boolean
  /** The episodes of the playlist in which playing began, by their `id`, if known. */
  order: readonly string[] | undefined
}

/** Finds what to continue with among the episodes on this device, by the same rules as the server. */
function findKept(
  kept: readonly Kept[],
  episode: Episode,
  choice: ContinueWith,
  { isSerial, order = [] }: About,
): EpisodeWrapper | null {
  const others = kept.map(({ wrapper }) => wrapper).filter(({ podcastEpisode }) => podcastEpisode.id !== episode.id)
  const isOpen = ({ podcastHistoryItem }: EpisodeWrapper) => !podcastHistoryItem?.finished
  const oldestFirst = others.toSorted((one, other) => (dateOf(one) < dateOf(other) ? -1 : 1))
  if (choice === 'newest') return oldestFirst.findLast(isOpen) ?? null
  if (choice === 'playlist') {
    const after = order.slice(order.indexOf(episode.id) + 1)
    const byId = new Map(others.filter(isOpen).map(wrapper => [wrapper.podcastEpisode.id, wrapper]))
    return after.map(id => byId.get(id)).find(wrapper => wrapper !== undefined) ?? null
  }
  if (choice === 'nothing') return null
  const isNext = (wrapper: EpisodeWrapper) =>
    wrapper.podcastEpisode.podcast_id === episode.podcast_id && dateOf(wrapper) > episode.date_of_recording
  return oldestFirst.find(wrapper => isNext(wrapper) && (isSerial ? isPart(wrapper) : isOpen(wrapper))) ?? null
}

const dateOf = ({ podcastEpisode }: EpisodeWrapper) => podcastEpisode.date_of_recording

const isPart = ({ podcastEpisode }: EpisodeWrapper) => podcastEpisode.episode_type !== 'trailer'

/** The playlist in which playing began, with the `id` of the episode that it has led to. */
export type PlayOrigin = { id: string; name: string; episode: string }

type OriginNeeds = {
  current: ReadonlySignal<Playing | null>
  isPlaying: ReadonlySignal<boolean>
  /** Whether an episode, by its `id`, waits in the queue. */
  isQueued: (episode: string) => boolean
  /** Keeps the playlist as text. */
  memory: { read: () => string | null; write: (text: string) => void }
}

type Origin = ReturnType<typeof createOrigin>

/**
 * Follows the playlist in which playing began, as long as one episode leads to the next: through the queue, or by
 * continuing. Playing something else by hand or emptying the bar forgets it.
 */
export function createOrigin({ current, isPlaying, isQueued, memory }: OriginNeeds) {
  const playlist = signal<PlayOrigin | null>(null)
  /** The `id` of the episode that is played because the last one has ended. */
  let expected: string | null = null

  function remember(origin: PlayOrigin | null) {
    playlist.value = origin
    memory.write(JSON.stringify(origin))
  }
  function follow(id: string | null) {
    const known = parse(memory.read())
    if (!known) playlist.value = null
    else if (id === known.episode) playlist.value = known
    else remember(id !== null && (id === expected || isQueued(id)) ? { ...known, episode: id } : null)
  }
  let wasEmpty = true
  effect(() => {
    const id = current.value?.episode.id ?? null
    // The episode in the bar may be played again, in a playlist.
    void isPlaying.value
    // Until something is in the bar, nothing can have been removed from it.
    if (id === null && wasEmpty) return
    wasEmpty = id === null
    untracked(() => follow(id))
  })
  return {
    playlist: playlist as ReadonlySignal<PlayOrigin | null>,
    /** Says that an episode, by its `id`, is about to be played because the last one has ended. */
    lead: (episode: string) => void (expected = episode),
    /** Forgets a playlist that no longer exists. */
    forget: () => remember(null),
  }
}

function parse(text: string | null): PlayOrigin | null {
  try {
    const { id, name, episode } = JSON.parse(text ?? '{}') as Partial<PlayOrigin>
    const isWhole = typeof id === 'string' && typeof name === 'string' && typeof episode === 'string'
    return isWhole ? { id, name, episode } : null
  } catch {
    return null
  }
}
