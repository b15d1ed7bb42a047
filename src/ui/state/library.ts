import { computed, signal } from '@preact/signals-core'
import type { Podcast, SharedPodcast } from '../../shared/api/podcast'
import type { Tag } from '../../shared/api/tag'
import type { PodcastsApi } from '../api/podcasts'
import type { Status } from './paged-list'

const MOST_ATTEMPTS = 3

export type Library = ReturnType<typeof createLibrary>

/** All podcasts, shared by every page; kept up to date by the events of the socket. */
export function createLibrary(api: PodcastsApi, onUnfavoured?: (podcast: Podcast) => void) {
  const byId = signal<ReadonlyMap<string, Podcast>>(new Map())
  const status = signal<Status>('idle')
  const error = signal<unknown>(null)
  const refreshing = signal<ReadonlySet<string>>(new Set())

  let changes = 0

  function put(podcast: Podcast) {
    changes++
    byId.value = new Map(byId.value).set(podcast.id, podcast)
  }
  const change = (id: string, edit: (podcast: Podcast) => Podcast) => {
    const podcast = byId.value.get(id)
    if (podcast) put(edit(podcast))
  }

  async function load() {
    if (status.value !== 'ready') status.value = 'loading'
    try {
      let podcasts: readonly Podcast[]
      let seen: number
      let attempts = 0
      // What an event told meanwhile may be newer than the answer.
      do {
        seen = changes
        podcasts = await api.list()
      } while (seen !== changes && ++attempts < MOST_ATTEMPTS)
      byId.value = new Map(podcasts.map(podcast => [podcast.id, podcast]))
      status.value = 'ready'
    } catch (failure) {
      error.value = failure
      if (status.value !== 'ready') status.value = 'failed'
    }
  }

  function endRefreshing(id: string) {
    const left = new Set(refreshing.value)
    left.delete(id)
    refreshing.value = left
  }

  return {
    byId,
    status,
    error,
    refreshing,
    all: computed(() => [...byId.value.values()]),
    isEmpty: computed(() => status.value === 'ready' && byId.value.size === 0),
    load,
    async add(address: string, options?: { evenUnplayable?: boolean }): Promise<Podcast> {
      const podcast = await api.add(address, options)
      put(podcast)
      return podcast
    },
    async remove(id: string, withFiles: boolean) {
      await api.remove(id, withFiles)
      const left = new Map(byId.value)
      left.delete(id)
      byId.value = left
    },
    async refresh(id: string) {
      refreshing.value = new Set(refreshing.value).add(id)
      await api.refresh(id).catch(failure => {
        endRefreshing(id)
        throw failure
      })
    },
    async refreshAll() {
      // The others are not checked, and nobody would tell of them.
      refreshing.value = new Set([...byId.value.values()].filter(podcast => podcast.active).map(podcast => podcast.id))
      await api.refreshAll().catch(failure => {
        refreshing.value = new Set()
        throw failure
      })
    },
    /** Shown at once, taken back when the server refuses. */
    async favour(id: string, favorites: boolean) {
      change(id, podcast => ({ ...podcast, favorites }))
      await api.favour(id, favorites).catch(failure => {
        change(id, podcast => ({ ...podcast, favorites: !favorites }))
        throw failure
      })
      const podcast = byId.value.get(id)
      if (podcast && !favorites) onUnfavoured?.(podcast)
    },
    tag(id: string, tag: Tag, isAssigned: boolean) {
      change(id, podcast => {
        const others = podcast.tags.filter(other => other.id !== tag.id)
        return { ...podcast, tags: isAssigned ? [...others, tag] : others }
      })
    },
    async setActive(id: string, active: boolean) {
      put(await api.setActive(id, active))
    },

    /** An event carries what is the same for everyone; what is the user's own stays. */
    merge(shared: SharedPodcast) {
      const known = byId.value.get(shared.id)
      const counted = known ? shared.episode_count - known.episode_count + known.unlistened_count : shared.episode_count
      put({ favorites: false, tags: [], ...known, ...shared, unlistened_count: Math.max(0, counted) })
    },
    refreshed(shared: SharedPodcast) {
      endRefreshing(shared.id)
      this.merge(shared)
    },
  }
}
