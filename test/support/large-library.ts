import { mkdirSync } from 'node:fs'
import { indexSome } from '../../src/server/search/indexer'
import { openDataFolder } from '../../src/server/data-folder'
import { createWords } from './words'

const WORDS_OF_NOTES = 200
const HOUR = 3_600_000

/** Adds so many podcasts with `episodes` each to the library in a data folder whose server does not run. */
export async function plantLarge(
  folder: string,
  podcasts: number,
  episodes: number,
  coverOf: (number: number) => string | null = () => null,
) {
  const now = Date.now()
  mkdirSync(folder, { recursive: true })
  const { store } = openDataFolder(folder)
  const { text, random } = createWords()
  const owner =
    store.users.findBuiltIn() ??
    store.users.add({ username: 'admin', role: 'admin', explicit_consent: 1, built_in: 1 }, now)
  const known = store.podcasts.allWithFolders().length
  for (let number = known; number < known + podcasts; number++) {
    const title = `Podcast ${number} ${text(2)}`
    store.inTransaction(() => {
      const podcast = store.podcasts.add({
        title,
        folder: `podcast-${number}`,
        feedUrl: `https://feeds.example/${number}.xml`,
        privacy: 0,
        userId: owner.id,
        now,
      })
      store.podcasts.describe(podcast.id, title, {
        author: text(2),
        summary: text(30),
        language: 'en',
        keywords: null,
        link: null,
        guid: null,
        medium: null,
        explicit: 0,
        serial: 0,
        image_url: coverOf(number),
        extras: '{}',
        built_at: now,
        feed_items: episodes,
        feed_unplayable: 0,
        guid_evidence: null,
      })
      // Checked a moment ago: nothing is due when the server starts.
      store.podcasts.recordCheck(podcast.id, {
        checkedAt: now,
        nextCheckAt: now + 100 * HOUR,
        intervalMs: null,
        failures: 0,
        error: null,
        warnings: false,
        gone: false,
      })
      for (let index = episodes - 1; index >= 0; index--) {
        const publishedAt = now - Math.floor((index * 7 * 24 + random() * 24) * HOUR)
        const facts = {
          guid: `${number}-${index}`,
          feed_guid: `${number}-${index}`,
          title: `${text(5)}`,
          notes: `<p>${text(WORDS_OF_NOTES)}</p>`,
          link: null,
          enclosure_url: `https://cdn.example/${number}/${index}.mp3`,
          enclosure_type: 'audio/mpeg',
          enclosure_size: 30_000_000,
          image_url: null,
          announced_at: publishedAt,
          duration: 1800,
          season: null,
          number: null,
          type: 'full' as const,
          explicit: 0,
          author: null,
          chapters_url: null,
          transcripts: null,
          extras: null,
          digest: `${number}-${index}`,
          aside: 0,
        }
        store.episodes.add(podcast.id, facts, publishedAt, now)
      }
    })
  }
  while (store.search.isBehind()) await indexSome(store)
  store.close()
}
