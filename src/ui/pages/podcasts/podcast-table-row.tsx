import { useSignals } from '@preact/signals-react/runtime'
import { Ellipsis, Play, RefreshCw } from 'lucide-react'
import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { Podcast } from '../../../shared/api/podcast'
import { useApp } from '../../app-context'
import { Menu, type MenuItem } from '../../components/menu'
import { formatBytes, formatDate, formatRelative } from '../../format'
import { PodcastCover } from '../../library/covers/podcast-cover'
import { FavouriteButton } from '../../library/podcasts/favourite-button'
import { needsAttention } from './arrange'
import { FeedCause } from './feed-cause'
import { usePlayPodcast } from './play-podcast'

type Props = { podcast: Podcast; to: string; index: number; measure: (row: HTMLTableRowElement | null) => void }

/** A podcast in the table. On narrow screens its newest episode and its figures stand in the second line. */
export const PodcastTableRow = memo(function PodcastTableRow({ podcast, to, index, measure }: Props) {
  const { t } = useTranslation()
  const { name, author, unlistened_count: unplayed, newest_episode_name: newest, last_episode_at } = podcast
  const { downloaded_count: files, downloaded_bytes: bytes } = podcast
  const date = last_episode_at && formatDate(last_episode_at)
  return (
    <tr ref={measure} data-index={index} aria-rowindex={index + 2}>
      <th scope="row">
        <div className="podcast-table-name">
          <PodcastCover podcast={podcast} size={64} />
          <div>
            <Link href={to} dir="auto">
              {name}
            </Link>
            {needsAttention(podcast) ? (
              <FeedCause podcast={podcast} />
            ) : (
              <span className="muted" dir="auto">
                {author}
              </span>
            )}
            <span className="muted podcast-table-folded" dir="auto">
              {[unplayed > 0 && t('unplayed-count', { count: unplayed }), date, newest].filter(Boolean).join(' · ')}
            </span>
          </div>
        </div>
      </th>
      <td>
        <span className="podcast-table-newest" dir="auto">
          {newest}
        </span>
        <span className="muted">{date}</span>
      </td>
      <td className="numbers">{unplayed || '–'}</td>
      <td className="numbers">{files > 0 ? `${files} · ${formatBytes(bytes)}` : '–'}</td>
      <td>
        <Checked podcast={podcast} />
      </td>
      <td>
        <div className="podcast-table-tools">
          <FavouriteButton podcast={podcast} className="podcast-table-heart" />
          <RowMenu podcast={podcast} />
        </div>
      </td>
    </tr>
  )
})

function Checked({ podcast }: { podcast: Podcast }) {
  useSignals()
  const { feedChecks } = useApp()
  const { t } = useTranslation()
  if (needsAttention(podcast))
    return (
      <span className="podcast-failing">
        {podcast.feed_state === 'gone' ? t('feed-gone') : t('failed-times', { count: podcast.feed_failures })}
      </span>
    )
  const checked = feedChecks.byId.value.get(podcast.id)?.last_checked_at
  return <span className="muted">{checked ? formatRelative(checked) : '–'}</span>
}

function RowMenu({ podcast }: { podcast: Podcast }) {
  const { library, session, failed } = useApp()
  const { t } = useTranslation()
  const play = usePlayPodcast(podcast)
  const { id, name, feed_state } = podcast
  const items = (): MenuItem[] => [
    { icon: Play, label: t('play'), onSelect: play },
    ...(session.mayUpload.peek() && feed_state !== 'none'
      ? [{ icon: RefreshCw, label: t('refresh'), onSelect: () => void library.refresh(id).catch(failed) }]
      : []),
  ]
  return <Menu icon={Ellipsis} label={t('more-of', { name })} heading={name} items={items} />
}
