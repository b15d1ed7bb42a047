import { computed, signal } from '@preact/signals-core'
import type { ServerEvents } from '../../shared/server-event'
import type { DownloadsApi } from '../api/downloads'

export type LiveDownload = Pick<
  ServerEvents['downloadProgress'],
  'id' | 'state' | 'receivedBytes' | 'totalBytes' | 'bytesPerSecond'
>
export type LiveDownloads = ReturnType<typeof createLiveDownloads>

/** The progress of downloads, by `episode_id`, for the rings of rows and the count of the top bar. */
export function createLiveDownloads(api: DownloadsApi) {
  const byEpisode = signal<ReadonlyMap<string, LiveDownload>>(new Map())
  return {
    byEpisode,
    activeCount: computed(
      () =>
        [...byEpisode.value.values()].filter(
          ({ state }) => state === 'running' || state === 'queued' || state === 'waiting',
        ).length,
    ),
    async load() {
      const { data } = await api.page(null, 200)
      byEpisode.value = new Map(
        data.items.map(item => [item.episode_id, { ...item, bytesPerSecond: item.bytesPerSecond ?? 0 }]),
      )
    },
    progressed({ episode_id, ...live }: ServerEvents['downloadProgress']) {
      const next = new Map(byEpisode.value)
      if (live.state === 'done' || live.state === 'cancelled') next.delete(episode_id)
      else next.set(episode_id, live)
      byEpisode.value = next
    },
  }
}
