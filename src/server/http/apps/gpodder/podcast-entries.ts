import type { Context } from '../../../context'
import { presentPodcast, type PodcastEntry } from './present'
import type { SyncRequest } from './protocol'

/** Describes feed addresses from the library, as far as this user may see their podcasts. */
export const createPodcastEntries =
  ({ store, sync }: Context) =>
  ({ user, base }: SyncRequest, urls: readonly string[]): PodcastEntry[] => {
    const known = new Map(store.sync.podcasts(user).map(row => [row.id, row]))
    const find = sync.addresses.finder()
    return urls.map(url => presentPodcast(url, known.get(find(url)?.podcastId ?? -1) ?? null, base))
  }
