import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { startTransition, useLayoutEffect, useState, type RefObject } from 'react'

/** Pixels of a name, until it is measured. */
const NAME_HEIGHT = 30

/**
 * Finds the items of a grid to draw, `from` up to but without `to`, and the room to leave for the rows above and below.
 * The style sheet decides how many columns there are. `isAwaited`: the user sees the page already and waits for the
 * grid.
 */
export function useGridRows(grid: RefObject<HTMLElement | null>, count: number, isAwaited: boolean) {
  const { tracks, gap, offset } = useTracks(grid, isAwaited)
  const columns = tracks.split(' ').length
  const virtualizer = useWindowVirtualizer({
    count: tracks === '' ? 0 : Math.ceil(count / columns),
    estimateSize: () => Number.parseFloat(tracks) + NAME_HEIGHT,
    gap,
    overscan: 1,
    scrollMargin: offset,
  })
  useLayoutEffect(() => virtualizer.measure(), [virtualizer, tracks, gap])

  const rows = virtualizer.getVirtualItems()
  // A row is as high as its longest name, and every tile as high as its row.
  useLayoutEffect(() => {
    rows.forEach(({ index }, place) => {
      const tile = grid.current!.children[place * columns]
      if (tile) virtualizer.resizeItem(index, tile.getBoundingClientRect().height)
    })
  })

  const first = rows[0]
  const last = rows.at(-1)
  if (!first || !last) return { from: 0, to: 0, paddingBlockStart: 0, paddingBlockEnd: 0 }
  return {
    from: first.index * columns,
    to: (last.index + 1) * columns,
    paddingBlockStart: first.start - offset,
    paddingBlockEnd: virtualizer.getTotalSize() - (last.end - offset),
  }
}

/**
 * The grid's columns as the browser computes them, '' until then, the gap of its rows, and where on the page it begins.
 */
function useTracks(grid: RefObject<HTMLElement | null>, isAwaited: boolean) {
  const [tracks, setTracks] = useState('')
  const [gap, setGap] = useState(0)
  const [offset, setOffset] = useState(0)
  useLayoutEffect(() => {
    const element = grid.current!
    const measure = () => {
      const { gridTemplateColumns, rowGap } = getComputedStyle(element)
      const top = element.getBoundingClientRect().top + scrollY
      const apply = () => {
        setTracks(gridTemplateColumns)
        setGap(Number.parseFloat(rowGap))
        setOffset(top)
      }
      // A page that was just opened is painted without the grid first: a screen of tiles takes a while.
      if (isAwaited) apply()
      else startTransition(apply)
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [grid, isAwaited])
  return { tracks, gap, offset }
}
