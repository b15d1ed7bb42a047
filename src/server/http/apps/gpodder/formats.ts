import { parseOpml } from '../../../opml/parse'
import { writeOpml } from '../../../opml/file'
import { readAddress } from '../../../sync/addresses'
import { badRequest, readJsonBody, SyncRefusal, type SyncRequest } from './protocol'
import type { Context } from '../../../context'
import { SECOND } from '../../../platform/clock'
import type { PodcastRow } from '../../../store/podcasts'
import type { EpisodeForSync } from '../../../store/subscriptions'
import type { Actions } from '../../../sync/actions'
import type { SentAction } from '../../../sync/spelling'

/** Characters; a list of 5,000 podcasts has a million. */
const MAX_OPML = 2_000_000

/** Reads feed addresses in one of the protocol's formats. Throws `SyncRefusal` if one of them is not an address. */
export function readAddresses(format: string, body: string): string[] {
  const addresses = { txt: readLines, json: readList, opml: readOutlines }[format]!(body)
  const unreadable = addresses.find(address => readAddress(address) === null)
  if (unreadable !== undefined) throw badRequest(`Not a feed address: ${unreadable.slice(0, 200)}`)
  return addresses
}

const readLines = (body: string) => body.split(/\r?\n/).filter(line => line.trim() !== '')

/** Reads a JSON list of addresses, or of objects that contain one. */
function readList(body: string): string[] {
  const from = body.indexOf('[')
  const list = readJsonBody(body.slice(Math.max(from, 0), body.lastIndexOf(']') + 1))
  if (!Array.isArray(list)) throw badRequest('Expected a list')
  return list.map(entry => {
    const { url, feed, xmlUrl } = (entry ?? {}) as Record<string, unknown>
    const address = [entry, url, feed, xmlUrl].find(value => typeof value === 'string')
    if (typeof address !== 'string') throw badRequest('An entry of the list has no address')
    return address
  })
}

function readOutlines(body: string): string[] {
  if (/<opml[\s>]/i.test(body) && !/xmlUrl/i.test(body)) return []
  if (body.length > MAX_OPML) throw new SyncRefusal(413, `The list is too large, the limit is ${MAX_OPML} characters`)
  try {
    return parseOpml(body).map(({ feedUrl }) => feedUrl)
  } catch {
    throw badRequest('The list is not valid OPML')
  }
}

/** Writes a list in one of the protocol's formats. Each call has its own shape in JSON, which `json` makes. */
export function writePodcasts(format: string, podcasts: readonly PodcastEntry[], json: () => unknown, now: number) {
  if (format === 'json') return json()
  if (format === 'txt')
    return new Response(podcasts.map(({ url }) => `${url}\n`).join(''), { headers: { 'Content-Type': 'text/plain' } })
  const outlines = podcasts.map(({ url, title }) => ({ title, xmlUrl: url, categories: [] }))
  return new Response(writeOpml('Castellan', now, outlines), { headers: { 'Content-Type': 'text/xml' } })
}

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
