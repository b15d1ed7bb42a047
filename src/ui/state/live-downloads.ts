import { computed, signal } from '@preact/signals-core'
import type { ServerEvents } from '../../shared/server-event'
import type { Api } from '../api'

export type LiveDownload = Omit<ServerEvents['downloadProgress'], 'episode_id'>
export type LiveDownloads = ReturnType<typeof createLiveDownloads>

const active = new Set<LiveDownload['state']>(['running', 'queued', 'waiting'])

/**
 * The progress of downloads, by `episode_id`, and the causes of those that failed, for the rows and the count of the
 * top bar.
 */
export function createLiveDownloads(api: Api['downloads']) {
  const byEpisode = signal<ReadonlyMap<string, LiveDownload>>(new Map())
  const countOf = (isMeant: (live: LiveDownload) => boolean) =>
    computed(() => [...byEpisode.value.values()].filter(isMeant).length)
  return {
    byEpisode,
    activeCount: countOf(({ state }) => active.has(state)),
    /** Downloads that need a person. */
    failedCount: countOf(({ state }) => state === 'failed'),
    async load() {
      const { items, counts } = (await api.page(null, 200)).data
      const shown = items.filter(({ state }) => state === 'failed').length
      // They come last, behind a long queue perhaps.
      const failed = counts.failed > shown ? (await api.page(null, 200, 'failed')).data.items : []
      byEpisode.value = new Map(
        [...failed, ...items].map(item => [item.episode_id, { ...item, bytesPerSecond: item.bytesPerSecond ?? 0 }]),
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
