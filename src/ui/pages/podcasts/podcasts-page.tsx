import { useSignals } from '@preact/signals-react/runtime'
import { Heart, Play } from 'lucide-react'
import {
  memo,
  type RefObject,
  startTransition,
  useDeferredValue,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'wouter'
import type { KnownPodcast } from '../../../shared/api/podcast'
import { findCategories } from '../../api/library'
import { useApp } from '../../app-context'
import { PageHeader } from '../../components/page-header'
import { IconButton, RefreshButton } from '../../components/buttons'
import { Empty, Failed, Skeleton } from '../../components/states'
import { CopyFeedButton } from '../../library/forms/copy'
import { AddPodcastButton, EmptyLibrary } from '../../library/podcasts/empty-library'
import { routes } from '../../routes'
import { useResource } from '../../use-resource'
import { arrange, fold, needsAttention, PodcastsTools, useArrangement } from './podcasts-tools'
import { FeedCause, PodcastMenu, PodcastTable, usePlayPodcast } from './podcast-table'
import './podcasts.css'
import { FavouriteButton } from '../../library/podcasts/favourite-button'
import { PodcastCover } from '../../library/covers'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { formatCount, langOf } from '../../format'

/** The library as covers or as a table: all podcasts, or the favourites. */
export function PodcastsPage({ favouritesOnly }: { favouritesOnly: boolean }) {
  useSignals()
  const { client, library, tags, feedChecks, failed } = useApp()
  const { t } = useTranslation()
  useEffect(() => {
    // The first load has already started.
    if (library.status.peek() === 'ready') void library.load()
    void tags.load()
  }, [library, tags])
  const [words, setWords] = useState('')
  const [isAwaited] = useState(() => library.status.peek() !== 'ready')
  const arrangement = useArrangement()
  const { sort, setSort, view } = arrangement
  const [search] = useSearchParams()
  const all = library.all.value
  const namesChecks = view === 'list' || all.some(needsAttention)
  useEffect(() => {
    if (namesChecks) void feedChecks.load().catch(failed)
  }, [namesChecks, feedChecks, failed])
  const podcasts = useMemo(
    () =>
      arrange(
        all.filter(podcast => !favouritesOnly || podcast.favorites),
        sort,
      ),
    [all, favouritesOnly, sort],
  )
  // Letters appear at once, however long the tiles take to draw.
  const wanted = fold(useDeferredValue(words).trim())
  const category = search.get('category')
  const categories = useResource(
    async (_signal, wanted: string | null) => (wanted === null ? [] : findCategories(client)),
    [category],
  )
  const inCategory = new Set(categories.data?.find(({ name }) => name === category)?.podcastIds)
  const shown = podcasts.filter(
    podcast =>
      (category === null || inCategory.has(podcast.id)) &&
      isWanted(podcast, search) &&
      (wanted === '' || fold(podcast.name).includes(wanted)),
  )
  const addressOf = favouritesOnly ? routes.favoriteEpisodes : routes.episodes

  return (
    <>
      <Header favouritesOnly={favouritesOnly} hasPodcasts={podcasts.length > 0} />
      {library.status.value === 'failed' && <Failed error={library.error.value} onRetry={() => void library.load()} />}
      {(library.status.value === 'idle' || library.status.value === 'loading') && <Skeleton kind="tile" count={12} />}
      {library.status.value === 'ready' && podcasts.length === 0 && <NothingHere favouritesOnly={favouritesOnly} />}
      {podcasts.length > 0 && (
        <>
          <PodcastsTools podcasts={podcasts} words={words} onType={setWords} arrangement={arrangement} />
          {categories.error !== null && <Failed error={categories.error} onRetry={() => void categories.retry()} />}
          {shown.length === 0 && !categories.isLoading && categories.error === null && (
            <Empty>{words ? t('no-podcast-matches', { words }) : t('no-podcast-passes')}</Empty>
          )}
          {view === 'list' ? (
            <PodcastTable podcasts={shown} addressOf={addressOf} sort={sort} onSort={setSort} />
          ) : (
            <PodcastGrid
              key={view}
              podcasts={shown}
              addressOf={addressOf}
              isCompact={view === 'compact'}
              isAwaited={isAwaited}
            />
          )}
        </>
      )}
    </>
  )
}

/** Returns whether a podcast passes the filter in the address. */
function isWanted(podcast: KnownPodcast, search: URLSearchParams): boolean {
  if (search.has('attention')) return needsAttention(podcast)
  const tagId = search.get('tag')
  return tagId === null || podcast.tags.some(({ id }) => id === tagId)
}

function Header({ favouritesOnly, hasPodcasts }: { favouritesOnly: boolean; hasPodcasts: boolean }) {
  useSignals()
  const { library, session, failed } = useApp()
  const { t } = useTranslation()
  return (
    <PageHeader title={favouritesOnly ? t('favorites') : t('all-subscriptions')}>
      {hasPodcasts && session.mayUpload.value && (
        <RefreshButton
          className="above-phone"
          label={t('refresh-all')}
          busyLabel={t('refreshing')}
          isBusy={library.refreshing.value.size > 0}
          onClick={() => void library.refreshAll().catch(failed)}
        />
      )}
      {favouritesOnly && hasPodcasts && <CopyFeedButton path="favorites" />}
      {!favouritesOnly && session.mayAdd.value && <AddPodcastButton />}
    </PageHeader>
  )
}

function NothingHere({ favouritesOnly }: { favouritesOnly: boolean }) {
  useSignals()
  const { library } = useApp()
  const { t } = useTranslation()
  if (!favouritesOnly) return <EmptyLibrary />
  if (library.all.value.length === 0) return <EmptyLibrary icon={Heart} text={t('favorites-empty')} />
  return (
    <Empty
      icon={Heart}
      action={
        <Link href={routes.podcasts} role="button" className="secondary">
          {t('all-subscriptions')}
        </Link>
      }
    >
      {t('favorites-empty')}
    </Empty>
  )
}

type Props = {
  podcasts: readonly KnownPodcast[]
  isCompact: boolean
  /** The user sees the page already and waits for the grid. */
  isAwaited: boolean
  addressOf: (podcastId: string) => string
}

/** A grid of any length, of which only the rows on the screen are drawn. */
function PodcastGrid({ podcasts, isCompact, isAwaited, addressOf }: Props) {
  const grid = useRef<HTMLUListElement>(null)
  const { from, to, paddingBlockStart, paddingBlockEnd } = useGridRows(grid, podcasts.length, isAwaited)
  return (
    <ul
      className={`podcast-grid stack above-8 ${isCompact ? 'is-compact' : ''}`}
      ref={grid}
      style={{ paddingBlockStart, paddingBlockEnd }}
    >
      {podcasts.slice(from, to).map((podcast, index) => (
        <PodcastTile
          key={podcast.id}
          podcast={podcast}
          to={addressOf(podcast.id)}
          place={from + index + 1}
          total={podcasts.length}
        />
      ))}
    </ul>
  )
}

type PodcastTileProps = {
  podcast: KnownPodcast
  to: string
  /** Counts from one, among `total`. */
  place: number
  total: number
}

/** A podcast in the grid: its cover, how many episodes are new, and whether its feed fails. */
const PodcastTile = memo(function PodcastTile({ podcast, to, place, total }: PodcastTileProps) {
  const { t } = useTranslation()
  const play = usePlayPodcast(podcast)
  const { name, language, new_count: count } = podcast
  return (
    <li className="podcast-tile shrinks relative" aria-posinset={place} aria-setsize={total}>
      <Link className="stack gap-8 ink curved undecorated" href={to}>
        <span className="shrinks relative">
          <PodcastCover podcast={podcast} size={256} />
          {count > 0 && <NewCount count={count} />}
        </span>
        <span className="podcast-name title clamp">
          <bdi lang={langOf(language)}>{name}</bdi>
        </span>
      </Link>
      {needsAttention(podcast) && <FeedCause podcast={podcast} />}
      <FavouriteButton podcast={podcast} className="podcast-heart fills" />
      {podcast.episode_count > 0 && (
        <IconButton icon={Play} label={t('play-podcast', { name })} className="podcast-play filled" onClick={play} />
      )}
      <PodcastMenu podcast={podcast} />
    </li>
  )
})

function NewCount({ count }: { count: number }) {
  const { t } = useTranslation()
  const text = t('new-count', { count })
  return (
    <span className="podcast-count absolute count numbers" title={text}>
      <span aria-hidden="true">{formatCount(count)}</span>
      <span className="visually-hidden">{text}</span>
    </span>
  )
}

/** Pixels of a name, until it is measured. */
const NAME_HEIGHT = 30

/**
 * Finds the items of a grid to draw, `from` up to but without `to`, and the room to leave for the rows above and below.
 * The style sheet decides how many columns there are. `isAwaited`: the user sees the page already and waits for the
 * grid.
 */
function useGridRows(grid: RefObject<HTMLElement | null>, count: number, isAwaited: boolean) {
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
