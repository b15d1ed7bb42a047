import { MAX_PLAYLIST_DESCRIPTION } from '../../../shared/limits'
import type { Credentials } from '../../outbound/credentials'
import { addressKey } from '../../sync/addresses'
import type { RecordWriter } from '../lines'
import { tooMany } from '../item'
import { isTrue, listOf, number, objectOf, text } from '../sources/source'
import { ask, badAnswer, requireAnswer, requireValue, type Server } from './ask'

const ITEMS_AT_ONCE = 100
const MAX_ITEMS = 5000
const UNAUTHORISED = 401

type Fields = Record<string, unknown>
/** Asks for a value of a person who is signed in. */
type Get = (path: string) => Promise<unknown>

/**
 * Copies the podcasts of an Audiobookshelf and what the person who signs in has played of them. `favourites`: the
 * feeds that the person favours, by their keys; null = all. Throws `MoveRefused`.
 */
export async function copyAudiobookshelf(
  plain: Server,
  login: Credentials,
  records: RecordWriter,
  favourites: ReadonlySet<string> | null = null,
) {
  const get = await createGet(plain, login)
  const me = objectOf(await get('/api/me'))
  const progress = new Map<string, Fields>()
  for (const one of listOf(me.mediaProgress).map(objectOf)) {
    const id = text(one.episodeId)
    if (id !== null) progress.set(id, one)
  }
  const bookmarks = Map.groupBy(listOf(me.bookmarks).map(objectOf), ({ libraryItemId }) => text(libraryItemId))
  for (const id of await listItems(get)) {
    const item = objectOf(await get(`/api/items/${encodeURIComponent(id)}?expanded=1`))
    await copyItem(item, { progress, bookmarks: bookmarks.get(id) ?? [], favourites }, records)
  }
  for (const _ of progress) await records.write({ is: 'unknown' })
  await copyPlaylists(get, records)
}

/** Signs in, and again if the token has expired in the meantime. */
async function createGet(plain: Server, login: Credentials): Promise<Get> {
  let server = await signIn(plain, login)
  return async path => {
    const first = await ask(server, path)
    if (first.status !== UNAUTHORISED) return requireValue(server, path, first.status, first.value)
    server = await signIn(plain, login)
    return requireAnswer(server, path)
  }
}

async function signIn(plain: Server, { user: username, password }: Credentials): Promise<Server> {
  const body = JSON.stringify({ username, password })
  const { status, value } = await ask(plain, '/login', body)
  const user = objectOf(objectOf(requireValue(plain, '/login', status, value)).user)
  // Servers before 2.26 have one token.
  const token = text(user.accessToken) ?? text(user.token)
  if (token === null || /[^\x21-\x7e]/.test(token))
    throw badAnswer(plain, 'gave no token for the sign-in', '200 /login')
  return { ...plain, headers: { Authorization: `Bearer ${token}` } }
}

async function listItems(get: Get): Promise<Set<string>> {
  const ids = new Set<string>()
  for (const library of listOf(objectOf(await get('/api/libraries')).libraries).map(objectOf)) {
    const id = text(library.id, 200)
    if (id === null || library.mediaType !== 'podcast') continue
    for (let page = 0, before = -1; ids.size > before; page++) {
      before = ids.size
      const path = `/api/libraries/${encodeURIComponent(id)}/items?limit=${ITEMS_AT_ONCE}&page=${page}&minified=1`
      for (const item of listOf(objectOf(await get(path)).results)) {
        const itemId = text(objectOf(item).id, 200)
        if (itemId !== null) ids.add(itemId)
      }
      if (ids.size > MAX_ITEMS) throw tooMany(`The server has more than ${MAX_ITEMS} podcasts`, MAX_ITEMS)
    }
  }
  return ids
}

type Known = { progress: Map<string, Fields>; bookmarks: readonly Fields[]; favourites: ReadonlySet<string> | null }

/** Writes a podcast and what was played of it, which is taken out of `progress`. */
async function copyItem(item: Fields, { progress, bookmarks, favourites }: Known, records: RecordWriter) {
  const media = objectOf(item.media)
  const { feedUrl, title } = objectOf(media.metadata)
  const feed = text(feedUrl)
  const tags = listOf(media.tags)
    .slice(0, 100)
    .map(tag => text(tag, 100))
  const favoured = favourites === null || favourites.has(addressKey(feed ?? ''))
  const episodes = listOf(media.episodes).map(objectOf)
  // Another podcast belongs to the person only if they played some of it.
  if (!favoured && bookmarks.length === 0 && !episodes.some(({ id }) => progress.has(text(id) ?? ''))) return
  const facts = { feed, title: text(title, 1000), favoured, tags, autoDownload: media.autoDownloadEpisodes }
  await records.write({ is: 'podcast', ...facts })
  for (const episode of episodes) {
    const id = text(episode.id)
    const played = id === null ? undefined : progress.get(id)
    if (!played) continue
    progress.delete(id!)
    const { currentTime, duration, isFinished, lastUpdate } = played
    const facts = { position: number(currentTime), total: number(duration), at: number(lastUpdate) }
    const finished = isFinished === true || isTrue(isFinished)
    await records.write({ is: 'position', ...facts, finished, episode: factsOf(feed, episode) })
  }
  // Bookmarks name the podcast and no episode: they are useful only if it has a single one.
  for (const { time, title: note, createdAt } of bookmarks) {
    const episode = episodes.length === 1 ? factsOf(feed, episodes[0]!) : null
    await records.write({ is: 'bookmark', time: number(time), note: text(note, 1000), at: number(createdAt), episode })
  }
}

async function copyPlaylists(get: Get, records: RecordWriter) {
  for (const playlist of listOf(objectOf(await get('/api/playlists')).playlists).map(objectOf)) {
    const about = text(playlist.description, MAX_PLAYLIST_DESCRIPTION)
    for (const one of listOf(playlist.items).map(objectOf)) {
      const { feedUrl } = objectOf(objectOf(objectOf(one.libraryItem).media).metadata)
      if (text(one.episodeId) === null) continue
      const episode = factsOf(text(feedUrl), objectOf(one.episode))
      await records.write({ is: 'listed', list: text(playlist.name, 200), about, episode })
    }
  }
}

/** The data for finding an episode, and for creating it if its feed has dropped it. */
function factsOf(feed: string | null, episode: Fields): Fields {
  const { url, type } = objectOf(episode.enclosure)
  return {
    feed,
    guid: text(episode.guid),
    address: text(url),
    type: text(type, 100),
    title: text(episode.title),
    publishedAt: number(episode.publishedAt),
    notes: text(episode.description, 20_000),
  }
}
