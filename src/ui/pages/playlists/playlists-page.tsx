import { useSignals } from '@preact/signals-react/runtime'
import { Eye, Pencil, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'wouter'
import type { Playlist } from '../../../shared/api/playlist'
import { useApp } from '../../app-context'
import { FormDialog } from '../../components/form-dialog'
import { IconButton } from '../../components/icon-button'
import { PlaylistWizard } from '../../library/playlists'
import { Empty, Failed, Skeleton } from '../../components/states'
import { Table } from '../../components/table'
import { formatMinutes } from '../../format'
import { routes } from '../../routes'
import { useLoaded } from '../../use-loaded'
import { HomeHeader } from '../home/home-header'

/** The user's playlists, to be looked at, edited and deleted. */
export function PlaylistsPage() {
  useSignals()
  const { api, playlistEditor, toasts } = useApp()
  const { t } = useTranslation()
  const [, navigate] = useLocation()
  const { data: playlists, error, load } = useLoaded(api.playlists.list)
  const [removing, setRemoving] = useState<Playlist | null>(null)
  const add = (
    <button type="button" className="with-icon" onClick={() => playlistEditor.begin(null)}>
      <Plus size={18} aria-hidden="true" />
      {t('add-new')}
    </button>
  )

  return (
    <>
      <HomeHeader current={routes.playlists}>{playlists && playlists.length > 0 && add}</HomeHeader>
      {error !== null && !playlists && <Failed error={error} onRetry={load} />}
      {!playlists && error === null && <Skeleton kind="row" count={4} />}
      {playlists?.length === 0 && <Empty action={add}>{t('no-playlists')}</Empty>}
      {playlists && playlists.length > 0 && (
        <Table title={t('playlists')} columns={[t('name'), t('episodes'), t('duration')]}>
          {playlists.map(playlist => (
            <tr key={playlist.id}>
              <th scope="row">
                <Link href={routes.playlist(playlist.id)}>{playlist.name}</Link>
              </th>
              <td data-label={t('episodes')}>{playlist.items.length}</td>
              <td data-label={t('duration')}>{durationOf(playlist)}</td>
              <td className="table-actions">
                <IconButton
                  icon={Pencil}
                  label={t('edit-playlist', { name: playlist.name })}
                  onClick={() => playlistEditor.begin(playlist)}
                />
                <IconButton
                  icon={Eye}
                  label={t('view-playlist', { name: playlist.name })}
                  onClick={() => navigate(routes.playlist(playlist.id))}
                />
                <IconButton
                  icon={Trash2}
                  label={t('delete-playlist', { name: playlist.name })}
                  onClick={() => setRemoving(playlist)}
                />
              </td>
            </tr>
          ))}
        </Table>
      )}
      <PlaylistWizard onSaved={load} />
      {removing && (
        <FormDialog
          isDanger
          title={t('delete-playlist-title', { name: removing.name })}
          action={t('delete')}
          onSubmit={async () => {
            await api.playlists.remove(removing.id)
            const { name, items } = removing
            const again = { name, items: items.map(({ podcastEpisode }) => ({ episode: podcastEpisode.id })) }
            toasts.done(t('playlist-deleted'), {
              label: t('undo'),
              run: () => void api.playlists.create(again).then(load),
            })
            load()
          }}
          onClose={() => setRemoving(null)}
        >
          <p>{t('delete-playlist-text')}</p>
        </FormDialog>
      )}
    </>
  )
}

function durationOf({ items }: Playlist): string {
  const seconds = items.reduce((sum, { podcastEpisode }) => sum + podcastEpisode.total_time, 0)
  return seconds > 0 ? formatMinutes(seconds) : '–'
}
