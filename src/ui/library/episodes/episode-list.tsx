import { useSignals } from '@preact/signals-react/runtime'
import { useWindowVirtualizer, type VirtualItem } from '@tanstack/react-virtual'
import {
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { useTranslation } from 'react-i18next'
import type { EpisodeWrapper } from '../../../shared/api/episode'
import type { Playlist } from '../../../shared/api/playlist'
import { useApp } from '../../app-context'
import type { MenuItem } from '../../components/menu'
import { Failed } from '../../components/states'
import type { PagedList } from '../../state/paged-list'
import type { Selection } from '../../state/selection'
import { entriesOf, type Entry, type GroupOf, shownGroups } from './episode-list-groups'
import './episode-list.css'
import { EpisodeRow } from './episode-row'
import { withOwnKeys } from './use-episode-selection'

type Props = {
  list: PagedList<EpisodeWrapper>
  podcastNameOf: (wrapper: EpisodeWrapper) => string
  showPodcast?: boolean
  /** Off inside a podcast, whose cover is above. */
  showCover?: boolean
  /** The hour suits rows below the heading of their day. */
  dateForm?: (wrapper: EpisodeWrapper) => 'day' | 'hour'
  /**
   * Puts rows that follow each other below a heading, which sticks below `--list-top` (the top bar, unless a page sets
   * it). Must keep its identity.
   */
  groupOf?: GroupOf | undefined
  empty: ReactNode
  /** The `id` of the episode that is open at first. */
  openAtStart?: string | null
  /** The second of it that is shown. */
  momentAtStart?: number | null
  /** Adds entries to the menu of an episode. */
  moreOf?: (wrapper: EpisodeWrapper) => readonly MenuItem[]
  /** The playlist that is listed, with which playing may continue. */
  origin?: Pick<Playlist, 'id' | 'name'> | null
  /** Lets the End key load all that is left. */
  loadsRest?: boolean
  /** Lets rows be selected; see `useEpisodeSelection`. */
  selection?: Selection<EpisodeWrapper> | undefined
}

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
  const showCover = rows.showCover ?? true
  const failed = <Failed error={list.error.value} onRetry={() => void list.retry()} />
  if (hasItems)
    return (
      <Rows list={list} openAtStart={openAtStart} openId={openId} onToggle={toggle} soughtRef={soughtRef} {...rows}>
        {status === 'loading' && <EpisodeSkeleton count={2} showCover={showCover} />}
        {status === 'failed' && failed}
      </Rows>
    )
  if (status === 'failed') return failed
  return status === 'ready' ? empty : <EpisodeSkeleton count={8} showCover={showCover} />
}

type RowsProps = Omit<Props, 'empty'> & {
  openId: string | null
  onToggle: (id: string) => void
  /** The episode to scroll to; null once that is done. */
  soughtRef: RefObject<string | null>
  children: ReactNode
}

function Rows({ soughtRef, children, ...props }: RowsProps) {
  useSignals()
  const { list, groupOf, selection } = props
  const items = list.items.value
  const hasMore = list.hasMore.value
  const entries = useEntries(items, groupOf)
  const { container, virtualizer, offset } = useEpisodeWindow(entries)
  useScrollTo(soughtRef, list, entries, virtualizer.scrollToIndex)
  const shown = virtualizer.getVirtualItems()
  const lastShown = shown.at(-1)?.index ?? 0
  useEffect(() => {
    if (hasMore && lastShown >= entries.length - LOAD_AHEAD) list.loadMore()
  }, [hasMore, lastShown, entries.length, list])
  useEndKey(list, entries.length, props.loadsRest ?? false)
  const extend = useExtension(list, selection)
  const groups = shownGroups(entries, shown)
  return (
    <div className="episode-list" ref={container}>
      <ol className="relative" style={{ height: virtualizer.getTotalSize() }}>
        {/* Flat: rows in nested lists would be rendered again whenever another becomes the first. */}
        {shown.flatMap(({ key, index, start }) => {
          const entry = entries[index]!
          const group = groups.get(index)
          return [
            group && <Group key={`group ${group.at}`} group={group} virtualizer={virtualizer} offset={offset} />,
            entry.kind === 'row' && (
              <li
                key={key}
                data-index={index}
                className={index === 0 || entries[index - 1]!.kind === 'group' ? 'is-first' : undefined}
                ref={virtualizer.measureElement}
                aria-setsize={hasMore ? -1 : items.length}
                aria-posinset={entry.place + 1}
                style={{ transform: `translateY(${start - offset}px)` }}
              >
                <Row {...props} wrapper={entry.wrapper} onExtend={extend} />
              </li>
            ),
          ]
        })}
      </ol>
      {children}
    </div>
  )
}

const useEntries = (items: readonly EpisodeWrapper[], groupOf: GroupOf | undefined) =>
  useMemo(() => entriesOf(items, groupOf), [items, groupOf])

/** Returns what selects a range of the list, where rows can be selected. */
function useExtension(list: PagedList<EpisodeWrapper>, selection: Selection<EpisodeWrapper> | undefined) {
  const extend = useCallback(
    (wrapper: EpisodeWrapper) => selection?.extendTo(wrapper, list.items.peek()),
    [selection, list],
  )
  return selection && extend
}

type RowProps = Omit<RowsProps, 'soughtRef' | 'children'> & {
  wrapper: EpisodeWrapper
  onExtend: ((wrapper: EpisodeWrapper) => void) | undefined
}

function Row({ wrapper, openAtStart, momentAtStart = null, openId, onToggle, onExtend, ...row }: RowProps) {
  const { id } = wrapper.podcastEpisode
  return (
    <EpisodeRow
      wrapper={wrapper}
      podcastName={row.podcastNameOf(wrapper)}
      showPodcast={row.showPodcast ?? false}
      showCover={row.showCover ?? true}
      dateForm={row.dateForm?.(wrapper) ?? 'day'}
      headingLevel={row.groupOf ? 4 : 3}
      isOpen={openId === id}
      moment={id === openAtStart ? momentAtStart : null}
      onToggle={onToggle}
      moreOf={row.moreOf}
      origin={row.origin}
      selection={row.selection}
      onExtend={onExtend}
    />
  )
}

type GroupProps = {
  group: Extract<Entry, { kind: 'group' }>
  virtualizer: EpisodeWindow['virtualizer']
  offset: number
}

/** The heading of a group. It is in a box as high as the group, and sticks as long as that is in sight. */
function Group({ group, virtualizer, offset }: GroupProps) {
  const { measurementsCache: places } = virtualizer
  const start = places[group.at]!.start
  const end = places[group.end]?.start ?? offset + virtualizer.getTotalSize()
  // Placed without a transform: what sticks does not know of those.
  return (
    <li className="episode-group" style={{ insetBlockStart: start - offset, height: end - start }}>
      <div className="episode-group-head sticky fine row gap-8" data-index={group.at} ref={virtualizer.measureElement}>
        <h3>{group.label}</h3>
        {group.tools}
      </div>
    </li>
  )
}

type ScrollToIndex = (index: number, options: { align: 'center' }) => void

/** Scrolls once to the sought episode, and loads the list up to it. */
function useScrollTo(
  soughtRef: RefObject<string | null>,
  list: PagedList<EpisodeWrapper>,
  entries: readonly Entry[],
  scrollToIndex: ScrollToIndex,
) {
  useEffect(() => {
    if (soughtRef.current === null) return
    const place = entries.findIndex(
      entry => entry.kind === 'row' && entry.wrapper.podcastEpisode.id === soughtRef.current,
    )
    if (place === -1) {
      list.loadMore()
      return
    }
    soughtRef.current = null
    scrollToIndex(place, { align: 'center' })
  }, [entries, soughtRef, list, scrollToIndex])
}

/** Lets the End key go to the last episode at once, after loading what is missing. */
function useEndKey(list: PagedList<EpisodeWrapper>, count: number, isOn: boolean) {
  const isWanted = useRef(false)
  useEffect(() => {
    if (!isOn) return undefined
    function onKeyDown(event: KeyboardEvent) {
      if (event.key !== 'End' || event.shiftKey || event.altKey || event.defaultPrevented) return
      if (!list.hasMore.peek() || (event.target as Element).closest(withOwnKeys)) return
      event.preventDefault()
      isWanted.current = true
      list.loadRest()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [list, isOn])
  useLayoutEffect(() => {
    if (!isWanted.current || list.hasMore.peek()) return
    isWanted.current = false
    scrollTo(0, document.documentElement.scrollHeight)
  }, [list, count])
}

const HEADING = 40
const WIDE_ROW = 56
const NARROW_ROW = 84
const NARROW = 640

type EpisodeWindow = ReturnType<typeof useEpisodeWindow>

/** Positions entries in the window, below whatever is above the list. `offset`: that height, in pixels. */
function useEpisodeWindow(entries: readonly Entry[]) {
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

/** Grey shapes of the same geometry as the rows that are loading. */
export function EpisodeSkeleton({ count, showCover }: { count: number; showCover: boolean }) {
  const { t } = useTranslation()
  return (
    <div
      className={`skeleton episode-skeletons ${showCover ? '' : 'has-no-cover'}`}
      role="status"
      aria-busy="true"
      aria-label={t('loading')}
    >
      {Array.from({ length: count }, (_, index) => (
        <div key={index} className="episode-skeleton">
          <span />
          <span />
          <span />
        </div>
      ))}
    </div>
  )
}
