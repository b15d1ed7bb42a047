import { ListMusic, Plus } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'wouter'
import type { Episode } from '../../../shared/api/episode'
import type { Playlist } from '../../../shared/api/playlist'
import { useApp } from '../../app-context'
import { routes } from '../../routes'
import { Dialog } from '../../components/dialog'
import './pick-playlist-dialog.css'

/** Which playlist an episode goes into: one that there is, or a new one. */
export function PickPlaylistDialog({ episode, onClose }: { episode: Episode; onClose: () => void }) {
  const { api, failed, toasts, playlistEditor } = useApp()
  const { t } = useTranslation()
  const [, navigate] = useLocation()
  const [playlists, setPlaylists] = useState<readonly Playlist[] | null>(null)
  useEffect(() => {
    api.playlists.list().then(setPlaylists, error => {
      failed(error)
      onClose()
    })
  }, [api, failed, onClose])
  const holds = (playlist: Playlist) => playlist.items.some(({ podcastEpisode }) => podcastEpisode.id === episode.id)

  async function add({ id, name, items }: Playlist, close: () => void) {
    try {
      const before = items.map(({ podcastEpisode }) => ({ episode: podcastEpisode.id }))
      await api.playlists.replace(id, { name, items: [...before, { episode: episode.id }] })
      toasts.done(t('added-to-playlist', { name }), {
        label: t('undo'),
        run: () => void api.playlists.replace(id, { name, items: before }).catch(failed),
      })
      close()
    } catch (error) {
      failed(error)
    }
  }
  return (
    <Dialog title={t('choose-playlist')} onClose={onClose}>
      {close => (
        <ul className="pick-playlist" aria-busy={!playlists}>
          {playlists?.map(playlist => (
            <li key={playlist.id}>
              <button type="button" disabled={holds(playlist)} onClick={() => void add(playlist, close)}>
                <ListMusic size={20} strokeWidth={1.75} aria-hidden="true" />
                <span>{playlist.name}</span>
                <span className="muted numbers">
                  {holds(playlist) ? t('in-playlist-already') : t('episodes-count', { count: playlist.items.length })}
                </span>
              </button>
            </li>
          ))}
          <li>
            <button
              type="button"
              onClick={() => {
                close()
                playlistEditor.beginWith(episode)
                navigate(routes.playlists)
              }}
            >
              <Plus size={20} strokeWidth={1.75} aria-hidden="true" />
              <span>{t('new-playlist')}</span>
            </button>
          </li>
        </ul>
      )}
    </Dialog>
  )
}
