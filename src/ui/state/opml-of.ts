import type { JobItem } from '../../shared/api/job'

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')

/** Writes the feeds of items as a list that can be imported. */
export const opmlOf = (items: readonly JobItem[]) =>
  `<opml version="2.0"><body>${items
    .map(({ feedUrl, title }) => `<outline text="${escaped(title ?? feedUrl)}" xmlUrl="${escaped(feedUrl)}"/>`)
    .join('')}</body></opml>`
