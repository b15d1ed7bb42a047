import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'bun:test'
import { examineMedia } from '../../../src/server/upkeep/doctor/media'
import { createForgottenFiles } from '../../../src/server/downloads/forgotten'
import { createMediaMove } from '../../../src/server/downloads/media-move'
import { createMediaFiles, type StorageName } from '../../../src/server/storage'
import { refusal } from '../../support/app'
import { hasty } from '../../support/bucket'
import { holdsExactly, isOn, keyOf, startBucketLibrary, type BucketLibrary } from '../../support/bucket-library'
import { noise } from '../../support/builders'
import { MINUTE } from '../../support/downloads'
import type { Fault } from '../../support/s3-server'

const bytes = noise(300_000, 11)
const titles = ['Fog', 'Rain', 'Snow']

async function startFilled(options: Partial<Parameters<typeof startBucketLibrary>[0]> = {}) {
  const library = await startBucketLibrary({ bytes, titles, ...options })
  await library.fill()
  library.host.requests.length = 0
  library.s3.forgetRequests()
  return library
}

const mp3sBelow = (folder: string) =>
  readdirSync(join(folder, 'podcasts'), { recursive: true, encoding: 'utf8' })
    .filter(path => path.endsWith('.mp3'))
    .sort()
const wrongOnDisk = (folder: string) =>
  mp3sBelow(folder).filter(path => Buffer.compare(readFileSync(join(folder, 'podcasts', path)), bytes) !== 0)

/** Moves all files as another process does, and answers which could not be moved, or why none could. */
async function move({ app: { context }, elapsed }: BucketLibrary, to: StorageName) {
  const { store, config, log } = context
  const files = createMediaFiles({ config, someKnownFiles: store.episodes.someFiles, elapsed, log, limits: hasty })
  const wrong = await files.bucket!.ask()
  if (wrong !== null) return wrong
  const forgotten = createForgottenFiles({ store, files, log })
  const moving = createMediaMove({ store, files, forgotten, reserveBytes: 0, log })
  return moving
    .run(to, () => undefined)
    .then(
      ({ failures }) => failures.map(({ path, reason }) => `${path}: ${reason}`).join(),
      error => String(error),
    )
}

/** Every file is in one storage alone, whole, where its row says. */
function expectConsistent(library: BucketLibrary) {
  const { app, folder, s3 } = library
  const rows = app.context.store.episodes.allWithFiles().map(({ id }) => app.context.store.episodes.find(id)!)
  const named = (storage: string) =>
    rows
      .filter(row => row.file_storage === storage)
      .map(row => row.file_path!)
      .sort()
  expect(rows).toHaveLength(titles.length)
  expect(s3.keys()).toEqual(named('s3').map(path => `castellan/${path}`))
  expect(mp3sBelow(folder)).toEqual(named('folder'))
  expect([holdsExactly(library, [], bytes).wrong, wrongOnDisk(folder), s3.uploads()]).toEqual([[], [], []])
  expect(app.context.store.mediaCopies.list()).toEqual([])
}

describe('a file whose deletion the bucket', () => {
  test('does not hear of stays, and the person is told', async () => {
    await using library = await startFilled()
    const { app, s3, idOf } = library
    s3.goAway()
    await app.context.files.bucket!.ask()
    expect(await refusal(app.episodes.removeDownload(idOf()))).toMatchObject({
      status: 503,
      code: 'media-storage-absent',
    })
    expect((await app.episodes.find(idOf())).podcastEpisode.status).toBe(true)

    await s3.comeBack()
    await library.later()
    await app.episodes.removeDownload(idOf())
    expect(s3.keys()).toEqual([keyOf('Rain'), keyOf('Snow')])
  })

  test.each([
    ['refuses', { kind: 'refuse', status: 503, code: 'SlowDown' }],
    ['has no right for', { kind: 'refuse', status: 403, code: 'AccessDenied' }],
    ['is not there for', { kind: 'refuse', status: 404, code: 'NoSuchBucket' }],
    ['cuts off', { kind: 'cut', when: 'before' }],
    ['does and does not acknowledge', { kind: 'cut', when: 'after' }],
  ] as [string, Fault][])('%s is deleted once the bucket is back', async (_, fault) => {
    await using library = await startFilled()
    const { app, s3, idOf } = library
    const plan = s3.fail(fault, { when: isOn('DELETE') })
    await app.episodes.removeDownload(idOf())
    expect(app.context.store.forgottenFiles.list()).toHaveLength(1)

    plan.off()
    await library.later()
    await app.context.downloads.storageReturned()
    expect(s3.keys()).toEqual([keyOf('Rain'), keyOf('Snow')])
    library.elapsed.advance(MINUTE)
    await app.context.forgotten.recover('s3', true)
    expect(app.context.store.forgottenFiles.list()).toEqual([])
  })
})

test('a podcast is not removed with its files while they cannot be deleted', async () => {
  await using library = await startFilled()
  const { app, s3, podcast } = library
  s3.goAway()
  await app.context.files.bucket!.ask()
  expect(await refusal(app.podcasts.remove(podcast.id, true))).toMatchObject({ code: 'media-storage-absent' })
  expect(await app.podcasts.list()).toHaveLength(1)

  await s3.comeBack()
  await library.later()
  await app.podcasts.remove(podcast.id, true)
  expect([s3.keys(), s3.uploads()]).toEqual([[], []])
})

describe('renaming', () => {
  const isCopy = ({ headers }: { headers: ReadonlyMap<string, string> }) => headers.has('x-amz-copy-source')

  async function rename({ app }: BucketLibrary) {
    const { store, rename, admin } = app.context
    store.settings.edit({ directPaths: true, episodeFormat: 'New {title}' })
    rename.start(admin.id, { applyFilenames: true, applyMetadata: false })
    await rename.settled()
  }
  const renamed = titles.map(title => `castellan/Weather/New ${title}.mp3`)

  test.each([
    ['a copy that is refused', { kind: 'refuse', status: 500, code: 'InternalError' }],
    ['a copy that is cut after it was made', { kind: 'cut', when: 'after' }],
  ] as [string, Fault][])('meets %s once, and nobody notices', async (_, fault) => {
    await using library = await startFilled()
    library.s3.fail(fault, { times: 1, when: isCopy })
    await rename(library)

    expect(library.s3.keys()).toEqual(renamed)
    expectConsistent(library)
  })

  test.each([
    ['a copy that is always refused', isCopy, { kind: 'refuse', status: 500, code: 'InternalError' }],
    ['a copy that is HTML', isCopy, { kind: 'body', of: 'html' }],
    ['a copy that is always cut', isCopy, { kind: 'cut', when: 'before' }],
    ['a deletion that is always refused', isOn('DELETE'), { kind: 'refuse', status: 500, code: 'InternalError' }],
  ] as const)(
    'meets %s: every file stays playable, and the run goes on once the bucket is back',
    async (_, when, fault) => {
      await using library = await startFilled()
      const plan = library.s3.fail(fault, { when })
      await rename(library)
      for (const title of titles) expect(Buffer.compare(await (await library.media({}, title)).bytes(), bytes)).toBe(0)

      plan.off()
      await library.later()
      await library.app.context.downloads.storageReturned()
      await library.app.context.rename.settled()
      expect(library.s3.keys()).toEqual(renamed)
      expectConsistent(library)
      expect(library.app.context.store.jobs.running()).toEqual([])
    },
  )
})

test('a copy of a file in parts, whose original could not be deleted, is not taken for another file', async () => {
  const large = noise(12_000_000, 13)
  await using library = await startFilled({ bytes: large, titles: ['Fog'] })
  const { s3, app } = library
  const plan = s3.fail({ kind: 'refuse', status: 500, code: 'InternalError' }, { when: isOn('DELETE') })
  app.context.store.settings.edit({ directPaths: true, episodeFormat: 'New {title}' })
  app.context.rename.start(app.context.admin.id, { applyFilenames: true, applyMetadata: false })
  await app.context.rename.settled()
  expect(s3.keys()).toHaveLength(2)

  plan.off()
  await library.later()
  await app.context.downloads.storageReturned()
  await app.context.rename.settled()
  expect(s3.keys()).toEqual(['castellan/Weather/New Fog.mp3'])
  expect(Buffer.compare(await (await library.media()).bytes(), large)).toBe(0)
})

describe('moving files', () => {
  test('to the folder and back leaves every byte as it was', async () => {
    await using library = await startFilled()
    expect(await move(library, 'folder')).toBe('')
    expectConsistent(library)
    expect(library.s3.keys()).toEqual([])
    expect(await move(library, 's3')).toBe('')
    expectConsistent(library)

    expect(mp3sBelow(library.folder)).toEqual([])
  })

  test.each([
    ['a refusal', isOn('PUT'), { kind: 'refuse', status: 503, code: 'SlowDown' }],
    ['a cut upload', isOn('PUT'), { kind: 'cut-upload', afterBytes: 1000 }],
    ['an upload whose answer is lost', isOn('PUT'), { kind: 'cut', when: 'after' }],
    ['an object that cannot be looked at', isOn('HEAD'), { kind: 'refuse', status: 500, code: 'InternalError' }],
    ['a redirect', isOn('PUT'), { kind: 'redirect', status: 301, to: 'http://127.0.0.1:1/' }],
  ] as const)('to the bucket stops at %s, loses nothing, and goes on', async (_, when, fault) => {
    await using library = await startFilled()
    await move(library, 'folder')
    const plan = library.s3.fail(fault, { when })
    expect(await move(library, 's3')).toStartWith('StorageFailure: The bucket podcasts at http')
    expect(wrongOnDisk(library.folder)).toEqual([])
    expect(mp3sBelow(library.folder)).toHaveLength(3)

    plan.off()
    expect(await move(library, 's3')).toBe('')
    expectConsistent(library)
    expect(library.s3.keys()).toEqual(titles.map(keyOf))
  })

  test.each([
    ['a refusal', { kind: 'refuse', status: 503, code: 'SlowDown' }],
    ['a file that is cut', { kind: 'cut-answer', afterBytes: 1000 }],
    ['a page of HTML', { kind: 'body', of: 'html' }],
  ] as [string, Fault][])('to the folder meets %s, loses nothing, and goes on', async (_, fault) => {
    await using library = await startFilled()
    const plan = library.s3.fail(fault, { when: isOn('GET') })
    expect(await move(library, 'folder')).not.toBe('')
    expect(mp3sBelow(library.folder)).toEqual([])
    expect(library.s3.keys()).toEqual(titles.map(keyOf))

    plan.off()
    expect(await move(library, 'folder')).toBe('')
    expectConsistent(library)
    expect(library.s3.keys()).toEqual([])
  })

  test('to the folder does not keep other bytes than the bucket holds', async () => {
    await using library = await startFilled()
    library.s3.fail({ kind: 'send-wrong' }, { times: 1, when: isOn('GET') })
    expect(await move(library, 'folder')).toBe('')

    expectConsistent(library)
  })

  test('keeps the file here while the bucket keeps other bytes', async () => {
    await using library = await startFilled()
    await move(library, 'folder')
    library.s3.fail(
      { kind: 'store-wrong', as: 'flipped' },
      { when: ({ method, key }) => method === 'PUT' && key === keyOf('Rain') },
    )
    const moved = await move(library, 's3')

    expect(moved).toStartWith('Weather/Rain/Rain.mp3: The bucket podcasts')
    expect(mp3sBelow(library.folder)).toEqual(['Weather/Rain/Rain.mp3'])
    expectConsistent(library)
  })

  test('to the bucket deletes here what it could not delete there', async () => {
    await using library = await startFilled()
    const plan = library.s3.fail({ kind: 'refuse', status: 503, code: 'SlowDown' }, { when: isOn('DELETE') })
    await move(library, 'folder')
    expect(mp3sBelow(library.folder)).toHaveLength(3)
    plan.off()
    await library.later()
    await library.app.context.downloads.storageReturned()

    expectConsistent(library)
    expect(library.s3.keys()).toEqual([])
  })

  test('leaves alone what somebody else put where a file would go', async () => {
    await using library = await startFilled()
    await move(library, 'folder')
    const foreign = noise(1000, 3)
    library.s3.put(keyOf('Rain'), foreign)
    const moved = await move(library, 's3')

    expect(moved).toBe('Weather/Rain/Rain.mp3: another file has its name in the bucket')
    expect(Buffer.compare(library.s3.objects().get(keyOf('Rain'))!.bytes(), foreign)).toBe(0)
    expect(mp3sBelow(library.folder)).toEqual(['Weather/Rain/Rain.mp3'])
  })

  test('is refused while the bucket is away', async () => {
    await using library = await startFilled()
    library.s3.goAway()

    expect(await move(library, 'folder')).toContain('cannot be reached')
    expect(library.app.context.store.mediaCopies.list()).toEqual([])
  })
})

test('doctor finds every file of a bucket, whatever is in its name', async () => {
  const strange = ['100% a+b', 'É & %C3%89', 'x &amp; y']
  await using library = await startBucketLibrary({ bytes, titles: strange })
  await library.fill()
  const { store, files } = library.app.context
  const findings = await examineMedia(store, files, library.now())

  expect(findings.map(({ text }) => text)).toContain('all 3 media files of the bucket are there')
  expect(findings.filter(({ level }) => level !== 'fine')).toEqual([])
})

describe('objects without a row', () => {
  test('are left alone, since somebody else may have put them there', async () => {
    await using library = await startFilled()
    library.s3.put('castellan/Weather/mine.mp3', bytes)
    library.s3.put('elsewhere/mine.mp3', bytes)
    writeFileSync(join(library.folder, 'podcasts/.partial/unknown.part'), 'x')
    await library.restart()
    await library.app.context.downloads.recover()

    expect(library.s3.keys()).toEqual([...titles.map(keyOf), 'castellan/Weather/mine.mp3', 'elsewhere/mine.mp3'])
    expect(readdirSync(join(library.folder, 'podcasts/.partial'))).toEqual([])
  })
})
