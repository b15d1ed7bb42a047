import { useSignals } from '@preact/signals-react/runtime'
import { Trash2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { formatDuration } from '../../../shared/duration'
import type { YourEpisode } from '../../../shared/api/your-episodes'
import { useApp } from '../../app-context'
import { IconButton } from '../../components/icon-button'
import { EpisodeCover } from '../../library/covers/episode-cover'
import { routes } from '../../routes'

type Props = { item: YourEpisode; onChanged: () => Promise<void> }

/** A bookmark: its note, its episode and its moment, from which it plays. */
export function BookmarkRow({ item, onChanged }: Props) {
  useSignals()
  const { library, player, failed } = useApp()
  const { t } = useTranslation()
  const { podcastEpisode: episode, bookmark } = item
  const { note, time } = bookmark!
  const podcastName = library.byId.value.get(episode.podcast_id)?.name ?? ''
  const at = formatDuration(time)
  const remove = useRemoval(item, onChanged)
  return (
    <li className="bookmark-row">
      <EpisodeCover episode={episode} podcastName={podcastName} size={64} />
      <div className="bookmark-text">
        <h4 dir="auto">
          <Link href={routes.episodes(episode.podcast_id, episode.id, time)}>{note ?? episode.name}</Link>
        </h4>
        <p className="muted">
          <bdi>{note === null ? podcastName : `${episode.name} · ${podcastName}`}</bdi>
        </p>
      </div>
      <button
        type="button"
        className="quiet small numbers bookmark-time"
        aria-label={`${t('play-from-time', { time: at })}: ${note ?? episode.name}`}
        onClick={() => void player.playAt(item, podcastName, time).catch(failed)}
      >
        {at}
      </button>
      <IconButton icon={Trash2} label={t('remove-bookmark', { time: at })} onClick={() => void remove()} />
    </li>
  )
}

/** Returns a function that removes the bookmark and offers to bring it back. */
function useRemoval({ podcastEpisode, bookmark }: YourEpisode, onChanged: () => Promise<void>) {
  const { api, toasts, failed } = useApp()
  const { t } = useTranslation()
  return async () => {
    const { id, time, note } = bookmark!
    const restore = () => api.bookmarks.add({ episode: podcastEpisode.id, time, note }).then(onChanged)
    try {
      await api.bookmarks.remove(id)
      toasts.done(t('bookmark-removed'), { label: t('undo'), run: () => void restore().catch(failed) })
      await onChanged()
    } catch (error) {
      failed(error)
    }
  }
}
