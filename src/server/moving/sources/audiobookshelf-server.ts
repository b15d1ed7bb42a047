import { MAX_PLAYLIST_DESCRIPTION } from '../../../shared/limits'
import type { EpisodeRef, Item } from '../item'
import { isCopyOf } from '../lines'
import { isOnTheWeb, isTrue, listOf, objectOf, seconds, type Source, type SourceFile, text, time } from './source'

const NAME = 'audiobookshelf-server'

/** An Audiobookshelf whose answers to one person were copied. */
export const audiobookshelfServer: Source = {
  name: NAME,
  title: 'Audiobookshelf over HTTP',
  isFile: false,
  recognise: ({ db, head }) => db === null && isCopyOf(NAME, head),
  read,
}

async function* read({ records, now }: SourceFile): AsyncGenerator<Item> {
  for (const { is, feed, title } of records()) {
    const address = text(feed)
    if (is === 'podcast' && address !== null && isOnTheWeb(address))
      yield { is: 'podcast', feed: address, title: text(title), active: true }
  }
  for (const record of records()) if (record.is === 'podcast') yield* readPodcast(record)
  for (const record of records()) {
    const episode = refOf(record.episode, now)
    if (record.is === 'position') {
      const [position, total] = [seconds(record.position) ?? 0, seconds(record.total)]
      const [finished, at] = [record.finished === true, time(record.at, 'ms', now)]
      yield { is: 'position', user: null, episode, position, total, finished, at }
    } else if (record.is === 'unknown')
      yield { is: 'left-out', kind: 'positions', reason: 'not-in-the-feed', feed: null }
    else if (record.is === 'listed') {
      const list = text(record.list, 200)
      const about = text(record.about, MAX_PLAYLIST_DESCRIPTION)
      if (list !== null) yield { is: 'listed', user: null, list, about, episode }
    } else if (record.is === 'bookmark') {
      const [moment, note, at] = [seconds(record.time) ?? 0, text(record.note, 1000), time(record.at, 'ms', now)]
      if (record.episode === null) yield { is: 'left-out', kind: 'bookmarks', reason: 'several-episodes', feed: null }
      else yield { is: 'bookmark', user: null, episode, time: moment, note, at }
    }
  }
}

function* readPodcast({ feed: given, favoured, tags, autoDownload }: Record<string, unknown>): Generator<Item> {
  const feed = text(given)
  if (feed === null || !isOnTheWeb(feed)) {
    yield { is: 'left-out', kind: 'podcasts', reason: 'not-on-the-web', feed }
    return
  }
  if (favoured !== false) yield { is: 'subscription', user: null, feed }
  for (const tag of listOf(tags)) {
    const name = text(tag, 100)
    if (name !== null) yield { is: 'tag', user: null, feed, name }
  }
  if (typeof autoDownload === 'boolean' || typeof autoDownload === 'number')
    yield { is: 'rules', feed, autoDownload: isTrue(Number(autoDownload)), include: null, exclude: null }
}

function refOf(value: unknown, now: number): EpisodeRef {
  const { feed, guid, address, type, title, publishedAt, notes } = objectOf(value)
  return {
    feed: text(feed) ?? '',
    guid: text(guid),
    address: text(address),
    title: text(title),
    publishedAt: time(publishedAt, 'ms', now),
    duration: null,
    notes: text(notes, 20_000),
    type: text(type),
  }
}
