import { useSignals } from '@preact/signals-react/runtime'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { useCallback, useEffect, useLayoutEffect, useRef, useState, type ReactNode } from 'react'
import type { EpisodeWrapper } from '../../../shared/api/episode'
import type { PagedList } from '../../state/paged-list'
import type { MenuItem } from '../../components/menu'
import { Failed, Skeleton } from '../../components/states'
import { EpisodeRow } from './episode-row'
import './episode-list.css'

type Props = {
  list: PagedList<EpisodeWrapper>
  podcastNameOf: (wrapper: EpisodeWrapper) => string
  showPodcast?: boolean
  empty: ReactNode
  /** The episode that is opened from the start, by its `id`. */
  openAtStart?: string | null
  /** The second of it that is shown. */
  momentAtStart?: number | null
  /** What this list adds to the menu of an episode. */
  moreOf?: (wrapper: EpisodeWrapper) => readonly MenuItem[]
}

const ROW_HEIGHT = 81

/** As many episodes as there are, of which only those on the screen are drawn; the rest is fetched on the way. */
export function EpisodeList({
  list,
  podcastNameOf,
  showPodcast = false,
  empty,
  openAtStart = null,
  momentAtStart = null,
  moreOf,
}: Props) {
  useSignals()
  const [openId, setOpenId] = useState(openAtStart)
  const toggle = useCallback((id: string) => setOpenId(open => (open === id ? null : id)), [])
  const container = useRef<HTMLDivElement>(null)
  const [offset, setOffset] = useState(0)
  const items = list.items.value
  const status = list.status.value
  const hasMore = list.hasMore.value
  const isEmpty = items.length === 0

  useLayoutEffect(() => {
    setOffset((container.current?.getBoundingClientRect().top ?? 0) + scrollY)
  }, [isEmpty])

  const virtualizer = useWindowVirtualizer({
    count: items.length,
    estimateSize: () => ROW_HEIGHT,
    overscan: 4,
    scrollMargin: offset,
    getItemKey: index => items[index]?.podcastEpisode.id ?? index,
  })
  const isSought = useRef(openAtStart !== null)
  useEffect(() => {
    if (!isSought.current || items.length === 0) return
    const place = items.findIndex(({ podcastEpisode }) => podcastEpisode.id === openAtStart)
    if (place === -1) {
      list.loadMore()
      return
    }
    isSought.current = false
    virtualizer.scrollToIndex(place, { align: 'center' })
  }, [items, openAtStart, list, virtualizer])

  const rows = virtualizer.getVirtualItems()
  const lastShown = rows.at(-1)?.index ?? 0
  useEffect(() => {
    if (hasMore && lastShown >= items.length - 15) list.loadMore()
  }, [hasMore, lastShown, items.length, list])

  if (isEmpty && status === 'failed') return <Failed error={list.error.value} onRetry={() => void list.retry()} />
  if (isEmpty && status !== 'ready') return <Skeleton kind="row" count={8} />
  if (isEmpty) return empty
  return (
    <div className="episode-list" ref={container}>
      <ol style={{ height: virtualizer.getTotalSize() }}>
        {rows.map(row => {
          const wrapper = items[row.index]!
          const { id } = wrapper.podcastEpisode
          return (
            <li
              key={row.key}
              data-index={row.index}
              ref={virtualizer.measureElement}
              aria-setsize={hasMore ? -1 : items.length}
              aria-posinset={row.index + 1}
              style={{ transform: `translateY(${row.start - offset}px)` }}
            >
              <EpisodeRow
                wrapper={wrapper}
                podcastName={podcastNameOf(wrapper)}
                showPodcast={showPodcast}
                isOpen={openId === id}
                moment={id === openAtStart ? momentAtStart : null}
                onToggle={toggle}
                {...(moreOf && { moreOf })}
              />
            </li>
          )
        })}
      </ol>
      {status === 'loading' && <Skeleton kind="row" count={2} />}
      {status === 'failed' && <Failed error={list.error.value} onRetry={() => void list.retry()} />}
    </div>
  )
}
