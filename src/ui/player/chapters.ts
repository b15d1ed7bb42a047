import { computed, effect, signal, untracked, type ReadonlySignal } from '@preact/signals-core'
import type { Chapter } from '../../shared/api/chapter'
import type { Playing } from './state'

// Within a chapter's first seconds, back means the one before it.
const JUST_BEGUN_SECONDS = 3

/** Finds the index of the chapter at a position in seconds; -1 before the first one. */
export const chapterAt = (chapters: readonly Chapter[], position: number) =>
  chapters.findLastIndex(({ startTime }) => startTime <= position)

/** Finds the second that the button "back" leads to: the start of this chapter, or of the one before it. */
export function startBefore(chapters: readonly Chapter[], position: number): number {
  const index = chapterAt(chapters, position)
  const start = chapters[index]?.startTime ?? 0
  return position - start > JUST_BEGUN_SECONDS ? start : (chapters[index - 1]?.startTime ?? 0)
}

export type Segment = { id: string; title: string; start: number; end: number }

/**
 * Divides an episode of a length in seconds into what its chapters cover, from its first second to its last. Without
 * chapters it is one piece.
 */
export function segmentsOf(chapters: readonly Chapter[], duration: number): Segment[] {
  const begun = chapters.filter(({ startTime }) => startTime < duration)
  const isLate = (begun[0]?.startTime ?? 1) > 0
  const starts = [
    ...(isLate ? [{ id: 'start', title: '', start: 0 }] : []),
    ...begun.map(({ id, title, startTime }) => ({ id, title, start: startTime })),
  ]
  return starts
    .map((one, index) => ({ ...one, end: starts[index + 1]?.start ?? duration }))
    .filter(({ start, end }) => end > start)
}

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

/** The chapters of the episode that plays; none until they are loaded, and where they cannot be. */
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
