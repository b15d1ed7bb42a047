import type { Episode, EpisodeWrapper, SharedEpisode } from '../../shared/api/episode'
import type { History } from '../../shared/api/history'
import type { ServerEvents } from '../../shared/server-event'

type Played = ServerEvents['progress']

/** A list of episodes on the screen, which follows changes made elsewhere. */
type EpisodeListener = {
  /** Edits the rows that are shown. */
  edit: (change: (wrapper: EpisodeWrapper) => EpisodeWrapper) => void
  /** Called when there is more than is shown: of one podcast, or (null) possibly of any. */
  stale: (podcastId: string | null) => void
  /** Called when something was played, here or elsewhere. */
  played?: (progress: Played) => void
  /** Called when the positions of episodes, by their `episode_id`, were changed together. */
  marked?: (eids: readonly string[]) => void
  /** Called when an episode was hidden from Continue listening, or shown again. */
  hidden?: () => void
}

export type EpisodeChanges = ReturnType<typeof createEpisodeChanges>

/** Passes the socket's events about episodes on to the lists on the screen. */
export function createEpisodeChanges() {
  const listeners = new Set<EpisodeListener>()
  const listListeners = new Set<(playlistId: string | null) => void>()
  const edit = (isMeant: (episode: Episode) => boolean, change: (wrapper: EpisodeWrapper) => EpisodeWrapper) =>
    listeners.forEach(listener =>
      listener.edit(wrapper => (isMeant(wrapper.podcastEpisode) ? change(wrapper) : wrapper)),
    )
  /** Edits episodes, by their `id`. */
  function editAll(ids: readonly string[], change: (episode: Episode) => Episode) {
    const meant = new Set(ids)
    edit(
      episode => meant.has(episode.id),
      wrapper => ({ ...wrapper, podcastEpisode: change(wrapper.podcastEpisode) }),
    )
  }
  const editEpisode = (id: string, change: (episode: Episode) => Episode) => editAll([id], change)
  const stale = (podcastId: string | null) => listeners.forEach(listener => listener.stale(podcastId))

  return {
    listen(listener: EpisodeListener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    /** Calls back when a playlist, by its id, or (null) bookmarks were changed, here or elsewhere. */
    listenToLists(listener: (playlistId: string | null) => void) {
      listListeners.add(listener)
      return () => void listListeners.delete(listener)
    },
    listed: (playlistId: string | null) => listListeners.forEach(listener => listener(playlistId)),
    /** Merges, since an event lacks the user's fields and the notes. */
    changed: (shared: SharedEpisode) => editEpisode(shared.id, episode => ({ ...episode, ...shared })),
    edited: editEpisode,
    editedAll: editAll,
    played(progress: Played) {
      edit(
        episode => episode.episode_id === progress.episode_id,
        wrapper => ({ ...wrapper, podcastHistoryItem: afterProgress(wrapper, progress) }),
      )
      listeners.forEach(listener => listener.played?.(progress))
    },
    marked: (eids: readonly string[]) => listeners.forEach(listener => listener.marked?.(eids)),
    hidden: () => listeners.forEach(listener => listener.hidden?.()),
    added: (podcastId: string) => stale(podcastId),
    all: () => stale(null),
  }
}

function afterProgress(
  { podcastEpisode, podcastHistoryItem }: EpisodeWrapper,
  { position, total, finished, device }: Played,
): History {
  const known = podcastHistoryItem ?? {
    podcast: '',
    episode: podcastEpisode.url,
    guid: podcastEpisode.guid,
    action: 'play',
    started: null,
  }
  return { ...known, timestamp: new Date().toISOString(), position, total, finished, device }
}
