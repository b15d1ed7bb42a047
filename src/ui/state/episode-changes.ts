import type { Episode, EpisodeWrapper, SharedEpisode } from '../../shared/api/episode'
import type { ServerEvents } from '../../shared/server-event'

/** What lists of episodes want to know of the world outside. */
export type EpisodeListener = {
  /** An edit of the rows that are shown. */
  edit: (change: (wrapper: EpisodeWrapper) => EpisodeWrapper) => void
  /** There is more than is shown, of one podcast or (null) perhaps of any. */
  stale: (podcastId: string | null) => void
}

export type EpisodeChanges = ReturnType<typeof createEpisodeChanges>

/** Passes on what the socket tells of episodes to the lists that are on the screen. */
export function createEpisodeChanges() {
  const listeners = new Set<EpisodeListener>()
  const edit = (change: (wrapper: EpisodeWrapper) => EpisodeWrapper) =>
    listeners.forEach(listener => listener.edit(change))
  const stale = (podcastId: string | null) => listeners.forEach(listener => listener.stale(podcastId))

  return {
    listen(listener: EpisodeListener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    /** Merged, not replaced: an event lacks what is the user's own, and the notes. */
    changed: (shared: SharedEpisode) =>
      edit(wrapper =>
        wrapper.podcastEpisode.id === shared.id
          ? { ...wrapper, podcastEpisode: { ...wrapper.podcastEpisode, ...shared } }
          : wrapper,
      ),
    edited: (id: string, change: (episode: Episode) => Episode) =>
      edit(wrapper =>
        wrapper.podcastEpisode.id === id ? { ...wrapper, podcastEpisode: change(wrapper.podcastEpisode) } : wrapper,
      ),
    heard: ({ episode_id, position, total, finished, device }: ServerEvents['progress']) =>
      edit(wrapper => {
        const { podcastEpisode, podcastHistoryItem } = wrapper
        if (podcastEpisode.episode_id !== episode_id) return wrapper
        const timestamp = new Date().toISOString()
        const known = podcastHistoryItem ?? {
          podcast: '',
          episode: podcastEpisode.url,
          guid: podcastEpisode.guid,
          action: 'play' as const,
          started: null,
        }
        return { podcastEpisode, podcastHistoryItem: { ...known, timestamp, position, total, finished, device } }
      }),
    added: (podcastId: string) => stale(podcastId),
    all: () => stale(null),
  }
}
