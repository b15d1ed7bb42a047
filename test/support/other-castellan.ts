import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startTestApp, withPasswords } from './app'
import { rss } from './builders'
import { startFeedHost } from './feed-host'

export const keyOfAlice = '0123456789abcdef0123456789abcdef'

/** A Castellan of its own, in which alice has a podcast with two episodes and their files. */
export async function startOtherCastellan(sound: Uint8Array) {
  const host = startFeedHost()
  const items = ['one', 'two'].map(guid => ({ guid, title: guid, enclosure: `${host.origin}/${guid}.mp3` }))
  host.feed('/feed.xml', rss({ title: 'Feed', items }))
  const app = await startTestApp({ env: withPasswords })
  app.prefill(0)
  const { store, config, subscribe, admin } = app.context
  const alice = await app.signUp('alice')
  const { id } = await subscribe(admin, `${host.origin}/feed.xml`, { source: 'import' })
  store.podcasts.favour(alice.row.id, id, true, 1)
  await alice.users.edit('alice', { apiKey: keyOfAlice })
  mkdirSync(config.podcastFolder, { recursive: true })
  for (const { id: episode, title } of store.episodes.knownOf(id)) {
    const path = `${title}.mp3`
    writeFileSync(join(config.podcastFolder, path), sound)
    store.episodes.keepFile(episode, { path, size: sound.byteLength, type: 'audio/mpeg', now: 1, duration: null })
  }
  return {
    address: app.listen(),
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]()
      host.stop()
    },
  }
}
