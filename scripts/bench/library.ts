import { rss } from '../../test/support/builders'
import { createWords } from '../../test/support/words'

const { text } = createWords(5)

/** Writes a feed whose `notes` have that many words, as frequent as in natural language, and different in each call. */
export function feedOf(name: string, episodes: number, notes: number): string {
  return rss({
    title: name,
    items: Array.from({ length: episodes }, (_, index) => ({
      guid: `${name}-${index}`,
      title: `${name}, part ${episodes - index}`,
      enclosure: `https://cdn.example/${encodeURIComponent(name)}/${index}.mp3`,
      notes: `<p>${text(notes)}</p><p><a href="https://example.com/${index}">More</a></p>`,
      // Each podcast has its own hour, as in life.
      date: new Date(Date.UTC(2026, 0, 1) - index * 86_400_000 - (Bun.hash.crc32(name) % 86_400) * 1000).toUTCString(),
      duration: '1800',
    })),
  })
}

/** Writes a feed in words as frequent as in natural language, always the same for the same name. */
export function naturalFeed(name: string, episodes: number): string {
  const { text } = createWords(Bun.hash.crc32(name))
  const since = Date.UTC(2026, 0, 1) - (Bun.hash.crc32(name) % 86_400) * 1000
  return rss({
    title: `${name} ${text(2)}`,
    items: Array.from({ length: episodes }, (_, index) => ({
      guid: `${name}-${index}`,
      title: `${name} part${episodes - index} ${text(5)}`,
      enclosure: `https://cdn.example/${name}/${index}.mp3`,
      notes: `<p>${text(200)}</p>`,
      date: new Date(since - index * 86_400_000).toUTCString(),
      duration: '1800',
    })),
  })
}

/** A natural feed that has one more episode in each edition; the others stay byte for byte. */
export function growingFeed(name: string, episodes: number, edition: number): string {
  const before = naturalFeed(name, episodes)
  const news = Array.from({ length: edition }, (_, index) => {
    const number = edition - index
    const { text } = createWords(number)
    return {
      guid: `${name}-news-${number}`,
      title: `${name} news${number} ${text(5)}`,
      enclosure: `https://cdn.example/${name}/news-${number}.mp3`,
      notes: `<p>${text(200)}</p>`,
      date: new Date(Date.UTC(2026, 0, 2) + number * 86_400_000).toUTCString(),
    }
  })
  const added = rss({ items: news })
  const items = added.slice(added.indexOf('<item>'), added.lastIndexOf('</channel>'))
  return edition === 0 ? before : before.replace('<item>', () => `${items}<item>`)
}

/** A feed of about a megabyte. */
export const largeFeed = (name: string) => feedOf(name, 500, 230)
