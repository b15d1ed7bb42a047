import { useSignals } from '@preact/signals-react/runtime'
import { Pencil, Play, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Playlist } from '../../../shared/api/playlist'
import { ApiError } from '../../api/client'
import { useApp } from '../../app-context'
import { IconButton } from '../../components/icon-button'
import { Loaded } from '../../components/loaded'
import { PageHeader } from '../../components/page-header'
import { Empty } from '../../components/states'
import { EpisodeRow } from '../../library/episodes/episode-row'
import { NotFound } from '../../library/not-found'
import { PlaylistWizard } from '../../library/playlists'
import { useResource } from '../../use-resource'
import './playlist-page.css'

/** A playlist in its order: played from the start, or from any episode on. */
export function PlaylistPage({ id }: { id: string }) {
  useSignals()
  const { api, changes } = useApp()
  const resource = useResource((_, wanted: string) => api.playlists.find(wanted), [id])
  const { error, change } = resource
  useEffect(
    () =>
      changes.listen({
        edit: edit => change(shown => ({ ...shown, items: shown.items.map(edit) })),
        stale: () => undefined,
      }),
    [changes, change],
  )
  if (error instanceof ApiError && error.status === 404) return <NotFound />
  return (
    <Loaded resource={resource} rows={6}>
      {playlist => <Content playlist={playlist} onReplace={resource.set} onReload={() => void resource.retry()} />}
    </Loaded>
  )
}

type ContentProps = { playlist: Playlist; onReplace: (playlist: Playlist) => void; onReload: () => void }

function Content({ playlist, onReplace, onReload }: ContentProps) {
  const { failed } = useApp()
  const { t } = useTranslation()
  const playFrom = usePlayFrom(playlist)
  const remove = useRemoval(playlist, onReplace, onReload)
  return (
    <>
      <Header playlist={playlist} onPlay={() => void playFrom(0).catch(failed)} />
      <h2 className="visually-hidden">{t('episodes')}</h2>
      {playlist.items.length === 0 && <Empty>{t('playlist-empty')}</Empty>}
      <Episodes
        playlist={playlist}
        onPlayFrom={index => void playFrom(index).catch(failed)}
        onRemove={episodeId => void remove(episodeId).catch(failed)}
      />
      <PlaylistWizard onSaved={onReload} />
    </>
  )
}

function Header({ playlist, onPlay }: { playlist: Playlist; onPlay: () => void }) {
  const { playlistEditor } = useApp()
  const { t } = useTranslation()
  return (
    <PageHeader title={playlist.name}>
      <IconButton
        icon={Pencil}
        label={t('edit-playlist', { name: playlist.name })}
        onClick={() => playlistEditor.begin(playlist)}
      />
      {playlist.items.length > 0 && (
        <button type="button" className="with-icon" onClick={onPlay}>
          <Play size={18} aria-hidden="true" />
          {t('play-all')}
        </button>
      )}
    </PageHeader>
  )
}

type EpisodesProps = {
  playlist: Playlist
  onPlayFrom: (index: number) => void
  onRemove: (episodeId: string) => void
}

function Episodes({ playlist, onPlayFrom, onRemove }: EpisodesProps) {
  useSignals()
  const { library } = useApp()
  const { t } = useTranslation()
  const [openId, setOpenId] = useState<string | null>(null)
  return (
    <ol className="playlist">
      {playlist.items.map((wrapper, index) => {
        const { id, podcast_id } = wrapper.podcastEpisode
        return (
          <li key={id}>
            <EpisodeRow
              wrapper={wrapper}
              podcastName={library.byId.value.get(podcast_id)?.name ?? ''}
              showPodcast
              isOpen={openId === id}
              onToggle={toggled => setOpenId(openId === toggled ? null : toggled)}
              moreOf={() => [
                { icon: Play, label: t('play-from-here'), onSelect: () => onPlayFrom(index) },
                { icon: X, label: t('remove-from-this-playlist'), onSelect: () => onRemove(id) },
              ]}
            />
          </li>
        )
      })}
    </ol>
  )
}

/** Returns a function that plays an episode of the playlist and puts the following ones at the head of the queue. */
function usePlayFrom(playlist: Playlist) {
  const { library, player, queue, toasts, failed } = useApp()
  const { t } = useTranslation()
  return async (index: number) => {
    const [first, ...rest] = playlist.items.slice(index)
    if (!first) return
    const restore = await queue.putFirst(rest)
    await player.play(first, library.byId.value.get(first.podcastEpisode.podcast_id)?.name ?? '')
    if (rest.length > 0)
      toasts.done(t('queued-count', { count: rest.length }), {
        label: t('undo'),
        run: () => void restore().catch(failed),
      })
  }
}

/** Returns a function that removes an episode from the playlist and offers to undo that. */
function useRemoval(playlist: Playlist, onReplace: (playlist: Playlist) => void, onReload: () => void) {
  const { api, toasts, failed } = useApp()
  const { t } = useTranslation()
  return async (episodeId: string) => {
    const { id, name } = playlist
    const items = playlist.items.map(({ podcastEpisode }) => ({ episode: podcastEpisode.id }))
    await api.playlists.removeItem(id, episodeId)
    onReload()
    toasts.done(t('removed-from-playlist'), {
      label: t('undo'),
      run: () => void api.playlists.replace(id, { name, items }).then(onReplace, failed),
    })
  }
}
