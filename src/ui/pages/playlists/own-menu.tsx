import { Download, Ellipsis, ListPlus, Rss, Trash2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'wouter'
import type { Playlist } from '../../../shared/api/playlist'
import { IconButton } from '../../components/icon-button'
import { Menu } from '../../components/menu'
import { useCopyFeed } from '../../library/forms/copy-feed'
import { routes } from '../../routes'
import { useDeletion } from './use-deletion'
import { usePlaylistActions } from './use-playlist-actions'

/** The rare actions on the playlist that a page is about; loaded later than the page. */
export function OwnMenu({ playlist }: { playlist: Playlist }) {
  const { t } = useTranslation()
  const [, navigate] = useLocation()
  const { copyPath } = useCopyFeed()
  const { queueAll, downloadAll } = usePlaylistActions()
  const { remove } = useDeletion(() => navigate(routes.playlists))
  const { id, name, items, rules } = playlist
  const download = downloadAll && items.length > 0 && (() => void downloadAll(items))
  const summary = { id, name, rules, episodes: items.length, seconds: 0, podcasts: [], holds: false }
  return (
    <>
      {download && (
        <IconButton icon={Download} label={t('download-whole')} className="above-phone" onClick={download} />
      )}
      <Menu
        icon={Ellipsis}
        label={t('more-of', { name })}
        heading={name}
        items={[
          ...(items.length > 0
            ? [{ icon: ListPlus, label: t('queue-these'), onSelect: () => void queueAll(items) }]
            : []),
          ...(download ? [{ icon: Download, label: t('download-whole'), onSelect: download }] : []),
          { icon: Rss, label: t('copy-feed-address'), onSelect: () => void copyPath(`playlist/${id}`) },
          { group: '', icon: Trash2, label: t('delete'), isDanger: true, onSelect: () => void remove(summary) },
        ]}
      />
    </>
  )
}
