import { ListVideo, Plus } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'wouter'
import type { AllMatching, Chosen, Episode } from '../../../shared/api/episode'
import { inPieces } from '../../api/calls'
import type { PlaylistSummary } from '../../../shared/api/playlist'
import { useApp } from '../../app-context'
import { Dialog } from '../../components/dialog'
import { routes } from '../../routes'
import { useResource } from '../../use-resource'
import { useFailureNotice } from '../forms/form-dialog'
import { usePlaylistEditor } from './use-playlist-editor'
import './playlists.css'

type Props = {
  episode: Episode | readonly Episode[]
  /** Names the episodes instead, by a filter. */
  matching?: AllMatching | undefined
  onClose: () => void
}

/** Adds an episode, or several, to a playlist: an existing one or a new one. */
export function PickPlaylistDialog({ episode, matching, onClose }: Props) {
  const { api, failed, library } = useApp()
  const playlistEditor = usePlaylistEditor()
  const { t } = useTranslation()
  const [, navigate] = useLocation()
  const episodes = [episode].flat()
  const only = episodes.length === 1 ? episodes[0]!.id : null
  const { data: playlists, error } = useResource(async () => await api.playlists.listChosen(only), [])
  useFailureNotice(error, onClose)
  const add = useAddToPlaylist(matching ?? episodes.map(({ id }) => id))

  async function startNew(close: () => void) {
    if (matching) {
      const podcast = 'podcast' in matching && library.byId.peek().get(matching.podcast)
      const name = podcast ? podcast.name : t('new-playlist')
      const made = await api.playlists.create({ name, items: [] })
      await add(made)
      close()
      return navigate(routes.playlist(made.id))
    }
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
            <button type="button" className="entry strong" onClick={() => void startNew(close).catch(failed)}>
              <Plus size={20} strokeWidth={1.75} aria-hidden="true" />
              <span className="grow truncate">{t('new-playlist')}</span>
            </button>
          </li>
        </ul>
      )}
    </Dialog>
  )
}

/** Returns a function that appends episodes to a playlist and offers to undo that. */
function useAddToPlaylist(chosen: Chosen) {
  const { api, failed, toasts } = useApp()
  const { t } = useTranslation()
  return async ({ id }: Pick<PlaylistSummary, 'id'>) => {
    const { name, items } = await api.playlists.find(id)
    const added = await inPieces(chosen, piece => api.playlists.append(id, piece))
    const count = added.reduce((sum, { affected }) => sum + affected, 0)
    if (count === 0) return toasts.done(t('in-playlist-already'))
    const before = items.map(({ podcastEpisode }) => ({ episode: podcastEpisode.id }))
    const isOne = 'length' in chosen && chosen.length === 1
    toasts.done(t(isOne ? 'added-to-playlist' : 'added-count-to-playlist', { count, name }), {
      label: t('undo'),
      run: () => void api.playlists.replace(id, { name, items: before }).catch(failed),
    })
  }
}
