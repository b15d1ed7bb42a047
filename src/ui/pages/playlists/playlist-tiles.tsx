import { Play } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { PlaylistSummary } from '../../../shared/api/playlist'
import { IconButton } from '../../components/icon-button'
import { formatMinutes } from '../../format'
import { routes } from '../../routes'
import { Mosaic } from './mosaic'
import { PlaylistMenu, useWithEpisodes } from './playlist-menu'
import { RulesBadge } from './rules-badge'
import './playlists.css'
import { usePlaylistActions } from './use-playlist-actions'

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
      <Link className="stack single ink undecorated" href={routes.playlist(id)}>
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
