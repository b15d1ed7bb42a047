import { computed, effect, signal, untracked, type ReadonlySignal } from '@preact/signals-core'
import type { Chapter } from '../../shared/api/texts'
import type { Playing } from './state'

/** Finds the index of the chapter at a position in seconds; -1 before the first one. */
export const chapterAt = (chapters: readonly Chapter[], position: number) =>
  chapters.findLastIndex(({ startTime }) => startTime <= position)

type Needs = {
  player: {
    current: ReadonlySignal<Playing | null>
    position: ReadonlySignal<number>
    duration: ReadonlySignal<number>
  }
  /** Loads the chapters of an episode by its `id`. */
  load: (id: string) => Promise<readonly Chapter[]>
}

export type Chapters = ReturnType<typeof createChapters>

/** The chapters of the episode that plays; none until they are loaded, and if they cannot be. */
export function createChapters({ player, load }: Needs) {
  const all = signal<readonly Chapter[]>([])
  const wanted = computed(() => {
    const episode = player.current.value?.episode
    return episode?.has_chapters ? episode.id : null
  })
  effect(() => {
    const id = wanted.value
    if (untracked(() => all.value.length) > 0) all.value = []
    if (id !== null) void find(id)
  })
  async function find(id: string) {
    const found = await load(id).catch(() => [])
    if (wanted.peek() === id) all.value = found
  }
  const index = computed(() => chapterAt(all.value, player.position.value))
  return {
    all,
    index,
    /** The chapter that plays now. */
    current: computed(() => all.value[index.value]),
    /** The second at which the current chapter ends; the length of the episode in its last one. */
    end: computed(() => Math.min(all.value[index.value + 1]?.startTime ?? Infinity, player.duration.value)),
  }
}
