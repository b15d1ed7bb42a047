import { Eye, Pencil, Play, Trash2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'wouter'
import type { PlaylistSummary } from '../../../shared/api/playlist'
import { IconButton } from '../../components/buttons'
import { Table } from '../../components/table'
import { formatCount, formatMinutes } from '../../format'
import { PlayButton } from '../../library/episodes/play-button'
import { usePlaylistEditor } from '../../library/playlists/use-playlist-editor'
import { routes } from '../../routes'
import { Mosaic, RulesBadge } from './mosaic'
import { PlaylistMenu, useWithEpisodes } from './playlist-menu'
import { usePlaylistActions } from './use-playlist-actions'
import './playlists.css'

type Props = { playlists: readonly PlaylistSummary[]; onRemove: (playlist: PlaylistSummary) => void }

/** Playlists as covers. A press opens one; the button on its cover plays it. */
export function PlaylistTiles({ playlists, onRemove }: Props) {
  return (
    <ul className="playlist-grid stack">
      {playlists.map(playlist => (
        <Tile key={playlist.id} playlist={playlist} onRemove={onRemove} />
      ))}
    </ul>
  )
}

function Tile({ playlist, onRemove }: Pick<Props, 'onRemove'> & { playlist: PlaylistSummary }) {
  const { t } = useTranslation()
  const { resume } = usePlaylistActions()
  const withEpisodes = useWithEpisodes()
  const { id, name, rules, episodes, seconds, podcasts } = playlist
  return (
    <li className="playlist-tile shrinks relative">
      <Link className="stack single ink curved undecorated" href={routes.playlist(id)}>
        <Mosaic podcasts={podcasts} />
        <span className="playlist-name title clamp" dir="auto">
          {name}
        </span>
        <span className="playlist-facts muted numbers">
          {[t('episodes-count', { count: episodes }), seconds > 0 && formatMinutes(seconds)]
            .filter(Boolean)
            .join(' · ')}
        </span>
        {rules && <RulesBadge />}
      </Link>
      {episodes > 0 && (
        <IconButton
          icon={Play}
          label={t('play-podcast', { name })}
          className="playlist-play filled"
          onClick={() => withEpisodes(playlist, resume)}
        />
      )}
      <PlaylistMenu playlist={playlist} onRemove={onRemove} />
    </li>
  )
}

/** Playlists, each to be played, opened, edited or deleted. */
export function PlaylistTable({ playlists, onRemove }: Props) {
  const { t } = useTranslation()
  return (
    <div className="playlist-table">
      <Table
        title={t('playlists')}
        items={playlists}
        keyOf={({ id }) => id}
        columns={[
          { title: t('name'), render: playlist => <Name playlist={playlist} /> },
          { title: t('episodes'), className: 'numbers', render: ({ episodes }) => formatCount(episodes) },
          { title: t('duration'), className: 'numbers', render: durationOf },
        ]}
        renderActions={playlist => <Actions playlist={playlist} onRemove={onRemove} />}
      />
    </div>
  )
}

const durationOf = ({ seconds }: PlaylistSummary): string => (seconds > 0 ? formatMinutes(seconds) : '–')

function Name({ playlist: { id, name, rules, podcasts } }: { playlist: PlaylistSummary }) {
  return (
    <div className="row gap-16">
      <Mosaic podcasts={podcasts} size={64} />
      <div className="stack single">
        <Link className="link ink title clamp" href={routes.playlist(id)} dir="auto">
          {name}
        </Link>
        {rules && <RulesBadge />}
      </div>
    </div>
  )
}

function Actions({ playlist, onRemove }: Pick<Props, 'onRemove'> & { playlist: PlaylistSummary }) {
  const { t } = useTranslation()
  const [, navigate] = useLocation()
  const editor = usePlaylistEditor()
  const { resume } = usePlaylistActions()
  const withEpisodes = useWithEpisodes()
  const { id, name, episodes } = playlist
  return (
    <>
      {episodes > 0 && <PlayButton name={name} isPlaying={false} onClick={() => withEpisodes(playlist, resume)} />}
      <IconButton icon={Eye} label={t('view-playlist', { name })} onClick={() => navigate(routes.playlist(id))} />
      <IconButton
        icon={Pencil}
        label={t('edit-playlist', { name })}
        onClick={() => withEpisodes(playlist, editor.begin)}
      />
      <IconButton icon={Trash2} label={t('delete-playlist', { name })} onClick={() => onRemove(playlist)} />
    </>
  )
}
