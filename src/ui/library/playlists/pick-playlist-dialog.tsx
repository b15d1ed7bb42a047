import { ListVideo, Plus } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'wouter'
import type { Episode } from '../../../shared/api/episode'
import type { PlaylistSummary } from '../../../shared/api/playlist'
import { useApp } from '../../app-context'
import { Dialog } from '../../components/dialog'
import { routes } from '../../routes'
import { useResource } from '../../use-resource'
import { useFailureNotice } from '../forms/form-dialog'
import { usePlaylistEditor } from './use-playlist-editor'
import './playlists.css'

type Props = { episode: Episode | readonly Episode[]; onClose: () => void }

/** Adds an episode, or several, to a playlist: an existing one or a new one. */
export function PickPlaylistDialog({ episode, onClose }: Props) {
  const { api, failed } = useApp()
  const playlistEditor = usePlaylistEditor()
  const { t } = useTranslation()
  const [, navigate] = useLocation()
  const episodes = [episode].flat()
  const only = episodes.length === 1 ? episodes[0]!.id : null
  const { data: playlists, error } = useResource(async () => await api.playlists.listChosen(only), [])
  useFailureNotice(error, onClose)
  const add = useAddToPlaylist(episodes)

  function startNew(close: () => void) {
    close()
    playlistEditor.beginWith(episodes)
    navigate(routes.playlists)
  }
  return (
    <Dialog title={t('choose-playlist')} onClose={onClose}>
      {close => (
        <ul className="pick-playlist" aria-busy={!playlists}>
          {playlists?.map(playlist => (
            <li key={playlist.id}>
              <button
                type="button"
                className="entry strong"
                disabled={playlist.holds}
                onClick={() => void add(playlist).then(close, failed)}
              >
                <ListVideo size={20} strokeWidth={1.75} aria-hidden="true" />
                <span className="grow truncate">{playlist.name}</span>
                <span className="muted numbers">
                  {playlist.holds ? t('in-playlist-already') : t('episodes-count', { count: playlist.episodes })}
                </span>
              </button>
            </li>
          ))}
          <li>
            <button type="button" className="entry strong" onClick={() => startNew(close)}>
              <Plus size={20} strokeWidth={1.75} aria-hidden="true" />
              <span className="grow truncate">{t('new-playlist')}</span>
            </button>
          </li>
        </ul>
      )}
    </Dialog>
  )
}

/** Returns a function that appends the episodes to a playlist and offers to undo that. */
function useAddToPlaylist(episodes: readonly Episode[]) {
  const { api, failed, toasts } = useApp()
  const { t } = useTranslation()
  return async ({ id }: PlaylistSummary) => {
    const { name, items } = await api.playlists.find(id)
    const before = items.map(({ podcastEpisode }) => ({ episode: podcastEpisode.id }))
    const held = new Set(before.map(item => item.episode))
    const added = episodes.filter(episode => !held.has(episode.id)).map(episode => ({ episode: episode.id }))
    if (added.length === 0) return toasts.done(t('in-playlist-already'))
    await api.playlists.replace(id, { name, items: [...before, ...added] })
    toasts.done(t('added-to-playlist', { name }), {
      label: t('undo'),
      run: () => void api.playlists.replace(id, { name, items: before }).catch(failed),
    })
  }
}
