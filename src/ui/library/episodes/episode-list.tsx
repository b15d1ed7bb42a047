import { useSignals } from '@preact/signals-react/runtime'
import {
  type ComponentProps,
  type ComponentType,
  type ReactNode,
  type RefObject,
  useCallback,
  useMemo,
  useRef,
  useState,
} from 'react'
import { useTranslation } from 'react-i18next'
import type { Episode, EpisodeWrapper } from '../../../shared/api/episode'
import type { Playlist } from '../../../shared/api/playlist'
import { useApp } from '../../app-context'
import type { MenuItem } from '../../components/menu'
import { Failed } from '../../components/states'
import type { Selection } from '../../state/selection'
import {
  entriesOf,
  entriesOfSections,
  type Entry,
  type GroupOf,
  type Section,
  shownGroups,
} from './episode-list-groups'
import './episode-list.css'
import { EpisodeRow } from './episode-row'
import {
  type EpisodeRows,
  type EpisodeWindow,
  type Goal,
  useEndKey,
  useEpisodeWindow,
  useGoal,
  useScrollTo,
  useShown,
} from './use-episode-window'

type Props = Goal & {
  list: EpisodeRows
  podcastNameOf: (wrapper: EpisodeWrapper) => string
  showPodcast?: boolean
  /** Off inside a podcast, whose cover is above. */
  showCover?: boolean
  /** Rows then name their number alone. */
  isBySeason?: boolean
  /** The hour suits rows below the heading of their day. */
  dateForm?: (wrapper: EpisodeWrapper) => 'day' | 'hour'
  /**
   * Puts rows that follow each other below a heading, which sticks below `--list-top` (the top bar, unless a page sets
   * it). Must keep its identity.
   */
  groupOf?: GroupOf | undefined
  /** The parts of a list whose length is known. Must keep their identity. */
  sections?: readonly Section[] | undefined
  empty: ReactNode
  /** The `id` of the episode that is open at first. */
  openAtStart?: string | null
  /** The second of it that is shown. */
  momentAtStart?: number | null
  /** Adds entries to the menu of an episode. */
  moreOf?: (wrapper: EpisodeWrapper) => readonly MenuItem[]
  /** The playlist that is listed, with which playing may continue. */
  origin?: Pick<Playlist, 'id' | 'name'> | null
  /** Lets rows be selected; see `useEpisodeSelection`. */
  selection?: Selection<EpisodeWrapper> | undefined
  /** Lets rows be dragged to another place of a list without groups. */
  sorting?: Sorting | null
  /** Replaces the rows; an episode may then be in several places. */
  rowOf?: (wrapper: EpisodeWrapper, place: number) => ReactNode
}

export type FrameProps = {
  items: readonly EpisodeWrapper[]
  onMove: (from: number, to: number) => void
  onHold: (place: number | null) => void
  children: ReactNode
}
type ItemProps = Pick<ComponentProps<'li'>, 'className' | 'aria-setsize' | 'aria-posinset' | 'children'>
export type SortedRowProps = ItemProps & {
  episode: Episode
  /** Pixels below the start of the list. */
  top: number
  measure: (node: HTMLLIElement | null) => void
}
/** Its code is loaded by the page that sorts. */
export type Sorting = Pick<FrameProps, 'onMove'> & {
  Frame: ComponentType<FrameProps>
  SortedRow: ComponentType<SortedRowProps>
}

/** A list of any length: draws only the episodes on the screen, and loads more as the user scrolls. */
export function EpisodeList({ list, empty, openAtStart = null, ...rows }: Props) {
  useSignals()
  // Kept here, because the rows come and go with the filters.
  const [openId, setOpenId] = useState(openAtStart)
  const toggle = useCallback((id: string) => setOpenId(open => (open === id ? null : id)), [])
  const soughtRef = useRef(openAtStart)
  const status = list.status.value
  const hasItems = list.length.value > 0 && list.items.value.length > 0
  const showCover = rows.showCover ?? true
  const failed = <Failed error={list.error.value} onRetry={() => void list.retry()} />
  if (hasItems)
    return (
      <Rows list={list} openAtStart={openAtStart} openId={openId} onToggle={toggle} soughtRef={soughtRef} {...rows}>
        {status === 'loading' && <EpisodeSkeleton count={2} showCover={showCover} />}
        {status === 'failed' && <div className="episode-list-failed sticky">{failed}</div>}
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
  const { list, groupOf, sections, selection, sorting } = props
  const length = list.length.value
  const items = list.items.value
  const entries = useEntries(items, groupOf, sections)
  const [held, setHeld] = useState<number | null>(null)
  const { container, virtualizer, offset } = useEpisodeWindow(entries, held)
  useScrollTo(soughtRef, list, entries, virtualizer.scrollToIndex)
  useGoal(props, entries, index => virtualizer.measurementsCache[index]!.start)
  const shown = virtualizer.getVirtualItems()
  useShown(list, entries, shown)
  useEndKey(virtualizer.getTotalSize())
  const extend = useExtension(list, selection)
  const groups = shownGroups(entries, shown)
  const rows = (
    <ol className="relative" style={{ height: virtualizer.getTotalSize() }}>
      {/* Flat: rows in nested lists would be rendered again whenever another becomes the first. */}
      {shown.flatMap(({ index, start }) => {
        const entry = entries[index]!
        const group = groups.get(index)
        return [
          group && <Group key={`group ${group.at}`} group={group} virtualizer={virtualizer} offset={offset} />,
          entry.kind === 'row' && (
            <Place
              key={(props.rowOf ? null : list.at(entry.place)?.podcastEpisode.id) ?? entry.place}
              row={{ ...props, onExtend: extend }}
              place={entry.place}
              top={start - offset}
              measure={virtualizer.measureElement}
              data-index={index}
              className={index === 0 || entries[index - 1]!.kind === 'group' ? 'is-first' : undefined}
              aria-setsize={list.isWhole.value ? length : -1}
              aria-posinset={entry.place + 1}
            />
          ),
        ]
      })}
    </ol>
  )
  return (
    <div className="episode-list" ref={container}>
      {sorting ? (
        <sorting.Frame items={items} onMove={sorting.onMove} onHold={setHeld}>
          {rows}
        </sorting.Frame>
      ) : (
        rows
      )}
      {children}
    </div>
  )
}

type PlaceProps = Pick<SortedRowProps, 'top' | 'measure'> &
  Omit<ItemProps, 'children'> & { row: Omit<RowProps, 'wrapper'>; place: number; 'data-index': number }

/** A place of the list, with the row that is there once it has been fetched. */
function Place({ row, place, top, measure, ...item }: PlaceProps) {
  const { list, sorting, showCover = true, rowOf } = row
  const wrapper = list.at(place)
  const own = wrapper && rowOf?.(wrapper, place)
  const content = wrapper ? (own ?? <Row {...row} wrapper={wrapper} />) : <Shapes count={1} showCover={showCover} />
  if (sorting && wrapper)
    return (
      <sorting.SortedRow {...item} episode={wrapper.podcastEpisode} top={top} measure={measure}>
        {content}
      </sorting.SortedRow>
    )
  return (
    <li {...item} ref={measure} style={{ transform: `translateY(${top}px)` }}>
      {content}
    </li>
  )
}

const useEntries = (items: readonly EpisodeWrapper[], groupOf?: GroupOf, sections?: readonly Section[]) => {
  const given = sections ? null : items
  return useMemo(
    () => (sections ? entriesOfSections(sections) : entriesOf(given!, groupOf)),
    [given, groupOf, sections],
  )
}

/** Returns what selects a range of the list, where rows can be selected. */
function useExtension(list: EpisodeRows, selection: Selection<EpisodeWrapper> | undefined) {
  const { failed } = useApp()
  const extend = useCallback(
    async (wrapper: EpisodeWrapper) => {
      const { extendOver } = await import('./extend-over')
      await extendOver(list, selection!, wrapper).catch(failed)
    },
    [selection, list, failed],
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
      isInSeason={row.isBySeason ?? false}
      dateForm={row.dateForm?.(wrapper) ?? 'day'}
      headingLevel={row.groupOf || row.sections?.[0]?.label ? 4 : 3}
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

type ShapesProps = { count: number; showCover: boolean }

/** Grey shapes of the same geometry as the rows that are loading. */
export function EpisodeSkeleton(props: ShapesProps) {
  const { t } = useTranslation()
  return (
    <div role="status" aria-busy="true" aria-label={t('loading')}>
      <Shapes {...props} />
    </div>
  )
}

const Shapes = ({ count, showCover }: ShapesProps) => (
  <div className={`skeleton episode-skeletons ${showCover ? '' : 'has-no-cover'}`}>
    {Array.from({ length: count }, (_, index) => (
      <div key={index} className="skeleton-row episode-skeleton flip" />
    ))}
  </div>
)
