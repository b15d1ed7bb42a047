import { computed, signal, type Signal } from '@preact/signals-core'
import type { KnownPodcast, NewTag, SharedPodcast, Tag, TagEdit } from '../../shared/api/podcast'
import type { Adding, Api } from '../api'
import { createResource } from '../resource'
import type { Status } from './paged-list'

const MAX_ATTEMPTS = 3
const MAX_PINNED = 8

type ById = ReadonlyMap<string, KnownPodcast>
export type Library = ReturnType<typeof createLibrary>

/** All podcasts, shared by every page; the events of the socket keep them up to date. */
export function createLibrary(api: Api['podcasts'], onUnfavoured?: (podcast: KnownPodcast) => void) {
  const { byId, put, remove, ...list } = createPodcastList(api)
  const change = (id: string, edit: (podcast: KnownPodcast) => KnownPodcast) => {
    const podcast = byId.peek().get(id)
    if (podcast) put(edit(podcast))
  }
  const refreshing = createRefreshing(api, byId)

  /** Applies an event's fields, which are the same for everyone; the user's fields stay, except `newCount`. */
  function merge(shared: SharedPodcast, newCount?: number) {
    const known = byId.peek().get(shared.id)
    const counted = known ? shared.episode_count - known.episode_count + known.unlistened_count : shared.episode_count
    put({
      favorites: false,
      tags: [],
      last_played_at: null,
      ...known,
      ...shared,
      unlistened_count: Math.max(0, counted),
      new_count: newCount ?? known?.new_count ?? 0,
    })
  }
  return {
    byId,
    ...list,
    all: computed(() => [...byId.value.values()]),
    /** The favourites shown in the main menu. */
    pinned: computed(() => [...byId.value.values()].filter(({ favorites }) => favorites).slice(0, MAX_PINNED)),
    isEmpty: computed(() => list.status.value === 'ready' && byId.value.size === 0),
    refreshing: refreshing.ids,
    refresh: refreshing.one,
    refreshAll: refreshing.all,
    async add(address: string, options?: Adding): Promise<KnownPodcast> {
      const podcast = await api.add(address, options)
      put(podcast)
      return podcast
    },
    async remove(id: string, withFiles: boolean) {
      await api.remove(id, withFiles)
      remove(id)
    },
    /** Forgets a podcast that the server no longer has. */
    removed: remove,
    /** Makes a podcast a favourite or not. Shown at once, and undone if the server refuses. */
    async favour(id: string, favorites: boolean) {
      change(id, podcast => ({ ...podcast, favorites }))
      await api.favour(id, favorites).catch(failure => {
        change(id, podcast => ({ ...podcast, favorites: !favorites }))
        throw failure
      })
      const podcast = byId.peek().get(id)
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
    merge,
    /** Sets the number of episodes of a podcast that are new. */
    countNew: (id: string, count: number) => change(id, podcast => ({ ...podcast, new_count: count })),
    refreshed(shared: SharedPodcast) {
      refreshing.end(shared.id)
      merge(shared)
    },
  }
}

/** The podcasts by id, and the state of fetching them. A failed reload leaves what is shown. */
function createPodcastList(api: Pick<Api['podcasts'], 'brief'>) {
  const byId = signal<ById>(new Map())
  let changes = 0
  let last: { podcasts: readonly KnownPodcast[]; byId: ById } | null = null

  const { data, error, isLoading, load } = createResource(async () => {
    let podcasts: readonly KnownPodcast[]
    let changesBefore: number
    let attempts = 0
    // An event that arrived in the meantime may be newer than the answer.
    do {
      changesBefore = changes
      podcasts = await api.brief()
    } while (changesBefore !== changes && ++attempts < MAX_ATTEMPTS)
    // The same answer as before leaves everything in place.
    if (podcasts !== last?.podcasts) last = { podcasts, byId: new Map(podcasts.map(podcast => [podcast.id, podcast])) }
    return last.byId
  })
  const status = computed<Status>(() => {
    if (data.value) return 'ready'
    if (isLoading.value) return 'loading'
    return error.value === null ? 'idle' : 'failed'
  })
  data.subscribe(loaded => {
    if (loaded) byId.value = loaded
  })
  return {
    byId,
    status,
    error,
    load,
    put(podcast: KnownPodcast) {
      changes++
      byId.value = new Map(byId.peek()).set(podcast.id, podcast)
    },
    remove(id: string) {
      changes++
      byId.value = new Map([...byId.peek()].filter(([other]) => other !== id))
    },
  }
}

/** The podcasts whose feeds are being checked, from the request until an event reports the result. */
function createRefreshing(api: Pick<Api['podcasts'], 'refresh' | 'refreshAll'>, byId: Signal<ById>) {
  const ids = signal<ReadonlySet<string>>(new Set())
  const end = (id: string) => {
    ids.value = new Set([...ids.peek()].filter(other => other !== id))
  }
  return {
    ids,
    end,
    async one(id: string) {
      ids.value = new Set(ids.peek()).add(id)
      await api.refresh(id).catch(failure => {
        end(id)
        throw failure
      })
    },
    async all() {
      // No event would end the refresh of an inactive podcast: the server does not check it.
      ids.value = new Set([...byId.peek().values()].filter(podcast => podcast.active).map(podcast => podcast.id))
      await api.refreshAll().catch(failure => {
        ids.value = new Set()
        throw failure
      })
    },
  }
}

type Needs = {
  api: Api['tags']
  /** Podcasts carry their tags. */
  library: Pick<Library, 'load' | 'tag'>
}

/** The user's tags, by name. */
export function createTags({ api, library }: Needs) {
  const { data: all, error, load, set } = createResource<readonly Tag[]>(api.list)
  const put = (tag: Tag) => {
    const shown = all.peek()
    // The list being fetched may contain more than this one tag.
    if (!shown) return void load()
    const others = shown.filter(({ id }) => id !== tag.id)
    set([...others, tag].toSorted((one, other) => one.name.localeCompare(other.name)))
  }

  return {
    all,
    error,
    load,
    async create(tag: NewTag) {
      const created = await api.create(tag)
      put(created)
      return created
    },
    async edit(id: string, edit: TagEdit) {
      put(await api.edit(id, edit))
      void library.load()
    },
    async remove(id: string) {
      await api.remove(id)
      set(all.peek()?.filter(tag => tag.id !== id) ?? null)
      void library.load()
    },
    /** Assigns a tag, or removes it. Shown at once, and undone if the server refuses. */
    async assign(tag: Tag, podcastId: string, isAssigned: boolean) {
      library.tag(podcastId, tag, isAssigned)
      await (isAssigned ? api.assign(tag.id, podcastId) : api.unassign(tag.id, podcastId)).catch(failure => {
        library.tag(podcastId, tag, !isAssigned)
        throw failure
      })
    },
  }
}
export type Tags = ReturnType<typeof createTags>
