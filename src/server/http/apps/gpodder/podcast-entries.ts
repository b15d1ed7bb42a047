import type { Context } from '../../../context'
import { presentPodcast, type PodcastEntry } from './present'
import type { SyncRequest } from './protocol'

/** Addresses with what the library knows of them, as far as this user may see it. */
export const createPodcastEntries =
  ({ store, sync }: Context) =>
  ({ user, base }: SyncRequest, urls: readonly string[]): PodcastEntry[] => {
    const known = new Map(store.sync.podcasts(user).map(row => [row.id, row]))
    const find = sync.addresses.finder()
    return urls.map(url => presentPodcast(url, known.get(find(url)?.podcastId ?? -1) ?? null, base))
  }
