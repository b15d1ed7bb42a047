import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { rss } from './builders'
import type { TestApp } from './app'
import type { FeedHost, Handler } from './feed-host'

export const MINUTE = 60_000

/** A library with one podcast of one episode, whose enclosure the host answers as `handler` says. */
export async function withEpisode(app: TestApp, host: FeedHost, handler: Handler, title = 'Fog') {
  app.prefill(0)
  const enclosure = host.on('/media/a.mp3', handler)
  const podcast = await app.podcasts.add(host.feed('/feed.xml', rss({ items: [{ title, enclosure }] })))
  const { data } = await app.podcasts.episodes(podcast.id, {}, null)
  return data[0]!.podcastEpisode
}

/** The first download in the list. */
export const stateOf = async (app: TestApp) => (await app.downloads.page(null)).data.items[0]

/** Waits until a download is in one of these states. */
export const settled = (app: TestApp, ...states: string[]) =>
  app.event('downloadProgress', event => states.includes(event.state))

export const sha = (bytes: Uint8Array | ArrayBuffer) => new Bun.CryptoHasher('sha256').update(bytes).digest('hex')

/** The path at which the episode's file is kept. */
export const fileOf = (app: TestApp) => join(app.folder, 'podcasts/Lighthouse Radio/Fog/Fog.mp3')

/** The names of unfinished files. */
export const parts = (app: TestApp) => readdirSync(join(app.folder, 'podcasts/.partial'))

/** Sends `bytes` up to `end`, then says no more. */
export const stall = (bytes: Uint8Array, end: number): Response =>
  new Response(new ReadableStream({ start: controller => controller.enqueue(bytes.subarray(0, end)) }), {
    headers: { 'Content-Type': 'audio/mpeg', 'Content-Length': String(bytes.byteLength), ETag: '"v1"' },
  })
