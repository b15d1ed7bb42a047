import { useSignals } from '@preact/signals-react/runtime'
import { useWindowVirtualizer, type VirtualItem } from '@tanstack/react-virtual'
import { useCallback, useEffect, useLayoutEffect, useRef, useState, type ReactNode, type RefObject } from 'react'
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
  /** The `id` of the episode that is open at first. */
  openAtStart?: string | null
  /** The second of it that is shown. */
  momentAtStart?: number | null
  /** Adds entries to the menu of an episode. */
  moreOf?: (wrapper: EpisodeWrapper) => readonly MenuItem[]
}

const ROW_HEIGHT = 81
const LOAD_AHEAD = 15

/** A list of any length: draws only the episodes on the screen, and loads more as the user scrolls. */
export function EpisodeList({ list, empty, openAtStart = null, ...rows }: Props) {
  useSignals()
  // Kept here, because the rows come and go with the filters.
  const [openId, setOpenId] = useState(openAtStart)
  const toggle = useCallback((id: string) => setOpenId(open => (open === id ? null : id)), [])
  const soughtRef = useRef(openAtStart)
  const status = list.status.value
  const hasItems = list.items.value.length > 0
  const failed = <Failed error={list.error.value} onRetry={() => void list.retry()} />
  if (hasItems)
    return (
      <Rows list={list} openAtStart={openAtStart} openId={openId} onToggle={toggle} soughtRef={soughtRef} {...rows}>
        {status === 'loading' && <Skeleton kind="row" count={2} />}
        {status === 'failed' && failed}
      </Rows>
    )
  if (status === 'failed') return failed
  return status === 'ready' ? empty : <Skeleton kind="row" count={8} />
}

type RowsProps = Omit<Props, 'empty'> & {
  openId: string | null
  onToggle: (id: string) => void
  /** The episode to scroll to; null once that is done. */
  soughtRef: RefObject<string | null>
  children: ReactNode
}

function Rows({
  list,
  openAtStart = null,
  momentAtStart = null,
  openId,
  onToggle,
  soughtRef,
  children,
  ...row
}: RowsProps) {
  useSignals()
  const items = list.items.value
  const hasMore = list.hasMore.value
  const { container, virtualizer, offset } = useWindowed(items)
  useScrollTo(soughtRef, list, virtualizer.scrollToIndex)
  const shown = virtualizer.getVirtualItems()
  const lastShown = shown.at(-1)?.index ?? 0
  useEffect(() => {
    if (hasMore && lastShown >= items.length - LOAD_AHEAD) list.loadMore()
  }, [hasMore, lastShown, items.length, list])

  return (
    <div className="episode-list" ref={container}>
      <ol style={{ height: virtualizer.getTotalSize() }}>
        {shown.map(({ key, index, start }: VirtualItem) => {
          const wrapper = items[index]!
          const { id } = wrapper.podcastEpisode
          return (
            <li
              key={key}
              data-index={index}
              ref={virtualizer.measureElement}
              aria-setsize={hasMore ? -1 : items.length}
              aria-posinset={index + 1}
              style={{ transform: `translateY(${start - offset}px)` }}
            >
              <EpisodeRow
                wrapper={wrapper}
                podcastName={row.podcastNameOf(wrapper)}
                showPodcast={row.showPodcast ?? false}
                isOpen={openId === id}
                moment={id === openAtStart ? momentAtStart : null}
                onToggle={onToggle}
                moreOf={row.moreOf}
              />
            </li>
          )
        })}
      </ol>
      {children}
    </div>
  )
}

/** Positions the rows in the window, below whatever stands above the list. `offset`: that height, in pixels. */
function useWindowed(items: readonly EpisodeWrapper[]) {
  const container = useRef<HTMLDivElement>(null)
  const [offset, setOffset] = useState(0)
  useLayoutEffect(() => setOffset(container.current!.getBoundingClientRect().top + scrollY), [])
  const virtualizer = useWindowVirtualizer({
    count: items.length,
    estimateSize: () => ROW_HEIGHT,
    overscan: 4,
    scrollMargin: offset,
    getItemKey: index => items[index]?.podcastEpisode.id ?? index,
  })
  return { container, virtualizer, offset }
}

type ScrollToIndex = (index: number, options: { align: 'center' }) => void

/** Scrolls once to the sought episode, and loads the list up to it. */
function useScrollTo(
  soughtRef: RefObject<string | null>,
  list: PagedList<EpisodeWrapper>,
  scrollToIndex: ScrollToIndex,
) {
  const items = list.items.value
  useEffect(() => {
    if (soughtRef.current === null) return
    const place = items.findIndex(({ podcastEpisode }) => podcastEpisode.id === soughtRef.current)
    if (place === -1) {
      list.loadMore()
      return
    }
    soughtRef.current = null
    scrollToIndex(place, { align: 'center' })
  }, [items, soughtRef, list, scrollToIndex])
}
