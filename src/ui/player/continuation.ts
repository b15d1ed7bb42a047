import { computed, effect, signal, untracked, type ReadonlySignal } from '@preact/signals-core'
import type { EpisodeWrapper } from '../../shared/api/episode'
import type { ContinueWith } from '../../shared/api/queue'
import { translate } from '../i18n'
import type { Toasts } from '../state/toasts'
import { createSearch, type Sources } from './find-continuation'
import type { Origin } from './origin'
import type { Playing } from './state'

export type Continuation = ReturnType<typeof createContinuation>

/** What plays once the queue has ended, and why. */
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
 * player: it is shown before it happens, and the end of an episode need not wait for an answer.
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

  /** What plays now that the episode has ended; waits for the answer if there is none yet. */
  const take = async () => (isStopped.peek() ? null : (found.peek() ?? look()))

  return {
    /** What comes next; null = nothing, or the queue comes first. */
    next: computed(() => (isStopped.value ? null : found.value)),
    /** Whether the listener wants nothing after this episode, though there would be something. */
    isStopped: computed(() => isStopped.value && found.value !== null),
    /** The playlist in which playing began. */
    playlist: origin.playlist,
    stopHere: () => void (stopsAfter.value = playing.peek()),
    goOn: () => void (stopsAfter.value = null),
    /** Looks again: there is more than before, or something was played elsewhere. */
    look: () => void look(),
    /** Plays on, and says so. Something else may have been played before the answer is here. */
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
