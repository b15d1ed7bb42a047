import { Eye, Pencil, Trash2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'wouter'
import type { Playlist } from '../../../shared/api/playlist'
import { IconButton } from '../../components/icon-button'
import { Table } from '../../components/table'
import { formatMinutes } from '../../format'
import { routes } from '../../routes'

type Props = {
  playlists: readonly Playlist[]
  onEdit: (playlist: Playlist) => void
  onRemove: (playlist: Playlist) => void
}

/** Playlists, each to be opened, edited or deleted. */
export function PlaylistTable({ playlists, onEdit, onRemove }: Props) {
  const { t } = useTranslation()
  const [, navigate] = useLocation()
  return (
    <Table
      title={t('playlists')}
      items={playlists}
      keyOf={playlist => playlist.id}
      columns={[
        { title: t('name'), render: ({ id, name }) => <Link href={routes.playlist(id)}>{name}</Link> },
        { title: t('episodes'), render: playlist => playlist.items.length },
        { title: t('duration'), render: durationOf },
      ]}
      renderActions={playlist => (
        <>
          <IconButton
            icon={Pencil}
            label={t('edit-playlist', { name: playlist.name })}
            onClick={() => onEdit(playlist)}
          />
          <IconButton
            icon={Eye}
            label={t('view-playlist', { name: playlist.name })}
            onClick={() => navigate(routes.playlist(playlist.id))}
          />
          <IconButton
            icon={Trash2}
            label={t('delete-playlist', { name: playlist.name })}
            onClick={() => onRemove(playlist)}
          />
        </>
      )}
    />
  )
}

function durationOf({ items }: Playlist): string {
  const seconds = items.reduce((sum, { podcastEpisode }) => sum + podcastEpisode.total_time, 0)
  return seconds > 0 ? formatMinutes(seconds) : '–'
}
