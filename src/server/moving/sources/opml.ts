import type { Item } from '../item'
import type { Source, SourceFile } from './source'
import { isOnTheWeb } from './values'

/** A list of feeds, of any program; folders and categories are tags. */
export const opml: Source = {
  name: 'opml',
  title: 'OPML',
  where: 'An OPML export of any program: addresses and folders alone',
  recognise: ({ db, head }) => db === null && /<opml[\s>]/i.test(head),
  read,
}

async function* read({ readOpml }: SourceFile): AsyncGenerator<Item> {
  const outlines = readOpml()
  const feeds = outlines.filter(({ feedUrl }) => isOnTheWeb(feedUrl))
  for (const { feedUrl, title } of feeds) yield { is: 'podcast', feed: feedUrl, title, active: true }
  for (const { feedUrl, folders } of feeds) {
    yield { is: 'subscription', user: null, feed: feedUrl }
    for (const name of folders) yield { is: 'tag', user: null, feed: feedUrl, name }
  }
  for (const { feedUrl } of outlines)
    if (!isOnTheWeb(feedUrl)) yield { is: 'left-out', kind: 'podcasts', reason: 'not-on-the-web', feed: feedUrl }
}
