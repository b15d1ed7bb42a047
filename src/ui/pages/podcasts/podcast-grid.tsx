import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { startTransition, useLayoutEffect, useRef, useState } from 'react'
import type { Podcast } from '../../../shared/api/podcast'
import { PodcastTile } from './podcast-tile'
import './podcast-grid.css'

/** As in the style sheet. */
const ROW_GAP = 24
const NAME_HEIGHT = 50

/** Tiles of which only the rows on the screen are drawn. How many stand in a row is the style sheet's business. */
export function PodcastGrid({
  podcasts,
  addressOf,
}: {
  podcasts: readonly Podcast[]
  addressOf: (podcastId: string) => string
}) {
  const grid = useRef<HTMLUListElement>(null)
  const [tracks, setTracks] = useState('')
  const [offset, setOffset] = useState(0)
  const columns = tracks.split(' ').length

  useLayoutEffect(() => {
    const element = grid.current!
    const measure = () => {
      const columnsNow = getComputedStyle(element).gridTemplateColumns
      const top = element.getBoundingClientRect().top + scrollY
      // The page around it is painted first: a screen of tiles takes a while.
      startTransition(() => {
        setTracks(columnsNow)
        setOffset(top)
      })
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])

  const virtualizer = useWindowVirtualizer({
    count: tracks === '' ? 0 : Math.ceil(podcasts.length / columns),
    estimateSize: () => Number.parseFloat(tracks) + NAME_HEIGHT,
    gap: ROW_GAP,
    overscan: 1,
    scrollMargin: offset,
  })
  useLayoutEffect(() => virtualizer.measure(), [virtualizer, tracks])

  const rows = virtualizer.getVirtualItems()
  const first = rows[0]
  const last = rows.at(-1)
  // A row is as high as its longest name, and every tile as high as its row.
  useLayoutEffect(() => {
    rows.forEach(({ index }, place) => {
      const tile = grid.current!.children[place * columns]
      if (tile) virtualizer.resizeItem(index, tile.getBoundingClientRect().height)
    })
  })

  const begin = (first?.index ?? 0) * columns
  const shown = last ? podcasts.slice(begin, (last.index + 1) * columns) : []
  return (
    <ul
      className="podcast-grid"
      ref={grid}
      style={{
        paddingBlockStart: first ? first.start - offset : 0,
        paddingBlockEnd: last ? virtualizer.getTotalSize() - (last.end - offset) : 0,
      }}
    >
      {shown.map((podcast, place) => (
        <PodcastTile
          key={podcast.id}
          podcast={podcast}
          to={addressOf(podcast.id)}
          place={begin + place + 1}
          of={podcasts.length}
        />
      ))}
    </ul>
  )
}
