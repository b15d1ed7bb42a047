import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'bun:test'
import { refusal, startTestApp, temporaryFolder, withPasswords, type TestApp } from '../../support/app'
import { isOn, startBucketLibrary, type BucketLibrary } from '../../support/bucket-library'
import { startClipLibrary } from '../../support/clip-library'
import { noise } from '../../support/builders'
import { settled } from '../../support/settled'
import { toneAdts, toneM4a, toneMp3 } from '../../support/tones'
import type { SeenRequest } from '../../support/s3-server'
import { clipsApi } from '../../../src/ui/api/administration'

const unsupported = { status: 422, code: 'clip-unsupported' }
const isRead = isOn('GET')

/** Headers of frames, none of which is followed by another. */
const decoys = (bytes: number) => Buffer.alloc(bytes, Buffer.from([0xff, 0xfb, 0x50, 0xc4, 0]))

async function startFilled(options: Omit<Parameters<typeof startBucketLibrary>[0], 'bytes'> & { bytes?: Buffer } = {}) {
  const library = await startBucketLibrary({ bytes: toneMp3(40), ...options })
  await library.fill()
  const { app } = library
  const { id } = (await app.podcasts.episodes(library.podcast.id, {}, null)).data[0]!.podcastEpisode
  library.s3.forgetRequests()
  return { library, id, cutting: () => clipsApi(library.app.client).cut(id, 20, 22) }
}

/** A failure that tells when a request met it. */
function failing({ s3 }: BucketLibrary, fault: Parameters<typeof s3.fail>[0], when = isRead) {
  const { promise, resolve } = Promise.withResolvers<void>()
  const plan = s3.fail(fault, {
    when: (request: SeenRequest) => {
      const fits = when(request)
      if (fits) resolve()
      return fits
    },
  })
  return { met: promise, off: plan.off }
}

/** Keeps the second thread busy with a file from outside, as long as a pipe has no writer. */
function occupy({ context: { media } }: TestApp) {
  const pipe = join(temporaryFolder(), 'pipe')
  expect(Bun.spawnSync(['mkfifo', pipe]).exitCode).toBe(0)
  const reading = media.factsOf(pipe, 'audio/mpeg')
  return async () => {
    expect(Bun.spawnSync(['sh', '-c', ': > "$0"', pipe]).exitCode).toBe(0)
    await reading
  }
}

test('D2: clips are cut in the second thread, so that requests are answered while it is busy with them', async () => {
  await using library = await startClipLibrary()
  const { app, anna, episode } = library
  const whole = await anna.clips.cut(episode, 4, 6)
  const release = occupy(app)
  let isCut = false
  const cutting = anna.clips.cut(episode, 4, 6).finally(() => (isCut = true))
  for (let count = 0; count < 200; count++) {
    expect([await anna.clips.list(), isCut]).toEqual([[], false])
    await settled()
  }
  await release()
  expect(await (await cutting).bytes()).toEqual(await whole.bytes())
})

test('a file that is deleted while its cut waits for its turn is missed, and no other one is cut', async () => {
  await using library = await startClipLibrary()
  const { app, anna, episode, root, eid } = library
  const release = occupy(app)
  const cutting = refusal(anna.clips.cut(episode, 4, 6))
  // Its size is known by now.
  for (let count = 0; count < 100; count++) await settled()
  await root.episodes.removeDownload(eid)
  await release()
  expect(await cutting).toMatchObject({ code: 'clip-needs-file' })
})

test('a file that gets another name while its cut waits for another one is cut under that', async () => {
  await using library = await startClipLibrary()
  const { app, anna, episode } = library
  const { store, rename, admin } = app.context
  const release = occupy(app)
  // Whether this one opens the file before it is renamed depends on the machine.
  const first = Promise.allSettled([anna.clips.cut(episode, 4, 6)])
  const second = anna.clips.cut(episode, 4, 6)
  store.settings.edit({ directPaths: true, episodeFormat: 'New {title}' })
  rename.start(admin.id, { applyFilenames: true, applyMetadata: false })
  await rename.settled()
  expect(store.episodes.someFiles()).toEqual(['Lighthouse/New Fog.mp3'])
  await release()
  await first
  expect((await second).size).toBeGreaterThan(0)
})

test.each([
  ['garbage that looks like frames', 'mp3', 'audio/mpeg', Buffer.concat([toneMp3(1), decoys(900_000), toneMp3(1)])],
  ['garbage that looks like frames', 'aac', 'audio/aac', Buffer.concat([toneAdts(1), noise(900_000, 1), toneAdts(1)])],
])('D2: %s is searched for %s up to a bound', async (_, extension, type, piece) => {
  const file = Buffer.concat(Array.from({ length: 12 }, () => piece))
  await using library = await startClipLibrary({ file, type, extension })
  const { anna, episode } = library
  // What lies behind a little damage can be cut, what lies behind more than anybody has cannot.
  expect((await anna.clips.cut(episode, 6, 8)).size).toBeGreaterThan(0)
  expect(await refusal(anna.clips.cut(episode, 20, 23))).toMatchObject(unsupported)
})

test('D2: samples of a byte are refused when they are too many, and read together when they are not', async () => {
  const blocks = (count: number) => Array.from({ length: count }, () => Buffer.alloc(1))
  const file = toneM4a(0, { blocks: blocks(700_000), units: 10, inChunk: 1 })
  await using library = await startClipLibrary({ file, type: 'audio/mp4', extension: 'm4a' })
  expect(await refusal(library.anna.clips.cut(library.episode, 0, 150))).toMatchObject(unsupported)

  const few = toneM4a(0, { blocks: blocks(40_000), units: 100, inChunk: 1 })
  const { library: stored, cutting } = await startFilled({ bytes: few })
  await using _ = stored
  const clip = await cutting()
  expect(clip.size).toBeGreaterThan(882 * 8)
  const reads = stored.s3.requests.filter(isRead)
  expect([reads.length, reads.length < 10]).toEqual([reads.length, true])
})

test('a tag that says it is longer than its file, and one box within another that is larger, are refused', async () => {
  const tag = Buffer.concat([Buffer.from([0x49, 0x44, 0x33, 3, 0, 0, 0x7f, 0x7f, 0x7f, 0x7f]), toneMp3(2)])
  await using tagged = await startClipLibrary({ file: tag })
  expect(await refusal(tagged.anna.clips.cut(tagged.episode, 0, 1))).toMatchObject(unsupported)
  const film = toneM4a(2)
  for (const size of [0, 7, 0xffffffff]) {
    const broken = Buffer.from(film)
    broken.writeUInt32BE(size, film.indexOf('trak') - 4)
    await using library = await startClipLibrary({ file: broken, type: 'audio/mp4', extension: 'm4a' })
    expect(await refusal(library.anna.clips.cut(library.episode, 0, 1))).toMatchObject(unsupported)
  }
})

test('a request that nobody waits for ends its cut, and the next one has its turn', async () => {
  const { library, id, cutting } = await startFilled()
  await using _ = library
  const { app } = library
  const fault = failing(library, { kind: 'hang' })
  const page = new AbortController()
  const cancelled = app.fetch(`/api/v1/podcasts/episodes/${id}/clip?start=1&end=2`, { signal: page.signal })
  await fault.met
  fault.off()
  // It waits until the other one ends, since it is of the same person.
  const next = cutting()
  page.abort()
  expect(await (await cancelled).json()).toMatchObject({ errorCode: 'cancelled' })
  expect((await next).size).toBeGreaterThan(0)
  expect(app.context.files.bucket!.isAway()).toBe(false)
})

test('a cut that takes too long is given up, for oneself and for strangers', async () => {
  const { library, id, cutting } = await startFilled()
  await using _ = library
  await library.restart({}, { clipLimits: { timeoutMs: 50 } })
  const { app } = library
  const fault = failing(library, { kind: 'hang' })
  const tooSlow = { status: 504, code: 'clip-too-slow' }
  expect(await refusal(cutting())).toMatchObject(tooSlow)
  expect(await refusal(clipsApi(app.client).share({ episode: id, start: 1, end: 2 }))).toMatchObject(tooSlow)
  fault.off()
  // From here on a cut may take as long as it does on this machine.
  await library.restart({}, {})
  expect((await cutting()).size).toBeGreaterThan(0)
})

test('a bucket that sends a file drop by drop is given up as one that is away', async () => {
  const limits = { answerMs: 100, slowestBytesPerSecond: 1e9, pauses: [] }
  const { library, cutting } = await startFilled()
  await using _ = library
  await library.restart({}, { limits })
  failing(library, { kind: 'trickle', bytes: 100, everyMs: 20 })
  expect(await refusal(cutting())).toMatchObject({ code: 'media-storage-absent' })
})

test('a clip that breaks off half-way is no clip', async () => {
  const { library, id } = await startFilled()
  await using _ = library
  const { app, s3 } = library
  const origin = app.listen()
  const cut = () => fetch(`${origin}/api/v1/podcasts/episodes/${id}/clip?start=1&end=35`)
  expect((await (await cut()).bytes()).length).toBeGreaterThan(100_000)
  let reads = 0
  failing(library, { kind: 'cut', when: 'before' }, request => isRead(request) && ++reads > 1)
  const answer = await cut()
  expect(answer.status).toBe(200)
  expect(await refusal(answer.bytes())).not.toBeNull()
  expect(s3.requests.length).toBeGreaterThan(0)
})

test('an episode whose file is gone says that it must be downloaded, one whose storage is away that this is so', async () => {
  await using local = await startClipLibrary()
  rmSync(join(local.app.context.config.podcastFolder), { recursive: true })
  expect(await refusal(local.anna.clips.cut(local.episode, 1, 2))).toMatchObject({ code: 'clip-needs-file' })

  const { library, cutting } = await startFilled()
  await using _ = library
  const fault = failing(library, { kind: 'refuse', status: 503, code: 'SlowDown' })
  expect(await refusal(cutting())).toMatchObject({ status: 503, code: 'media-storage-absent' })
  fault.off()
  await library.app.context.files.bucket!.remove('Weather/Fog/Fog.mp3')
  expect(await refusal(cutting())).toMatchObject({ code: 'clip-needs-file' })
})

test('a public clip that leaves less room than the reserve is not written', async () => {
  await using library = await startClipLibrary()
  const { app, episode } = library
  await using full = await startTestApp({ folder: app.folder, env: { ...withPasswords, DISK_RESERVE: '900000' } })
  const sharing = full.as('root', 'Sup3rSecret').clips.share({ episode, start: 1, end: 2 })
  expect(await refusal(sharing)).toMatchObject({ status: 507, code: 'disk-full' })
})
