import { describe, expect, test } from 'bun:test'
import { holdsExactly, isOn, keyOf, startBucketLibrary, type BucketLibrary } from '../../support/bucket-library'
import { noise } from '../../support/builders'
import { MINUTE, parts, settled, stateOf } from '../../support/downloads'
import type { Fault, SeenRequest } from '../../support/s3-server'

const small = noise(300_000, 5)
/** Three parts. */
const large = noise(12_000_000, 6)

const isBegin = ({ method, query }: SeenRequest) => method === 'POST' && query.has('uploads')
const isPart = ({ method, query }: SeenRequest) => method === 'PUT' && query.has('partNumber')
const isComplete = ({ method, query }: SeenRequest) => method === 'POST' && query.has('uploadId')
const isWhole = ({ method, query, key }: SeenRequest) => method === 'PUT' && key !== null && !query.has('partNumber')

/** The file is in the bucket once, its row says so, and nothing else is left anywhere. */
async function expectStored(library: BucketLibrary, bytes: Uint8Array) {
  const { app, idOf } = library
  const { expected, ...found } = holdsExactly(library, ['Fog'], bytes)
  expect(found).toEqual({ keys: expected, wrong: [], uploads: 0 })
  expect(parts(app)).toEqual([])
  const { podcastEpisode } = await app.episodes.find(idOf())
  expect(podcastEpisode).toMatchObject({ status: true, file_size: bytes.byteLength })
}

const calls: [string, (request: SeenRequest) => boolean, Uint8Array][] = [
  ['the file', isWhole, small],
  ['the beginning of an upload', isBegin, large],
  ['a part', isPart, large],
  ['the end of an upload', isComplete, large],
  ['the check of what was stored', isOn('HEAD'), small],
]

const refusals: [string, Fault][] = [
  ['503 with Retry-After', { kind: 'refuse', status: 503, code: 'SlowDown', headers: { 'Retry-After': '1' } }],
  ['500', { kind: 'refuse', status: 500, code: 'InternalError' }],
  ['a connection that is cut', { kind: 'cut', when: 'before' }],
  ['a connection that is cut after the work', { kind: 'cut', when: 'after' }],
]

describe('one failure of the bucket is not noticed', () => {
  const cases = calls.flatMap(([call, when, bytes]) =>
    refusals.map(([name, fault]) => [call, name, { fault, when, bytes }] as const),
  )

  test.each(cases)('%s meets %s', async (_call, _name, { fault, when, bytes }) => {
    await using library = await startBucketLibrary({ bytes })
    const plan = library.s3.fail(fault, { times: 1, when })
    await library.download()
    await library.app.event('downloadFinished')

    expect(plan.met()).toBe(1)
    // The service may have begun an upload whose id never arrived.
    await library.app.context.downloads.storageReturned()
    await expectStored(library, bytes)
    expect(library.mediaRequests()).toBe(1)
  })
})

const lasting: [string, Fault, string][] = [
  ['503', { kind: 'refuse', status: 503, code: 'SlowDown' }, 'answered 503 (SlowDown)'],
  ['no right to write', { kind: 'refuse', status: 403, code: 'AccessDenied' }, 'needs the right to list, read, write'],
  ['a wrong clock', { kind: 'refuse', status: 403, code: 'RequestTimeTooSkewed' }, 'Set the clock of this machine'],
  ['a bucket that is gone', { kind: 'refuse', status: 404, code: 'NoSuchBucket' }, 'check S3_BUCKET'],
  ['a connection that is always cut', { kind: 'cut', when: 'before' }, 'cannot be reached'],
  ['an upload that is always cut', { kind: 'cut-upload', afterBytes: 1000 }, 'cannot be reached'],
  [
    'a redirect elsewhere',
    { kind: 'redirect', status: 301, to: 'http://127.0.0.1:1/' },
    'Check S3_REGION and S3_ENDPOINT',
  ],
]

describe('a failure that lasts makes downloads wait and say why; afterwards nothing is fetched or stored twice', () => {
  const cases = lasting.flatMap(([name, fault, says], place) =>
    // A cut upload needs bytes to be cut in; one reason is enough for the other calls.
    calls
      .slice(0, place === 3 ? 4 : place % 2 === 0 ? 1 : 3)
      .filter(([call]) => fault.kind !== 'cut-upload' || call !== 'the beginning of an upload')
      .map(([call, when, bytes]) => [call, name, { fault, says, when, bytes }] as const),
  )

  test.each(cases)('%s meets %s', async (_call, _name, { fault, says, when, bytes }) => {
    await using library = await startBucketLibrary({ bytes })
    const { s3, app } = library
    const plan = s3.fail(fault, { when })
    await library.download()
    await settled(app, 'waiting')

    const state = (await stateOf(app))!
    expect(state).toMatchObject({ errorCode: 'media-storage-absent', attempts: 0 })
    expect(state.message).toContain('The bucket podcasts at http://127.0.0.1')
    expect(state.message).toContain(says)
    expect(s3.keys()).toEqual([])
    plan.off()
    await library.later()
    await app.event('downloadFinished')
    await expectStored(library, bytes)
    expect(library.mediaRequests()).toBe(1)
  })
})

test('a bucket that never answers is given up after the time that is allowed', async () => {
  await using library = await startBucketLibrary({
    bytes: small,
    limits: { answerMs: 2000, pauses: [], slowestBytesPerSecond: 1e9 },
  })
  const plan = library.s3.fail({ kind: 'hang' }, { when: isWhole })
  await library.download()
  await settled(library.app, 'waiting')
  expect(await stateOf(library.app)).toMatchObject({ errorCode: 'media-storage-absent' })
  plan.off()
  // From here on the bucket answers, however long it takes on this machine.
  await library.restart({}, {})
  const finished = library.app.event('downloadFinished')
  await library.later()
  await finished

  await expectStored(library, small)
})

describe('an answer that is not what was asked for', () => {
  test.each([
    ['HTML', { kind: 'body', of: 'html' }],
    ['nothing', { kind: 'body', of: 'empty' }],
    ['XML without an end', { kind: 'body', of: 'endless' }],
  ] as const)('%s at the end of an upload keeps the download waiting', async (_, fault) => {
    await using library = await startBucketLibrary({ bytes: large })
    const plan = library.s3.fail(fault, { when: isComplete })
    await library.download()
    await settled(library.app, 'waiting')
    expect(await stateOf(library.app)).toMatchObject({ errorCode: 'media-storage-absent' })
    plan.off()
    await library.later()
    await library.app.event('downloadFinished')

    await expectStored(library, large)
  })
})

describe('a bucket that does not keep what it is sent', () => {
  test.each([
    ['a part is lost', large, { kind: 'lose-part' }, isPart],
    ['the end of an upload fails behind a status of success', large, { kind: 'fail-complete' }, isComplete],
    ['other bytes are kept', small, { kind: 'store-wrong', as: 'flipped' }, isWhole],
    ['fewer bytes are kept', small, { kind: 'store-wrong', as: 'shorter' }, isWhole],
    ['other bytes of a part are kept', large, { kind: 'store-wrong', as: 'flipped' }, isPart],
  ] as const)('%s: the download waits, and no broken object stays', async (_, bytes, fault, when) => {
    await using library = await startBucketLibrary({ bytes })
    library.s3.fail(fault, { times: 1, when })
    await library.download()
    await settled(library.app, 'waiting')

    expect(await stateOf(library.app)).toMatchObject({ errorCode: 'media-storage-absent', attempts: 0 })
    expect([library.s3.keys(), library.s3.uploads()]).toEqual([[], []])
    await library.later()
    await library.app.event('downloadFinished')
    await expectStored(library, bytes)
  })

  test.each([
    ['whole', small, isWhole],
    ['in parts', large, isComplete],
  ])('a file sent %s whose ETag is computed otherwise is compared byte for byte', async (_, bytes, when) => {
    await using library = await startBucketLibrary({ bytes })
    library.s3.fail({ kind: 'wrong-etag' }, { when })
    await library.download()
    await library.app.event('downloadFinished')

    await expectStored(library, bytes)
    expect(library.s3.requests.filter(isOn('GET'))).toHaveLength(1)
  })

  test('a comparison that is cut off keeps the download waiting', async () => {
    await using library = await startBucketLibrary({ bytes: small })
    library.s3.fail({ kind: 'wrong-etag' }, { when: isWhole })
    library.s3.fail({ kind: 'cut-answer', afterBytes: 1000 }, { times: 1, when: isOn('GET') })
    await library.download()
    await settled(library.app, 'waiting')
    expect(await stateOf(library.app)).toMatchObject({ errorCode: 'media-storage-absent', attempts: 0 })
    await library.later()
    await library.app.event('downloadFinished')

    await expectStored(library, small)
  })

  test('an ETag that is computed otherwise does not hide wrong bytes', async () => {
    await using library = await startBucketLibrary({ bytes: small })
    library.s3.fail({ kind: 'wrong-etag' }, { times: 1, when: isWhole })
    library.s3.fail({ kind: 'send-wrong' }, { times: 1, when: isOn('GET') })
    await library.download()
    await settled(library.app, 'waiting')

    expect(library.s3.keys()).toEqual([])
  })
})

describe('an object whose upload was never acknowledged', () => {
  /** A download that waits though its object is there. */
  async function startUnacknowledged() {
    const library = await startBucketLibrary({ bytes: small })
    library.s3.fail({ kind: 'cut', when: 'after' }, { when: isWhole })
    await library.download()
    await settled(library.app, 'waiting')
    expect(library.s3.keys()).toEqual([keyOf('Fog')])
    library.s3.clearFaults()
    return library
  }

  test('is deleted when its download is cancelled', async () => {
    await using library = await startUnacknowledged()
    await library.app.downloads.cancel((await stateOf(library.app))!.id)
    await library.later()
    await library.app.context.downloads.settled()

    expect(library.s3.keys()).toEqual([])
  })

  test('is deleted though it comes only after its deletion', async () => {
    await using library = await startUnacknowledged()
    const { app, s3, elapsed } = library
    const { forgotten, store } = app.context
    await app.downloads.cancel((await stateOf(app))!.id)
    await library.later()
    await app.context.downloads.settled()
    s3.put(keyOf('Fog'), small)
    await forgotten.recover('s3', true)
    expect([s3.keys(), store.forgottenFiles.list().length]).toEqual([[], 1])
    s3.put(keyOf('Fog'), small)
    elapsed.advance(MINUTE)
    await forgotten.recover('s3', true)

    expect([s3.keys(), store.forgottenFiles.list()]).toEqual([[], []])
  })

  test('is left when its episode is downloaded again meanwhile', async () => {
    await using library = await startUnacknowledged()
    const { app, elapsed } = library
    await app.downloads.cancel((await stateOf(app))!.id)
    await library.later()
    await app.context.downloads.settled()
    await library.download()
    await app.event('downloadFinished')
    elapsed.advance(MINUTE)
    await app.context.forgotten.recover('s3', true)

    await expectStored(library, small)
    expect(app.context.store.forgottenFiles.list()).toEqual([])
  })

  test('is deleted when the file gets another name meanwhile', async () => {
    await using library = await startUnacknowledged()
    library.s3.put(keyOf('Fog'), small.subarray(0, 1000))
    library.app.context.store.settings.edit({ directPaths: true, episodeFormat: 'New {title}' })
    const plan = library.s3.fail({ kind: 'refuse', status: 403, code: 'AccessDenied' }, { when: isOn('DELETE') })
    await library.later()
    await library.app.event('downloadFinished')
    expect(library.s3.keys()).toHaveLength(2)
    plan.off()
    await library.app.context.forgotten.recover('s3', true)

    expect(library.s3.keys()).toEqual(['castellan/Weather/New Fog.mp3'])
  })
})

test('a bucket without room keeps downloads waiting until there is some', async () => {
  await using library = await startBucketLibrary({ bytes: small })
  const plan = library.s3.fail({ kind: 'refuse', status: 507, code: 'InsufficientStorage' }, { when: isWhole })
  await library.download()
  await settled(library.app, 'waiting')
  const state = (await stateOf(library.app))!
  expect(state).toMatchObject({ errorCode: 'disk-full', attempts: 0 })
  expect(state.message).toContain('has no room left')
  plan.off()
  await library.later()
  await library.app.event('downloadFinished')

  await expectStored(library, small)
})

describe('a bucket that is away', () => {
  test('keeps downloads in the queue, which goes on by itself once it is back at the same address', async () => {
    await using library = await startBucketLibrary({ bytes: small })
    const { s3, app, elapsed, now } = library
    s3.goAway()
    await library.download()
    await settled(app, 'waiting')
    expect((await stateOf(app))!.message).toContain('cannot be reached')
    await s3.comeBack()
    now.advance(1000)
    elapsed.advance(6000)
    await app.context.files.bucket!.ask()
    await app.event('downloadFinished')

    await expectStored(library, small)
    expect(library.mediaRequests()).toBe(1)
    expect(app.lines.filter(line => line.includes('Media storage cannot be reached'))).toHaveLength(1)
    expect(app.lines.filter(line => line.includes('Media storage can be reached again'))).toHaveLength(1)
  })

  test('at the start keeps everything as it is, and is used as soon as it answers', async () => {
    await using library = await startBucketLibrary({ bytes: small })
    library.s3.goAway()
    await library.restart()
    await library.download()
    expect(await stateOf(library.app)).toMatchObject({ state: 'queued' })
    expect(library.mediaRequests()).toBe(0)
    await library.s3.comeBack()
    await library.later()
    await library.app.event('downloadFinished')

    await expectStored(library, small)
  })
})

describe('a process that ends', () => {
  test.each([
    ['while a part is sent', isPart, { kind: 'hang' }],
    ['while an upload is completed', isComplete, { kind: 'hang' }],
  ] as const)('%s leaves no upload behind once the next one has started', async (_, when, fault) => {
    await using library = await startBucketLibrary({ bytes: large })
    const { promise, resolve } = Promise.withResolvers<void>()
    const plan = library.s3.fail(fault, {
      when: request => {
        if (!when(request)) return false
        resolve()
        return true
      },
    })
    await library.download()
    await promise
    library.s3.leaveUpload(keyOf('Fog'))
    const stopping = library.app.context.downloads.stop()
    plan.off()
    library.s3.goAway()
    await stopping
    await library.s3.comeBack()
    await library.restart()
    library.app.context.downloads.pump()
    await library.app.event('downloadFinished')
    await library.app.context.downloads.storageReturned()

    await expectStored(library, large)
    expect(library.mediaRequests()).toBe(1)
  })

  test.each(['a&amp;b', "l'été <1>", 'x&#38;y', 'ü + ü'])('an upload for %s is found by its name', async name => {
    await using library = await startBucketLibrary({ bytes: small })
    library.s3.leaveUpload(keyOf(name))
    await library.app.context.downloads.storageReturned()

    expect(library.s3.uploads()).toEqual([])
  })

  test("leaves other people's uploads in the same bucket alone", async () => {
    await using library = await startBucketLibrary({ bytes: small })
    library.s3.leaveUpload('castellan-too/a.mp3')
    library.s3.leaveUpload('backup.tar')
    await library.app.context.downloads.storageReturned()

    expect(library.s3.uploads()).toHaveLength(2)
  })
})
