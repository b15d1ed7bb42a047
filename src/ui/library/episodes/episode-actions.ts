import { translate } from '../../i18n'
import type { EpisodeWrapper, QueueTurn } from '../../../shared/api/episode'
import type { Playlist } from '../../../shared/api/playlist'
import type { AppState } from '../../app-context'
import { download, type Target } from './episode-target'

export type EpisodeActions = ReturnType<typeof episodeActions>

/**
 * The actions on an episode. Each shows a notice if it fails, and offers undo if possible. `origin`: the playlist that
 * shows it.
 */
export function episodeActions(
  app: AppState,
  wrapper: EpisodeWrapper,
  podcastName: string,
  origin?: Pick<Playlist, 'id' | 'name'> | null,
) {
  const target = { app, wrapper, podcastName }
  const guarded = (action: () => Promise<unknown>) => () => void action().catch(app.failed)
  const rare = (name: keyof typeof import('./rare-actions')) =>
    guarded(async () => (await import('./rare-actions'))[name](target))
  return {
    play: guarded(() => {
      if (origin) app.beginIn(origin, wrapper.podcastEpisode.id)
      return app.player.play(wrapper, podcastName)
    }),
    playAt: (seconds: number) => void app.player.playAt(wrapper, podcastName, seconds).catch(app.failed),
    queueNext: guarded(() => enqueue(target, 'next')),
    queueLast: guarded(() => enqueue(target, 'last')),
    markPlayed: guarded(() => markPlayed(target, true)),
    markUnplayed: guarded(() => markPlayed(target, false)),
    toggleNew: rare('toggleNew'),
    hide: rare('hide'),
    download: guarded(() => download(target)),
    pauseDownload: guarded(() => pauseDownload(target)),
    removeDownload: rare('removeDownload'),
    transcribe: guarded(async () => (await import('./transcription-state')).transcribe(app, wrapper.podcastEpisode.id)),
    keepOnDevice: rare('keepOnDevice'),
    removeFromDevice: guarded(() => app.kept.remove(wrapper.podcastEpisode.episode_id)),
    toggleLike: guarded(() => toggleLike(target)),
    copyLink: rare('copyLink'),
  }
}

async function enqueue({ app, wrapper }: Target, at: QueueTurn) {
  const { podcastEpisode: episode } = wrapper
  const wasQueued = app.queue.find(episode.id) !== undefined
  await app.queue.add(episode.id, at, wrapper)
  async function undo() {
    const item = app.queue.find(episode.id)
    if (item) await app.queue.remove(item)
  }
  app.toasts.done(
    translate(at === 'next' ? 'plays-next' : 'added-to-queue'),
    wasQueued ? undefined : { label: translate('undo'), run: () => void undo().catch(app.failed) },
  )
}

async function markPlayed(target: Target, finished: boolean) {
  const { app, wrapper } = target
  const { podcastHistoryItem: history } = wrapper
  await savePosition(target, finished ? totalOf(wrapper) : 0, finished)
  const undo = () => savePosition(target, history?.position ?? 0, history?.finished ?? false)
  app.toasts.done(translate(finished ? 'marked-played' : 'marked-unplayed'), {
    label: translate('undo'),
    run: () => void undo().catch(app.failed),
  })
}

async function savePosition({ app, wrapper }: Target, time: number, finished: boolean) {
  const { podcastEpisode: episode } = wrapper
  const total = totalOf(wrapper)
  // The player must not overwrite this position with its own.
  if (app.player.current.value?.episode.id === episode.id) app.player.clear()
  const { episode_id: eid } = episode
  const saved = await app.api.playback.mark({ podcastEpisodeId: eid, time, finished, ...(total > 0 && { total }) })
  // Without the server nothing else reports it.
  if (saved === null)
    app.changes.played({ episode_id: eid, position: time, total: total || null, finished, device: '', sender: '' })
}

/** Seconds; 0 if the feed does not say. */
const totalOf = ({ podcastEpisode, podcastHistoryItem }: EpisodeWrapper) =>
  podcastHistoryItem?.total ?? podcastEpisode.total_time

async function pauseDownload({ app, wrapper: { podcastEpisode: episode } }: Target) {
  const live = app.downloads.byEpisode.value.get(episode.episode_id)
  if (live) await app.api.downloads.pause(live.id)
}

/** Shows the like at once, and undoes it if the server refuses. */
async function toggleLike({ app, wrapper: { podcastEpisode: episode } }: Target) {
  const show = (favored: boolean) => app.changes.edited(episode.id, shown => ({ ...shown, favored }))
  show(!episode.favored)
  try {
    await app.api.episodes.like(episode.id, !episode.favored)
  } catch (error) {
    show(episode.favored)
    throw error
  }
}
