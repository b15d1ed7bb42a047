import type { TagColor } from '../../../shared/api/podcast'
import { tagColors } from '../../../shared/choices'
import type { PodcastSettingsRow } from '../../store/podcast-settings'
import { addressKey } from '../../sync/addresses'
import { readJson } from '../json-stream'
import { readRules } from '../portable-rules'
import { tooMany } from '../item'
import { isOnTheWeb, number, text } from './source'

export type Members = Readonly<Record<string, unknown>>

/** A podcast of a document; `subscribedAt` in milliseconds. */
export type PortcastPodcast = {
  feed: string
  title: string | null
  guid: string | null
  isSubscribed: boolean
  subscribedAt: string | null
  tags: string[]
  preferences: Members
  /** Below `extensions.castellan`. */
  own: Members
  rules: Partial<PodcastSettingsRow>
}

export type PortcastTag = { color: TagColor | null; description: string | null }

/** An episode in a list: it names no feed. */
export type PortcastPlace = { guid: string | null; address: string | null; members: Members }

/** Everything of a document but its episodes, of which there may be millions. */
export type PortcastHead = {
  podcasts: Map<string, PortcastPodcast>
  /** Titles of subscriptions without a feed. */
  withoutFeed: (string | null)[]
  /** Feeds by the guid of the podcast. */
  feeds: Map<string, string>
  tags: Map<string, PortcastTag>
  queue: PortcastPlace[]
  bookmarks: PortcastPlace[]
  /** Settings for all podcasts, and those that only Castellan writes. */
  global: Members
  player: Members
  /** Whether Castellan made it, which lists likes with their times. */
  isOwn: boolean
}

/** Bytes of the document that are held in memory. */
const MAX_KEPT = 64 * 1024 * 1024
const MAX_PODCASTS = 20_000
const wanted = {
  portcast: 'value',
  subscriptions: { '*': 'value' },
  queue: { '*': 'value' },
  bookmarks: { '*': 'value' },
  preferences: { global: 'value', perFeed: { '*': 'value' } },
  episodes: { '*': 'value' },
  extensions: { castellan: { version: 'value', player: 'value', tags: { '*': 'value' }, podcasts: { '*': 'value' } } },
} as const

/** Reads a whole document. Throws `MoveRefused` if it is damaged or holds too much for the memory. */
export function readHead(path: string): PortcastHead {
  const head: PortcastHead = {
    podcasts: new Map(),
    withoutFeed: [],
    feeds: new Map(),
    tags: new Map(),
    queue: [],
    bookmarks: [],
    global: {},
    player: {},
    isOwn: false,
  }
  const later: (() => void)[] = []
  let kept = 0
  for (const { path: place, name, value, bytes } of readJson(path, wanted)) {
    const members = membersOf(value)
    if (place === 'episodes') {
      const feed = wasUsed(members) ? feedOf(head, members) : null
      if (feed !== null) podcastAt(head, feed)
      continue
    }
    kept += bytes
    if (kept > MAX_KEPT || head.podcasts.size > MAX_PODCASTS)
      throw tooMany('The file has too many podcasts or lists', MAX_PODCASTS)
    readers[place]?.(head, members, name, later)
    if (place === 'extensions.castellan.version') head.isOwn = value === 1
  }
  // Members may come in any order: subscriptions are read first.
  for (const read of later) read()
  return head
}

type Read = (head: PortcastHead, members: Members, name: string, later: (() => void)[]) => void

const readers: Readonly<Record<string, Read>> = {
  subscriptions: addSubscription,
  queue: (head, members) => void head.queue.push(placeOf(members)),
  bookmarks: (head, members) => void head.bookmarks.push(placeOf(members)),
  'preferences.global': (head, members) => void (head.global = members),
  'extensions.castellan.player': (head, members) => void (head.player = members),
  'preferences.perFeed': (head, members, name, later) => {
    later.push(() => {
      const podcast = head.podcasts.get(addressKey(name))
      if (podcast) podcast.preferences = members
    })
  },
  'extensions.castellan.podcasts': (head, members, _, later) => {
    later.push(() => {
      const podcast = head.podcasts.get(addressKey(text(members['feedUrl']) ?? ''))
      if (!podcast) return
      podcast.own = members
      podcast.rules = readRules(members['rules'])
    })
  },
  'extensions.castellan.tags'(head, { name, color, description }) {
    const known = text(name, 100)
    if (known === null) return
    head.tags.set(known, { color: tagColors.find(one => one === color) ?? null, description: text(description, 1000) })
  },
}

function addSubscription(head: PortcastHead, members: Members) {
  const { title, podcastGuid, unsubscribedAt, subscribedAt, tags } = members
  const guid = text(podcastGuid)
  const feed = text(members['feedUrl'])
  if (feed === null || !isOnTheWeb(feed)) return void head.withoutFeed.push(text(title))
  if (guid !== null) head.feeds.set(guid.toLowerCase(), feed)
  const podcast = podcastAt(head, feed)
  podcast.title = text(title)
  podcast.guid = guid
  podcast.isSubscribed = text(unsubscribedAt) === null
  podcast.subscribedAt = text(subscribedAt)
  podcast.tags = (Array.isArray(tags) ? tags : [])
    .slice(0, 100)
    .flatMap(tag => (typeof tag === 'string' && text(tag, 100)) || [])
}

const podcastAt = ({ podcasts }: PortcastHead, feed: string): PortcastPodcast =>
  podcasts.getOrInsertComputed(addressKey(feed), () => ({
    feed,
    title: null,
    guid: null,
    isSubscribed: false,
    subscribedAt: null,
    tags: [],
    preferences: {},
    own: {},
    rules: {},
  }))

function placeOf(members: Members): PortcastPlace {
  const { guid, enclosureUrl } = membersOf(members['episodeRef'])
  return { guid: text(guid), address: text(enclosureUrl), members }
}

/** The members of an object; none of anything else. */
export const membersOf = (value: unknown): Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : {}

/** The feed of an episode; null if it is on a platform alone. */
export function feedOf({ feeds }: PortcastHead, episode: Members): string | null {
  const { feedUrl, podcastGuid } = membersOf(episode['subscriptionRef'])
  const feed = text(feedUrl)
  if (feed !== null && isOnTheWeb(feed)) return feed
  return feeds.get(text(podcastGuid)?.toLowerCase() ?? '') ?? null
}

/** Whether somebody did anything with an episode: programs list all that they know. */
export const wasUsed = ({ status, starred, positionSeconds }: Members): boolean =>
  status === 'completed' || starred === true || (number(positionSeconds) ?? 0) > 0
