import { addressesMeant, normaliseFeedAddress } from '../../feeds/fetch/address'
import type { Item } from '../item'
import { isOnTheWeb, type Source, type SourceFile } from './source'

/** A list of feeds, of any program; folders and categories are tags. */
export const opml: Source = {
  name: 'opml',
  title: 'OPML',
  isFile: true,
  recognise: ({ db, head }) => db === null && /<opml[\s>]/i.test(head),
  read,
}

async function* read({ readOpml }: SourceFile): AsyncGenerator<Item> {
  const outlines = readOpml().map(outline => ({ ...outline, feed: feedOf(outline.feedUrl) }))
  const feeds = outlines.flatMap(({ feed, title, folders }) => (feed === null ? [] : [{ feed, title, folders }]))
  for (const { feed, title } of feeds) yield { is: 'podcast', feed, title, active: true }
  for (const { feed, folders } of feeds) {
    yield { is: 'subscription', user: null, feed }
    for (const name of folders) yield { is: 'tag', user: null, feed, name }
  }
  for (const { feed, feedUrl } of outlines)
    if (feed === null) yield { is: 'left-out', kind: 'podcasts', reason: 'not-on-the-web', feed: feedUrl }
}

/**
 * The address of a feed in a list: as it is, or without the scheme of an app. Where that leaves none, it is added by
 * https, or by http if that cannot be reached. Null for an address that is not on the web.
 */
function feedOf(listed: string): string | null {
  if (isOnTheWeb(listed)) return listed
  const [address, byHttp] = addressesMeant(listed)
  if (address === undefined) return null
  // Not by a guess: a password is included.
  if (byHttp === undefined || listed.includes('@')) return normaliseFeedAddress(listed)
  return address.replace(/^https:\/\//, '')
}
