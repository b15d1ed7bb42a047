import { continuations } from '../../../shared/choices'
import { MAX_PLAYLIST_DESCRIPTION } from '../../../shared/limits'
import { readJson } from '../json-stream'
import type { EpisodeRef, Item } from '../item'
import { feedOf, wasUsed, membersOf, type Members, type PortcastHead, type PortcastPlace } from './portcast-head'
import { bytes, isOnTheWeb, number, seconds, text, time } from './source'

/** Episodes by guid and by address, of those that a list or bookmark names. */
export type Attribution = { note: (ref: EpisodeRef) => void; find: (place: PortcastPlace) => EpisodeRef | null }

/** Reads positions and likes, and notes in `attribution` the feeds of episodes that lists name. */
export function* readStates(path: string, head: PortcastHead, attribution: Attribution, now: number): Generator<Item> {
  for (const { value } of readJson(path, { episodes: { '*': 'value' } })) {
    const episode = membersOf(value)
    const feed = feedOf(head, episode)
    if (feed === null) {
      if (wasUsed(episode)) yield { is: 'left-out', kind: 'positions', reason: 'not-on-the-web', feed: null }
      continue
    }
    const ref = refOf(feed, episode, now)
    attribution.note(ref)
    if (episode['starred'] === true && !head.isOwn) yield { is: 'like', user: null, episode: ref, at: null }
    yield* readPosition(ref, episode, now)
  }
}

function* readPosition(ref: EpisodeRef, episode: Members, now: number): Generator<Item> {
  const finished = episode['status'] === 'completed'
  const position = seconds(episode['positionSeconds']) ?? 0
  if (position === 0 && !finished) return
  const at = [episode['lastPlayedAt'], episode['completedAt'], episode['updatedAt']]
    .map(value => time(value, 'text', now))
    .find(found => found !== null)
  yield { is: 'position', user: null, episode: ref, position, total: ref.duration, finished, at: at ?? null }
}

/**
 * Reads what only Castellan writes: old episodes, likes with their times, listening, marked parts, deleted files,
 * playlists.
 */
export function* readOwn(path: string, now: number): Generator<Item> {
  const wanted = { extensions: { castellan: ownLists } } as const
  const lists: OwnLists = { smart: new Set(), about: new Map(), queues: new Map() }
  for (const { path: place, value } of readJson(path, wanted)) {
    const members = membersOf(value)
    yield* readLists(place, members, lists, now)
    const feed = text(members['feedUrl'])
    if (feed === null || !isOnTheWeb(feed)) continue
    const episode = refOf(feed, members, now)
    const list = text(members['list'], 200)
    if (place === 'extensions.castellan.episodes') yield* readFacts(episode, members, now)
    else if (place === 'extensions.castellan.kept') {
      const queue = lists.queues.get(text(members['queue'], 100) ?? '')
      if (queue) yield { is: 'kept', user: null, ...queue, episode }
    } else if (place === 'extensions.castellan.files') yield* readFile(episode, members)
    else if (list !== null && !lists.smart.has(list)) {
      yield { is: 'listed', user: null, list, about: lists.about.get(list) ?? null, episode }
    }
  }
}

/**
 * Names of playlists that fill themselves, whose episodes are left out; the descriptions of the others by their names;
 * the kept queues by their ids.
 */
type OwnLists = {
  smart: Set<string>
  about: Map<string, string>
  queues: Map<string, { queue: string | null; at: number | null }>
}

function* readLists(place: string, members: Members, { smart, about, queues }: OwnLists, now: number): Generator<Item> {
  const name = text(members['name'], 200)
  switch (place) {
    case 'extensions.castellan.playlists': {
      if (name === null || smart.size + about.size >= MAX_LISTS) return
      const description = text(members['description'], MAX_PLAYLIST_DESCRIPTION)
      if (members['rules'] === undefined) return void (description !== null && about.set(name, description))
      smart.add(name)
      return yield { is: 'smart', user: null, list: name, about: description, rules: membersOf(members['rules']) }
    }
    case 'extensions.castellan.queue':
      return yield* readQueue(members)
    case 'extensions.castellan.queues': {
      const id = text(members['id'], 100)
      if (id === null || queues.size >= MAX_LISTS) return
      queues.set(id, { queue: text(members['name'], 100), at: time(members['savedAt'], 'text', now) })
    }
  }
}

const ownLists = {
  episodes: { '*': 'value' },
  playlists: { '*': 'value' },
  listed: { '*': 'value' },
  queue: 'value',
  queues: { '*': 'value' },
  kept: { '*': 'value' },
  files: { '*': 'value' },
} as const
const MAX_LISTS = 1000

function* readQueue({ name, continueWith }: Members): Generator<Item> {
  const choice = continuations.find(one => one === continueWith) ?? 'nothing'
  const named = text(name, 100)
  if (named !== null || choice !== 'nothing')
    yield { is: 'queue-choice', user: null, name: named, continueWith: choice }
}

function* readFacts(episode: EpisodeRef, members: Members, now: number): Generator<Item> {
  if (members['gone'] === true) yield { is: 'episode', episode }
  const likedAt = time(members['likedAt'], 'text', now)
  if (likedAt !== null) yield { is: 'like', user: null, episode, at: likedAt }
  if (members['removed'] === true) yield { is: 'removed', episode }
  const { listened } = members
  for (const entry of Array.isArray(listened) ? listened.slice(0, MAX_HOURS) : []) {
    if (!Array.isArray(entry)) continue
    const [at, listenedFor] = [time(entry[0], 'text', now), seconds(entry[1])]
    const skipped = { saved: seconds(entry[2]), trimmed: seconds(entry[3]) }
    if (at !== null && listenedFor !== null)
      yield { is: 'listened', user: null, episode, seconds: listenedFor, skipped, at }
  }
  yield* readMarks(episode, members['skipMarks'], now)
}

function* readFile(episode: EpisodeRef, members: Members): Generator<Item> {
  const path = text(members['path'])
  if (path === null) return
  yield { is: 'file', episode, path, size: bytes(members['bytes']), at: null, remote: text(members['id'], 100) }
}

function* readMarks(episode: EpisodeRef, marks: unknown, now: number): Generator<Item> {
  for (const entry of Array.isArray(marks) ? marks.slice(0, MAX_MARKS) : []) {
    const mark = membersOf(entry)
    const [start, end] = [number(mark['start']), number(mark['end'])]
    if (start === null || end === null || start < 0 || end <= start || end > LATEST) continue
    yield {
      is: 'skip-mark',
      user: null,
      episode,
      start,
      end,
      skip: mark['skip'] !== false,
      at: time(mark['createdAt'], 'text', now),
    }
  }
}

const MAX_MARKS = 200
/** The latest second that can be marked. */
const LATEST = 1_000_000

/** A year of one episode. */
const MAX_HOURS = 10_000

const refOf = (feed: string, episode: Members, now: number): EpisodeRef => ({
  feed,
  guid: text(episode['guid']),
  address: text(episode['enclosureUrl']),
  title: text(episode['title']),
  publishedAt: time(episode['publishedAt'], 'text', now),
  duration: seconds(episode['durationSeconds']),
  notes: text(episode['notes'], 20_000),
  author: text(episode['author'], 500),
  link: text(episode['link']),
  type: text(episode['mediaType']),
})

/** Most episodes of other feeds with the same guid or address. */
const MAX_ALIKE = 8

/** Prepares to find the feeds of the episodes that lists name, which give a guid and an address alone. */
export function createAttribution({ queue, bookmarks }: PortcastHead): Attribution {
  const known = new Map<string, EpisodeRef[]>()
  for (const place of [...queue, ...bookmarks]) for (const key of keysOf(place)) known.set(key, [])
  return {
    note(ref) {
      for (const key of keysOf(ref)) {
        const alike = known.get(key)
        if (alike && alike.length < MAX_ALIKE) alike.push(ref)
      }
    },
    /** One that has both the guid and the address; else the only feed that has one of them. */
    find(place) {
      for (const key of keysOf(place)) {
        const alike = known.get(key) ?? []
        const same = alike.find(ref => ref.guid === place.guid && ref.address === place.address)
        if (same) return same
        if (new Set(alike.map(({ feed }) => feed)).size === 1) return alike[0]!
      }
      return null
    },
  }
}

const keysOf = ({ guid, address }: { guid: string | null; address: string | null }) => [
  ...(guid === null ? [] : [`guid ${guid}`]),
  ...(address === null ? [] : [`address ${address}`]),
]

/** Reads the queue and the bookmarks, once the feeds of their episodes are known. */
export function* readPlaces({ queue, bookmarks }: PortcastHead, { find }: Attribution, now: number): Generator<Item> {
  const inOrder = queue.toSorted((one, other) => positionOf(one) - positionOf(other))
  for (const place of inOrder) {
    const episode = find(place)
    yield episode ? { is: 'queued', user: null, episode } : withoutFeed('queue', place)
  }
  for (const place of bookmarks) {
    const episode = find(place)
    yield episode ? bookmarkOf(episode, place.members, now) : withoutFeed('bookmarks', place)
  }
}

const positionOf = ({ members }: PortcastPlace) => number(members['position']) ?? Number.MAX_SAFE_INTEGER

const withoutFeed = (kind: 'queue' | 'bookmarks', { guid, address }: PortcastPlace): Item => ({
  is: 'left-out',
  kind,
  reason: guid === null && address === null ? 'not-on-the-web' : 'no-podcast',
  feed: null,
})

function bookmarkOf(episode: EpisodeRef, { atSeconds, createdAt, label, note }: Members, now: number): Item {
  const said = [text(label, 1000), text(note, 10_000)].filter(one => one !== null)
  return {
    is: 'bookmark',
    user: null,
    episode,
    time: Math.max(0, number(atSeconds) ?? 0),
    note: said.length > 0 ? said.join(': ') : null,
    at: time(createdAt, 'text', now),
  }
}
