import { useSignals } from '@preact/signals-react/runtime'
import { Pencil, Play, X } from 'lucide-react'
import { useCallback, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../api/client'
import { useApp } from '../../app-context'
import { EpisodeRow } from '../../library/episodes/episode-row'
import { IconButton } from '../../components/icon-button'
import { PageHeader } from '../../components/page-header'
import { PlaylistWizard } from '../../library/playlists'
import { Empty, Failed, Skeleton } from '../../components/states'
import { useLoaded } from '../../use-loaded'
import { NotFoundPage } from '../not-found/not-found-page'
import './playlist-page.css'

/** A playlist in its order: played from its beginning, or from any episode on. */
export function PlaylistPage({ id }: { id: string }) {
  useSignals()
  const { api, library, player, queue, playlistEditor, changes, toasts, failed } = useApp()
  const { t } = useTranslation()
  const {
    data: playlist,
    setData: setPlaylist,
    error,
    load,
  } = useLoaded(useCallback(() => api.playlists.find(id), [api, id]))
  const [openId, setOpenId] = useState<string | null>(null)
  useEffect(
    () =>
      changes.listen({
        edit: change => setPlaylist(shown => shown && { ...shown, items: shown.items.map(change) }),
        stale: () => undefined,
      }),
    [changes, setPlaylist],
  )
  const nameOf = (podcastId: string) => library.byId.value.get(podcastId)?.name ?? ''

  async function playFrom(index: number) {
    const [first, ...rest] = playlist!.items.slice(index)
    if (!first) return
    const restore = await queue.putFirst(rest)
    await player.play(first, nameOf(first.podcastEpisode.podcast_id))
    if (rest.length > 0)
      toasts.done(t('queued-count', { count: rest.length }), {
        label: t('undo'),
        run: () => void restore().catch(failed),
      })
  }
  async function remove(episodeId: string) {
    const before = playlist!
    await api.playlists.removeItem(id, episodeId)
    load()
    const again = before.items.map(({ podcastEpisode }) => ({ episode: podcastEpisode.id }))
    toasts.done(t('removed-from-playlist'), {
      label: t('undo'),
      run: () => void api.playlists.replace(id, { name: before.name, items: again }).then(setPlaylist, failed),
    })
  }

  if (error instanceof ApiError && error.status === 404) return <NotFoundPage />
  if (error && !playlist) return <Failed error={error} onRetry={load} />
  if (!playlist) return <Skeleton kind="row" count={6} />
  return (
    <>
      <PageHeader title={playlist.name}>
        <IconButton
          icon={Pencil}
          label={t('edit-playlist', { name: playlist.name })}
          onClick={() => playlistEditor.begin(playlist)}
        />
        {playlist.items.length > 0 && (
          <button type="button" className="with-icon" onClick={() => void playFrom(0).catch(failed)}>
            <Play size={18} aria-hidden="true" />
            {t('play-all')}
          </button>
        )}
      </PageHeader>
      <h2 className="visually-hidden">{t('episodes')}</h2>
      {playlist.items.length === 0 && <Empty>{t('playlist-empty')}</Empty>}
      <ol className="playlist">
        {playlist.items.map((wrapper, index) => (
          <li key={wrapper.podcastEpisode.id}>
            <EpisodeRow
              wrapper={wrapper}
              podcastName={nameOf(wrapper.podcastEpisode.podcast_id)}
              showPodcast
              isOpen={openId === wrapper.podcastEpisode.id}
              onToggle={id => setOpenId(openId === id ? null : id)}
              moreOf={() => [
                { icon: Play, label: t('play-from-here'), onSelect: () => void playFrom(index).catch(failed) },
                {
                  icon: X,
                  label: t('remove-from-this-playlist'),
                  onSelect: () => void remove(wrapper.podcastEpisode.id).catch(failed),
                },
              ]}
            />
          </li>
        ))}
      </ol>
      <PlaylistWizard onSaved={load} />
    </>
  )
}
