import { useSignals } from '@preact/signals-react/runtime'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { Ellipsis, Heart, Play, RefreshCw, TriangleAlert } from 'lucide-react'
import { memo, useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { KnownPodcast } from '../../../shared/api/podcast'
import { useApp } from '../../app-context'
import { Menu, type MenuItem } from '../../components/menu'
import { formatBytes } from '../../format-facts'
import { formatCount, formatDate, formatRelative } from '../../format'
import { PodcastCover } from '../../library/covers'
import { FavouriteButton } from '../../library/podcasts/favourite-button'
import { needsAttention, type Sort } from './podcasts-tools'
import './podcasts.css'

type Props = {
  podcasts: readonly KnownPodcast[]
  addressOf: (podcastId: string) => string
  sort: Sort
  onSort: (sort: Sort) => void
}

/** Pixels of a row until it is measured. */
const ROW_HEIGHT = 57

const columns = [
  { text: 'podcast', sort: 'title', direction: 'ascending' },
  { text: 'newest-episode', sort: 'newest', direction: 'descending' },
  { text: 'new', sort: 'new', direction: 'descending' },
  { text: 'on-the-server' },
  { text: 'feed-check' },
] as const

/** A table of any length, of which only the rows on the screen are drawn. */
export function PodcastTable({ podcasts, addressOf, sort, onSort }: Props) {
  const { t } = useTranslation()
  const body = useRef<HTMLTableSectionElement>(null)
  const [offset, setOffset] = useState(0)
  useLayoutEffect(() => setOffset(body.current!.getBoundingClientRect().top + scrollY), [])
  const virtualizer = useWindowVirtualizer({
    count: podcasts.length,
    estimateSize: () => ROW_HEIGHT,
    overscan: 4,
    scrollMargin: offset,
  })
  const rows = virtualizer.getVirtualItems()
  const above = rows[0] ? rows[0].start - offset : 0
  const below = rows[0] ? virtualizer.getTotalSize() - (rows.at(-1)!.end - offset) : 0
  return (
    <div className="podcast-table-frame">
      <table className="podcast-table flush list-width" aria-rowcount={podcasts.length + 1}>
        <thead>
          <tr>
            {columns.map(column =>
              'sort' in column ? (
                <th key={column.text} scope="col" aria-sort={column.sort === sort ? column.direction : undefined}>
                  <button type="button" className="plain" onClick={() => onSort(column.sort)}>
                    {t(column.text)}
                  </button>
                </th>
              ) : (
                <th key={column.text} scope="col">
                  {t(column.text)}
                </th>
              ),
            )}
            <th scope="col">
              <span className="visually-hidden">{t('actions')}</span>
            </th>
          </tr>
        </thead>
        <tbody ref={body}>
          <Room height={above} />
          {rows.map(({ index }) => (
            <PodcastTableRow
              key={podcasts[index]!.id}
              podcast={podcasts[index]!}
              to={addressOf(podcasts[index]!.id)}
              index={index}
              measure={virtualizer.measureElement}
            />
          ))}
          <Room height={below} />
        </tbody>
      </table>
    </div>
  )
}

/** The place of rows that are not drawn. */
const Room = ({ height }: { height: number }) =>
  height > 0 && (
    <tr aria-hidden="true">
      <td colSpan={2} style={{ height, padding: 0, border: 0 }}>
        {'\u00a0'}
      </td>
    </tr>
  )

type PodcastTableRowProps = {
  podcast: KnownPodcast
  to: string
  index: number
  measure: (row: HTMLTableRowElement | null) => void
}

/** A podcast in the table. On narrow screens its newest episode and its figures stand in the second line. */
const PodcastTableRow = memo(function PodcastTableRow({ podcast, to, index, measure }: PodcastTableRowProps) {
  const { t } = useTranslation()
  const { name, author, new_count: fresh, newest_episode_name: newest, last_episode_at } = podcast
  const { downloaded_count: files, downloaded_bytes: bytes } = podcast
  const date = last_episode_at && formatDate(last_episode_at)
  return (
    <tr ref={measure} data-index={index} aria-rowindex={index + 2}>
      <th scope="row">
        <div className="row gap-12">
          <PodcastCover podcast={podcast} size={64} />
          <div className="stack shrinks regular">
            <Link className="link ink strong truncate" href={to} dir="auto">
              {name}
            </Link>
            {needsAttention(podcast) ? (
              <FeedCause podcast={podcast} />
            ) : (
              <span className="muted truncate block above-phone" dir="auto">
                {author}
              </span>
            )}
            <span className="muted truncate block on-phone" dir="auto">
              {[fresh > 0 && t('new-count', { count: fresh }), date, newest].filter(Boolean).join(' · ')}
            </span>
          </div>
        </div>
      </th>
      <td>
        <span className="truncate block" dir="auto">
          {newest}
        </span>
        <span className="muted truncate block">{date}</span>
      </td>
      <td className="numbers">{fresh > 0 && formatCount(fresh)}</td>
      <td className="numbers faint">{files > 0 ? `${files} · ${formatBytes(bytes)}` : '–'}</td>
      <td>
        <Checked podcast={podcast} />
      </td>
      <td>
        <div className="podcast-table-tools flex at-end">
          <FavouriteButton podcast={podcast} className="fills above-phone" />
          <PodcastMenu podcast={podcast} />
        </div>
      </td>
    </tr>
  )
})

function Checked({ podcast }: { podcast: KnownPodcast }) {
  useSignals()
  const { feedChecks } = useApp()
  const { t } = useTranslation()
  if (needsAttention(podcast))
    return (
      <span className="podcast-failing caution truncate block fine">
        {podcast.feed_state === 'gone' ? t('feed-gone') : t('failed-times', { count: podcast.feed_failures })}
      </span>
    )
  const checked = feedChecks.byId.value.get(podcast.id)?.last_checked_at
  return <span className="muted truncate block">{checked ? formatRelative(checked) : '–'}</span>
}

/** The actions on a podcast of the list. */
export function PodcastMenu({ podcast }: { podcast: KnownPodcast }) {
  const { library, session, failed } = useApp()
  const { t } = useTranslation()
  const play = usePlayPodcast(podcast)
  const { id, name, favorites, feed_state } = podcast
  const items = (): MenuItem[] => [
    { icon: Play, label: t('play'), onSelect: play },
    {
      icon: Heart,
      label: t(favorites ? 'unfavour' : 'favour', { name }),
      onSelect: () => void library.favour(id, !favorites).catch(failed),
    },
    ...(session.mayUpload.peek() && feed_state !== 'none'
      ? [{ icon: RefreshCw, label: t('refresh'), onSelect: () => void library.refresh(id).catch(failed) }]
      : []),
  ]
  return <Menu icon={Ellipsis} label={t('more-of', { name })} heading={name} items={items} />
}

/** The reason why a feed gives no new episodes; its tooltip adds when the next try is. */
export function FeedCause({ podcast: { id, feed_state, last_error } }: { podcast: KnownPodcast }) {
  useSignals()
  const { feedChecks } = useApp()
  const { t } = useTranslation()
  const isGone = feed_state === 'gone'
  const cause =
    isGone || !last_error
      ? t(`feed-${feed_state}`)
      : t(`feed-error.${last_error.errorCode}`, { defaultValue: last_error.message })
  const next_check_at = feedChecks.byId.value.get(id)?.next_check_at
  const next = isGone ? t('feed-gone-hint') : next_check_at && t('next-try', { when: formatRelative(next_check_at) })
  return (
    <span className="podcast-failing clamp caution fine" title={[cause, next].filter(Boolean).join(' ')}>
      <TriangleAlert size={13} aria-hidden="true" /> {cause}
      <span className="visually-hidden"> {next}</span>
    </span>
  )
}

/** Returns a function that plays what one most likely wants of a podcast, as the server knows it. */
export function usePlayPodcast({ id, name }: KnownPodcast) {
  const { api, player, failed } = useApp()
  return () =>
    void api.podcasts
      .overview(id)
      .then(({ next, newest }) => {
        const episode = next?.episode ?? newest
        if (episode) void player.play(episode, name)
      })
      .catch(failed)
}
