import { join } from 'node:path'
import { openStore } from '../../../src/server/store'
import type { EpisodeFacts } from '../../../src/server/store/episodes'
import { temporaryFolder } from '../../support/app'

/** The facts about an episode in its feed. */
export const facts = (title: string, more: Partial<EpisodeFacts> = {}): EpisodeFacts => ({
  guid: title,
  feed_guid: title,
  title,
  notes: '',
  link: null,
  author: null,
  enclosure_url: `https://cdn.example/${encodeURIComponent(title)}.mp3`,
  enclosure_type: 'audio/mpeg',
  enclosure_size: null,
  image_url: null,
  announced_at: null,
  duration: 0,
  season: null,
  number: null,
  type: 'full',
  explicit: 0,
  chapters_url: null,
  transcripts: null,
  extras: null,
  digest: title,
  aside: 0,
  ...more,
})

/** A store of its own, without a server around it, and short ways to fill it. */
export function plantStore() {
  const path = join(temporaryFolder(), 'castellan.db')
  const store = openStore(path)
  let count = 0

  const user = (username: string, more: { role?: 'admin' | 'user'; explicit_consent?: number } = {}) =>
    store.users.add({ username, role: 'user', explicit_consent: 1, ...more }, ++count)

  function podcast(title: string, userId: number, { explicit = 0 } = {}) {
    const feedUrl = `https://feeds.example/${encodeURIComponent(title)}.xml`
    const row = store.podcasts.add({ title, folder: title, feedUrl, privacy: 0, userId, now: 1 })
    const author = null
    store.podcasts.describe(row.id, title, {
      author,
      summary: null,
      language: null,
      keywords: null,
      link: null,
      guid: title,
      medium: null,
      explicit,
      serial: 0,
      image_url: null,
      extras: '{}',
      built_at: null,
      feed_items: 1,
      feed_unplayable: 0,
      guid_evidence: null,
    })
    return store.podcasts.find(row.id)!
  }

  /** Episodes come out a day after each other. */
  function episode(podcastId: number, title: string, more: Partial<EpisodeFacts> = {}) {
    const publishedAt = ++count * 86_400_000
    return store.episodes.find(store.episodes.add(podcastId, facts(title, more), publishedAt, publishedAt))!
  }

  const played = (userId: number, { id, podcast_id }: { id: number; podcast_id: number }, at: number, finished = 0) =>
    store.playback.save({
      user_id: userId,
      episode_id: id,
      podcast_id,
      started: 0,
      position: 60,
      total: 600,
      finished,
      device: 'webview',
      updated_at: at,
    })

  return { store, path, user, podcast, episode, facts, played, [Symbol.dispose]: () => store.close() }
}
