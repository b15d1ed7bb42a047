import { Eye, Pencil, Play, Trash2 } from 'lucide-react'
import { Link, useLocation } from 'wouter'
import type { Playlist } from '../../../shared/api/playlist'
import { IconButton } from '../../components/icon-button'
import { Table } from '../../components/table'
import { formatMinutes } from '../../format'
import { useTranslation } from '../../i18n'
import { routes } from '../../routes'
import { RulesBadge } from './rules-badge'
import { usePlayInOrder } from './use-playlist-actions'

type Props = {
  playlists: readonly Playlist[]
  onEdit: (playlist: Playlist) => void
  onRemove: (playlist: Playlist) => void
}

/** Playlists, each to be played, opened, edited or deleted. */
export function PlaylistTable({ playlists, onEdit, onRemove }: Props) {
  const { t } = useTranslation()
  const [, navigate] = useLocation()
  const play = usePlayInOrder()
  return (
    <Table
      title={t('playlists')}
      items={playlists}
      keyOf={playlist => playlist.id}
      columns={[
        {
          title: t('name'),
          render: ({ id, name, rules }) => (
            <>
              <Link href={routes.playlist(id)} dir="auto">
                {name}
              </Link>
              {rules && <RulesBadge />}
            </>
          ),
        },
        { title: t('episodes'), className: 'numbers', render: playlist => playlist.items.length },
        { title: t('duration'), className: 'numbers', render: durationOf },
      ]}
      renderActions={playlist => (
        <>
          {playlist.items.length > 0 && (
            <IconButton
              icon={Play}
              label={t('play-podcast', { name: playlist.name })}
              onClick={() => void play(playlist, playlist.items)}
            />
          )}
          <IconButton
            icon={Eye}
            label={t('view-playlist', { name: playlist.name })}
            onClick={() => navigate(routes.playlist(playlist.id))}
          />
          <IconButton
            icon={Pencil}
            label={t('edit-playlist', { name: playlist.name })}
            onClick={() => onEdit(playlist)}
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
