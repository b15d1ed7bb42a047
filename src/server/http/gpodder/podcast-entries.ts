import type { Context } from '../../context'
import { addressKey } from '../../sync/addresses'
import { presentPodcast, type PodcastEntry } from './present'
import type { SyncRequest } from './protocol'

/** Addresses with what the library knows of them, as far as this user may see it. */
export const createPodcastEntries =
  ({ store }: Context) =>
  ({ user, base }: SyncRequest, urls: readonly string[]): PodcastEntry[] => {
    const known = new Map(store.sync.podcasts(user).map(row => [addressKey(row.feed_url), row]))
    return urls.map(url => presentPodcast(url, known.get(addressKey(url)) ?? null, base))
  }
