import { Eye, Pencil, Play, Trash2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'wouter'
import type { PlaylistSummary } from '../../../shared/api/playlist'
import { IconButton } from '../../components/icon-button'
import { Table } from '../../components/table'
import { formatMinutes } from '../../format'
import { routes } from '../../routes'
import { RulesBadge } from './rules-badge'

type Props = {
  playlists: readonly PlaylistSummary[]
  onPlay: (playlist: PlaylistSummary) => void
  onEdit: (playlist: PlaylistSummary) => void
  onRemove: (playlist: PlaylistSummary) => void
}

/** Playlists, each to be played, opened, edited or deleted. */
export function PlaylistTable({ playlists, onPlay, onEdit, onRemove }: Props) {
  const { t } = useTranslation()
  const [, navigate] = useLocation()
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
        { title: t('episodes'), className: 'numbers', render: ({ episodes }) => episodes },
        { title: t('duration'), className: 'numbers', render: durationOf },
      ]}
      renderActions={playlist => (
        <>
          {playlist.episodes > 0 && (
            <IconButton
              icon={Play}
              label={t('play-podcast', { name: playlist.name })}
              onClick={() => onPlay(playlist)}
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

const durationOf = ({ seconds }: PlaylistSummary): string => (seconds > 0 ? formatMinutes(seconds) : '–')
