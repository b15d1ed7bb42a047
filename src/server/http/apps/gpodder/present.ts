import type { Context } from '../../../context'
import { SECOND } from '../../../platform/clock'
import type { PodcastRow } from '../../../store/podcasts'
import type { EpisodeForSync } from '../../../store/subscriptions'
import type { Actions } from '../../../sync/actions'
import type { SentAction } from '../../../sync/spelling'
import type { SyncRequest } from './protocol'

/** Writes a time in UTC without a zone, the only form that every client reads. */
export const presentTime = (seconds: number) => new Date(seconds * SECOND).toISOString().slice(0, 19)

/** A podcast in the shape of the protocol's directory. For a podcast outside the library only the address is known. */
export function presentPodcast(
  url: string,
  podcast: Pick<PodcastRow, 'uuid' | 'title' | 'author' | 'summary' | 'image_url' | 'link'> | null,
  base: string,
  subscribers = 1,
) {
  return {
    url,
    title: podcast?.title ?? url,
    author: podcast?.author ?? '',
    description: podcast?.summary ?? '',
    subscribers,
    // One client refuses a podcast without it.
    subscribers_last_week: subscribers,
    logo_url: podcast?.image_url ?? null,
    scaled_logo_url: podcast?.image_url ?? null,
    website: podcast?.link ?? null,
    mygpo_link: podcast ? `${base}ui/podcasts/${podcast.uuid}/episodes` : null,
  }
}
export type PodcastEntry = ReturnType<typeof presentPodcast>

export const presentEpisode = (
  { uuid, title, enclosure_url, link, published_at, podcast_title, feed_url }: EpisodeForSync,
  base: string,
) => ({
  title,
  url: enclosure_url,
  podcast_title,
  podcast_url: feed_url,
  description: '',
  website: link ?? '',
  released: presentTime(Math.floor(published_at / SECOND)),
  mygpo_link: `${base}ui/episodes/${uuid}`,
})

type InParts = ReturnType<Actions['sinceInParts']>

/** Writes a list of actions part by part. */
export async function writeActions({ parts, timestamp }: InParts, present: (action: SentAction) => object) {
  const texts: string[] = []
  for await (const actions of parts)
    if (actions.length > 0) texts.push(JSON.stringify(actions.map(present)).slice(1, -1))
  return new Response(`{"actions":[${texts.join(',')}],"timestamp":${timestamp}}`, {
    headers: { 'Content-Type': 'application/json;charset=utf-8' },
  })
}

/** Describes feed addresses from the library, as far as this user may see their podcasts. */
export const createPodcastEntries =
  ({ store, sync }: Context) =>
  ({ user, base }: SyncRequest, urls: readonly string[]): PodcastEntry[] => {
    const known = new Map(store.sync.podcasts(user).map(row => [row.id, row]))
    const find = sync.addresses.finder()
    return urls.map(url => presentPodcast(url, known.get(find(url)?.podcastId ?? -1) ?? null, base))
  }
