import { existsSync } from 'node:fs'
import { describe, expect, test } from 'bun:test'
import { DownloadFailure, diskFull } from '../../../src/server/downloads/failure'
import { Interrupted, settle } from '../../../src/server/downloads/attempt'
import { rss } from '../../support/builders'
import { startClock, startTestApp } from '../../support/app'
import { startFeedHost } from '../../support/feed-host'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

/** A paused queue of downloads, of which `settle` ends attempts at the first one. */
async function plant(titles = ['Fog']) {
  const host = startFeedHost()
  const now = startClock()
  const app = await startTestApp({ now })
  app.prefill(0)
  const items = titles.map((title, index) => ({ title, guid: title, enclosure: `${host.origin}/${index}.mp3` }))
  const podcast = await app.podcasts.add(host.feed('/feed.xml', rss({ items })))
  await app.downloads.pauseAll()
  await app.podcasts.downloadAll(podcast.id)
  const { store, files, log, events } = app.context
  const first = [...store.downloads.ready(now())][0]!.id
  const row = () => store.downloads.find(first)!
  const { eid } = row()
  files.folder.open()
  await Bun.write(files.folder.partOf(eid), 'received so far')
  app.events.length = 0
  return {
    app,
    store,
    now,
    row,
    podcast,
    end: (error: unknown, before = row()) => settle({ store, files, now, log, publish: events.publish }, before, error),
    hasPart: () => existsSync(files.folder.partOf(eid)),
    pauses: () => row().next_attempt_at! - now(),
    asked: () => app.events.filter(({ type }) => type === 'mediaRefused').length,
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]()
      host.stop()
    },
  }
}

const unreachable = new DownloadFailure('media-unreachable', 'The connection to the host failed')
const refused = new DownloadFailure('media-unreachable', 'The host answered 404', true)

test('pauses double from a minute on, and the eighth attempt is the last', async () => {
  await using queue = await plant()
  const pauses: number[] = []
  for (;;) {
    await queue.end(unreachable)
    if (queue.row().state === 'failed') break
    pauses.push(queue.pauses() / MINUTE)
  }
  expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 64])
  expect(queue.row()).toMatchObject({ attempts: 8, message: unreachable.message, finished_at: queue.now() })
  expect(queue.app.lines.join('\n')).toContain('Download failed permanently')
  // The received bytes are there for a person who tries again.
  expect(queue.hasPart()).toBe(true)
})

test('a host that asks for a pause gets it', async () => {
  await using queue = await plant()
  const patientHost = new DownloadFailure('media-unreachable', 'The host answered 503', false, 20 * HOUR)
  await queue.end(patientHost)
  expect(queue.pauses()).toBe(20 * HOUR)
})

test('an attempt that received something begins the count anew', async () => {
  await using queue = await plant()
  for (let attempt = 0; attempt < 3; attempt++) await queue.end(unreachable)
  const before = queue.row()
  queue.store.downloads.checkpoint(before.id, 256 * 1024 - 1)
  await queue.end(unreachable, before)
  expect(queue.row().attempts).toBe(4)
  queue.store.downloads.checkpoint(before.id, 256 * 1024)
  await queue.end(unreachable, before)
  expect([queue.row().attempts, queue.pauses()]).toEqual([1, MINUTE])
})

test('a refusal has the feed read again, and the third is the last', async () => {
  await using queue = await plant()
  for (let attempt = 1; attempt < 3; attempt++) {
    await queue.end(refused)
    expect([queue.row().state, queue.asked()]).toEqual(['waiting', attempt])
  }
  await queue.end(refused)
  expect([queue.row().state, queue.asked()]).toEqual(['failed', 2])
})

test('other failures do not have the feed read again', async () => {
  await using queue = await plant()
  await queue.end(unreachable)
  await queue.end(new DownloadFailure('not-media', 'Expected audio or video', true))
  expect(queue.asked()).toBe(0)
})

test('a recording that was replaced fails at once, and the feed is read again', async () => {
  await using queue = await plant()
  await queue.end(new DownloadFailure('media-superseded', 'Replaced', true))
  expect([queue.row().state, queue.asked(), queue.hasPart()]).toEqual(['failed', 1, false])
})

describe('received bytes that are of no use', () => {
  test.each(['not-media', 'too-large-upstream', 'media-superseded'] as const)('are deleted: %s', async code => {
    await using queue = await plant()
    queue.store.downloads.checkpoint(queue.row().id, 15)
    await queue.end(new DownloadFailure(code, 'Not an episode', true))
    expect([queue.hasPart(), queue.row().received_bytes]).toEqual([false, 0])
  })

  test('are no progress: a file that is too large is not fetched for ever', async () => {
    await using queue = await plant()
    for (let attempt = 1; attempt <= 3; attempt++) {
      const before = queue.row()
      queue.store.downloads.checkpoint(before.id, 64e9)
      await queue.end(new DownloadFailure('too-large-upstream', 'The file is larger than any episode', true), before)
    }
    expect(queue.row()).toMatchObject({ state: 'failed', attempts: 3 })
  })
})

test.each(['upstream-too-slow', 'upstream-timeout'] as const)('after %s, other downloads go first', async code => {
  await using queue = await plant(['Fog', 'Rain'])
  const order = () => {
    queue.now.advance(HOUR)
    return [...queue.store.downloads.ready(queue.now())].map(({ id }) => id)
  }
  const [first, second] = order()
  await queue.end(unreachable)
  expect(order()).toEqual([first!, second!])
  await queue.end(new DownloadFailure(code, 'Too slow'))
  expect(order()).toEqual([second!, first!])
})

test('a full disk is not held against a download', async () => {
  await using queue = await plant()
  for (let attempt = 0; attempt < 20; attempt++) await queue.end(diskFull('The disk is full'))
  expect(queue.row()).toMatchObject({ state: 'waiting', attempts: 0, error_code: 'disk-full' })
  expect(queue.pauses()).toBe(10 * MINUTE)
})

test('a bug is logged, and said to be none of the host’s', async () => {
  await using queue = await plant()
  await queue.end(new TypeError('x is not a function'))
  expect(queue.row()).toMatchObject({
    state: 'waiting',
    error_code: 'unexpected',
    message: 'The download failed unexpectedly. The server log has the reason.',
  })
  expect(queue.app.lines.join('\n')).toContain('x is not a function')
})

test('a download whose podcast is gone leaves nothing behind', async () => {
  await using queue = await plant()
  const before = queue.row()
  queue.store.downloads.remove(before.id)
  await queue.end(unreachable, before)
  expect(queue.hasPart()).toBe(false)
})

test('an interruption keeps what was received, a cancellation does not', async () => {
  await using queue = await plant()
  await queue.end(new Interrupted('paused'))
  expect([queue.row().state, queue.hasPart()]).toEqual(['paused', true])
  await queue.end(new Interrupted('queued'))
  expect([queue.row().state, queue.hasPart()]).toEqual(['queued', true])
  await queue.end(new Interrupted('cancelled'))
  expect(queue.hasPart()).toBe(false)
})
