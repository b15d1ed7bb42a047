import { useSignals } from '@preact/signals-react/runtime'
import { defaultRangeExtractor, type Range, useWindowVirtualizer, type VirtualItem } from '@tanstack/react-virtual'
import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { EpisodeWrapper } from '../../../shared/api/episode'
import { useApp } from '../../app-context'
import type { PagedList } from '../../state/paged-list'
import type { WholeList } from '../../state/whole-list'
import type { Entry } from './episode-list-groups'
import { withOwnKeys } from './use-episode-list'

/** A list that grows as one scrolls, or one whose length is known, which then needs `sections`. */
export type EpisodeRows = Pick<
  PagedList<EpisodeWrapper>,
  'items' | 'length' | 'isWhole' | 'status' | 'error' | 'at' | 'show' | 'seek' | 'retry'
> &
  Partial<Pick<WholeList<EpisodeWrapper, never>, 'fill'>>

/** Rows beyond the screen that are fetched as well. */
const LOOK_AHEAD = 25

/** Reports the rows in sight to the list, with those around them. */
export function useShown(list: EpisodeRows, entries: readonly Entry[], shown: readonly VirtualItem[]) {
  useSignals()
  const places = shown.flatMap(({ index }) => {
    const entry = entries[index]!
    return entry.kind === 'row' ? entry.place : []
  })
  const [first = 0, last = 0] = [places[0], places.at(-1)]
  const length = list.length.value
  const isReady = list.status.value === 'ready'
  useEffect(() => {
    if (isReady) list.show(Math.max(0, first - LOOK_AHEAD), last + LOOK_AHEAD)
  }, [list, first, last, length, isReady])
}

/** `goal`: the key of the section to scroll to; `onGoal` is called once that is done. */
export type Goal = { goal?: string | null; onGoal?: () => void }

/** Scrolls to the heading of the section that is wanted. */
export function useGoal({ goal, onGoal }: Goal, entries: readonly Entry[], startOf: (index: number) => number) {
  useEffect(() => {
    if (goal == null) return
    const index = entries.findIndex(entry => entry.kind === 'group' && entry.key === goal)
    const head = document.querySelector('.episode-group-head')
    if (index !== -1 && head) scrollTo(0, startOf(index) - parseFloat(getComputedStyle(head).top))
    onGoal?.()
  })
}

type ScrollToIndex = (index: number, options: { align: 'center' }) => void

/** Scrolls once to the sought episode, and loads the list up to it. */
export function useScrollTo(
  soughtRef: RefObject<string | null>,
  list: EpisodeRows,
  entries: readonly Entry[],
  scrollToIndex: ScrollToIndex,
) {
  useSignals()
  const items = list.items.value
  useEffect(() => {
    if (soughtRef.current === null) return
    const place = list.seek(({ podcastEpisode }) => podcastEpisode.id === soughtRef.current)
    const index = place === null ? -1 : entries.findIndex(entry => entry.kind === 'row' && entry.place === place)
    if (index === -1) return
    if (list.at(place!)) soughtRef.current = null
    scrollToIndex(index, { align: 'center' })
  }, [items, entries, soughtRef, list, scrollToIndex])
}

/** Lets the End key reach the end at once, and stay there while rows turn out to be higher. */
export function useEndKey(height: number) {
  const isAtEnd = useRef(false)
  useEffect(() => {
    const leave = () => (isAtEnd.current = false)
    function onKeyDown(event: KeyboardEvent) {
      leave()
      if (event.key !== 'End' || event.shiftKey || event.altKey || event.defaultPrevented) return
      if ((event.target as Element).closest(withOwnKeys)) return
      event.preventDefault()
      isAtEnd.current = true
      scrollTo(0, document.documentElement.scrollHeight)
    }
    document.addEventListener('keydown', onKeyDown)
    document.addEventListener('wheel', leave, { passive: true })
    document.addEventListener('pointerdown', leave)
    return () => {
      document.removeEventListener('keydown', onKeyDown)
      document.removeEventListener('wheel', leave)
      document.removeEventListener('pointerdown', leave)
    }
  }, [])
  useLayoutEffect(() => {
    if (isAtEnd.current) scrollTo(0, document.documentElement.scrollHeight)
  }, [height])
}

const HEADING = 44
const WIDE_ROW = 56
const NARROW_ROW = 84
const NARROW = 640

export type EpisodeWindow = ReturnType<typeof useEpisodeWindow>

/**
 * Positions entries in the window, below whatever is above the list. `offset`: that height, in pixels. `held`: an entry
 * that stays wherever the window is, because it is being dragged.
 */
export function useEpisodeWindow(entries: readonly Entry[], held: number | null = null) {
  const { places } = useApp()
  const container = useRef<HTMLDivElement>(null)
  const [{ offset, row }, setPlace] = useState({ offset: 0, row: WIDE_ROW })
  useLayoutEffect(() => {
    const { top, width } = container.current!.getBoundingClientRect()
    setPlace({ offset: top + scrollY, row: width < NARROW ? NARROW_ROW : WIDE_ROW })
  }, [])
  const virtualizer = useWindowVirtualizer({
    count: entries.length,
    estimateSize: index => (entries[index]!.kind === 'group' ? HEADING : row),
    // Going back finds every row where it was, also those that are not measured again.
    initialMeasurementsCache: useState(() => places.remembered<VirtualItem[]>('rows') ?? [])[0],
    onChange: ({ measurementsCache }) => places.remember('rows', measurementsCache),
    overscan: 4,
    rangeExtractor: useCallback((range: Range) => withHeld(defaultRangeExtractor(range), held), [held]),
    scrollMargin: offset,
    getItemKey: useCallback((index: number) => keyOf(entries[index], index), [entries]),
  })
  return { container, virtualizer, offset }
}

const withHeld = (indexes: number[], held: number | null) =>
  held === null || indexes.includes(held) ? indexes : [...indexes, held].toSorted((one, other) => one - other)

function keyOf(entry: Entry | undefined, index: number) {
  if (!entry) return index
  return entry.kind === 'row' ? entry.key : `group ${entry.at}`
}
