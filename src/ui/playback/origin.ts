import { effect, signal, untracked, type ReadonlySignal } from '@preact/signals-core'
import type { Playing } from './state'

/** The playlist in which playing began, with the `id` of the episode that it has led to. */
export type PlayOrigin = { id: string; name: string; episode: string }

type Needs = {
  current: ReadonlySignal<Playing | null>
  isPlaying: ReadonlySignal<boolean>
  /** Whether an episode, by its `id`, waits in the queue. */
  isQueued: (episode: string) => boolean
  /** Keeps the playlist as text. */
  memory: { read: () => string | null; write: (text: string) => void }
}

export type Origin = ReturnType<typeof createOrigin>

/**
 * Follows the playlist in which playing began, as long as one episode leads to the next: through the queue, or by
 * continuing. Playing something else by hand or emptying the bar forgets it.
 */
export function createOrigin({ current, isPlaying, isQueued, memory }: Needs) {
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
