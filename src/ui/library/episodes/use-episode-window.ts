import { useWindowVirtualizer, type VirtualItem } from '@tanstack/react-virtual'
import { useLayoutEffect, useRef, useState } from 'react'
import { useApp } from '../../app-context'
import type { Entry } from './episode-list-groups'

const HEADING = 40
const WIDE_ROW = 56
const NARROW_ROW = 84
const NARROW = 640

export type EpisodeWindow = ReturnType<typeof useEpisodeWindow>

/** Positions entries in the window, below whatever is above the list. `offset`: that height, in pixels. */
export function useEpisodeWindow(entries: readonly Entry[]) {
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
    scrollMargin: offset,
    getItemKey: index => keyOf(entries[index], index),
  })
  return { container, virtualizer, offset }
}

function keyOf(entry: Entry | undefined, index: number) {
  if (!entry) return index
  return entry.kind === 'row' ? entry.wrapper.podcastEpisode.id : `group ${entry.at}`
}
