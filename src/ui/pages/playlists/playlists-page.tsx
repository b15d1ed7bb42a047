import { Eye, ListVideo, Pencil, Play, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Playlist, PlaylistSummary } from '../../../shared/api/playlist'
import { useApp } from '../../app-context'
import { Loaded, Empty } from '../../components/states'
import { FormDialog } from '../../library/forms/form-dialog'
import { HomeHeader } from '../../library/headers'
import { PlaylistWizard } from '../../library/playlists'
import { useResource } from '../../use-resource'
import { usePlayInOrder } from './use-playlist-actions'
import { usePlaylistEditor } from '../../library/playlists/use-playlist-editor'
import { Link, useLocation } from 'wouter'
import { IconButton } from '../../components/icon-button'
import { Table } from '../../components/table'
import { formatMinutes } from '../../format'
import { routes } from '../../routes'
import { RulesBadge } from './rules-badge'

/** The user's playlists, to be opened, edited and deleted. */
export function PlaylistsPage() {
  const { api, failed } = useApp()
  const playlistEditor = usePlaylistEditor()
  const { t } = useTranslation()
  const playlists = useResource(api.playlists.list, [])
  const [removing, setRemoving] = useState<PlaylistSummary | null>(null)
  const play = usePlayInOrder()
  /** The table contains no episodes: those of a playlist are read when they are needed. */
  const withEpisodes = ({ id }: PlaylistSummary, act: (playlist: Playlist) => unknown) =>
    api.playlists.find(id).then(act).catch(failed)
  const reload = () => void playlists.retry()
  const hasSome = playlists.data !== null && playlists.data.length > 0
  const add = (
    <button type="button" className="with-icon" onClick={() => playlistEditor.begin(null)}>
      <Plus size={18} aria-hidden="true" />
      {t('add-new')}
    </button>
  )
  return (
    <>
      <HomeHeader title={t('playlists')}>{hasSome && add}</HomeHeader>
      <Loaded resource={playlists} rows={4}>
        {list =>
          list.length === 0 ? (
            <Empty icon={ListVideo} action={add}>
              {t('no-playlists')}
            </Empty>
          ) : (
            <PlaylistTable
              playlists={list}
              onPlay={playlist => void withEpisodes(playlist, whole => play(whole, whole.items))}
              onEdit={playlist => void withEpisodes(playlist, playlistEditor.begin)}
              onRemove={setRemoving}
            />
          )
        }
      </Loaded>
      <PlaylistWizard onSaved={reload} />
      {removing && <RemoveDialog playlist={removing} onChanged={reload} onClose={() => setRemoving(null)} />}
    </>
  )
}

type RemoveProps = { playlist: PlaylistSummary; onChanged: () => void; onClose: () => void }

function RemoveDialog({ playlist, onChanged, onClose }: RemoveProps) {
  const { api, toasts } = useApp()
  const { t } = useTranslation()
  const { id, name, rules } = playlist
  async function remove() {
    const before = rules ? [] : (await api.playlists.find(id)).items
    await api.playlists.remove(id)
    const items = before.map(({ podcastEpisode }) => ({ episode: podcastEpisode.id }))
    toasts.done(t('playlist-deleted'), {
      label: t('undo'),
      run: () => void api.playlists.create({ name, items, rules }).then(onChanged),
    })
    onChanged()
  }
  return (
    <FormDialog
      isDanger
      title={t('delete-playlist-title', { name })}
      action={t('delete')}
      onSubmit={remove}
      onClose={onClose}
    >
      <p>{t('delete-playlist-text')}</p>
    </FormDialog>
  )
}

type Props = {
  playlists: readonly PlaylistSummary[]
  onPlay: (playlist: PlaylistSummary) => void
  onEdit: (playlist: PlaylistSummary) => void
  onRemove: (playlist: PlaylistSummary) => void
}

/** Playlists, each to be played, opened, edited or deleted. */
function PlaylistTable({ playlists, onPlay, onEdit, onRemove }: Props) {
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
