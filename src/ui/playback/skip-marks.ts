import { computed, effect, signal, untracked } from '@preact/signals-core'
import type { Chapter } from '../../shared/api/texts'
import type { SkipMark } from '../../shared/api/marks'
import { formatDuration } from '../../shared/duration'
import type { Api } from '../api'
import { translate } from '../i18n'
import { covers, partAt, partsOf, stretchOf, without, type Stretch } from '../state/marked-parts'
import type { Toasts } from '../state/toasts'
import type { Chapters } from './chapters'
import type { Player } from './player'
import type { Skipped } from './state'

type Needs = {
  player: Pick<Player, 'current' | 'position' | 'duration' | 'skipsMarked' | 'playAt'>
  chapters: Pick<Chapters, 'all'>
  api: Pick<Api['skipMarks'], 'add' | 'remove'>
  /** Loads the marks of an episode by its `id`. */
  load: (id: string) => Promise<readonly SkipMark[]>
  toasts: Pick<Toasts, 'done' | 'dismiss'>
  failed: (error: unknown) => void
}

export type SkipMarks = ReturnType<typeof createSkipMarks>

/** The marked parts of the episode that plays: by titles of chapters, and by hand. */
export function createSkipMarks(needs: Needs) {
  const { player, chapters, toasts, failed } = needs
  const { marks, played, episode, parts, toSkip, find, add, drop } = createMarks(needs)
  /** The second at which a part begins whose end is not marked yet. */
  const begunAt = signal<number | null>(null)
  effect(() => {
    void episode.value
    begunAt.value = null
  })
  let notice = 0
  const undo = (run: () => unknown) => ({ label: translate('undo'), run: () => void run() })

  return {
    marks,
    parts,
    toSkip,
    begunAt,
    /** Finds the part at a second that is to be skipped. */
    toSkipAt: (seconds: number) => partAt(toSkip.peek(), seconds),
    /** Finds the marked part at a second. */
    markedAt: (seconds: number) => partAt(parts.value, seconds),
    /** Chapters that the buttons seek to, without those that are skipped. */
    stops: computed(() =>
      player.skipsMarked.value
        ? chapters.all.value.filter(({ startTime }) => !partAt(toSkip.value, startTime))
        : chapters.all.value,
    ),
    /** Fetches the marks again, if they were changed elsewhere. */
    changed: (id: string | null) => {
      if (id === null || id === episode.peek()) void find(episode.peek())
    },

    /** Begins a part here, or ends the one that was begun. */
    async markHere() {
      const here = player.position.peek()
      const from = begunAt.peek()
      if (from === null) {
        begunAt.value = here
        const cancel = { label: translate('cancel'), run: () => (begunAt.value = null) }
        notice = toasts.done(translate('mark-begun', { time: formatDuration(here) }), cancel)
        return
      }
      begunAt.value = null
      toasts.dismiss(notice)
      const part = { start: Math.min(from, here), end: Math.max(from, here) }
      // Pressed twice at the same place: there is nothing to mark.
      if (part.end - part.start < 1) return
      const added = await add(part, true)
      const [start, end] = [formatDuration(part.start), formatDuration(part.end)]
      if (added)
        toasts.done(
          translate('mark-added', { start, end }),
          undo(() => drop(added)),
        )
    },
    /** Marks a chapter as advertising, or as not. */
    markChapter: (chapter: Chapter, skip: boolean) => add(stretchOf(chapter, player.duration.peek()), skip),
    async remove(mark: SkipMark) {
      if (await drop(mark))
        toasts.done(
          translate('mark-removed'),
          undo(() => add(mark, mark.skip, mark.episode)),
        )
    },
    /** Says what was skipped, and offers to play it after all. */
    announce({ part, at, playing }: Skipped) {
      const length = formatDuration(part.end - at)
      const title = part.titles.filter(Boolean).join(', ')
      const text = title ? translate('skipped-part', { title, length }) : translate('skipped-marked', { length })
      const playIt = () => {
        played.value = [...played.value, { episode: playing.episode.id, start: part.start, end: part.end }]
        return player.playAt({ podcastEpisode: playing.episode, podcastHistoryItem: null }, playing.podcastName, at)
      }
      toasts.done(
        text,
        undo(() => playIt().catch(failed)),
      )
    },
  }
}

/** Holds the marks of the episode that plays; adds and removes them. */
function createMarks({ player, chapters, api, load, failed }: Needs) {
  const marks = signal<readonly SkipMark[]>([])
  /** Parts whose skipping was undone: they are played as long as the page is open. */
  const played = signal<readonly (Stretch & { episode: string })[]>([])
  const episode = computed(() => (player.current.value?.live ? null : (player.current.value?.episode.id ?? null)))
  const parts = computed(() => partsOf(chapters.all.value, marks.value, player.duration.value))
  const toSkip = computed(() =>
    without(
      parts.value,
      played.value.filter(one => one.episode === episode.value),
    ),
  )
  async function find(id: string | null) {
    if (id === null) return
    const found = await load(id).catch(() => null)
    if (found && episode.peek() === id) marks.value = found
  }
  effect(() => {
    const id = episode.value
    marks.value = []
    untracked(() => void find(id))
  })

  async function add({ start, end }: Stretch, skip: boolean, id = episode.peek()): Promise<SkipMark | null> {
    if (id === null) return null
    const part = { start, end }
    const added = await api.add({ episode: id, ...part, skip }).catch(failed)
    if (!added) return null
    if (episode.peek() === id) marks.value = [...marks.value.filter(mark => !covers(part, mark)), added]
    return added
  }
  async function drop({ id }: SkipMark) {
    const isGone = await api.remove(id).then(() => true, failed)
    if (isGone) marks.value = marks.value.filter(mark => mark.id !== id)
    return isGone === true
  }

  return { marks, played, episode, parts, toSkip, find, add, drop }
}
