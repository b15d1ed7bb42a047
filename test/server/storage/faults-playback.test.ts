import { describe, expect, test } from 'bun:test'
import { isOn, keyOf, startBucketLibrary, type BucketLibrary } from '../../support/bucket-library'
import { noise } from '../../support/builders'
import type { Fault } from '../../support/s3-server'

const bytes = noise(3_000_000, 8)
const hasty = { urgentMs: 1000, slowestBytesPerSecond: 1e9 }

async function startFilled(options: Partial<Parameters<typeof startBucketLibrary>[0]> = {}) {
  const library = await startBucketLibrary({ bytes, ...options })
  await library.fill()
  library.host.requests.length = 0
  library.s3.forgetRequests()
  return library
}

async function expectHeard(library: BucketLibrary) {
  const response = await library.media({ Range: 'bytes=1000-1999' })
  expect([response.status, response.headers.get('content-range')]).toEqual([206, `bytes 1000-1999/${bytes.byteLength}`])
  expect(Buffer.compare(await response.bytes(), bytes.subarray(1000, 2000))).toBe(0)
}

const isRead = ({ method, key }: { method: string; key: string | null }) => key !== null && /GET|HEAD/.test(method)

const failures: [string, Fault][] = [
  ['503', { kind: 'refuse', status: 503, code: 'SlowDown' }],
  ['500', { kind: 'refuse', status: 500, code: 'InternalError' }],
  ['no right to read', { kind: 'refuse', status: 403, code: 'AccessDenied' }],
  ['a bucket that is gone', { kind: 'refuse', status: 404, code: 'NoSuchBucket' }],
  ['a connection that is cut', { kind: 'cut', when: 'before' }],
  ['no answer at all', { kind: 'hang' }],
  ['a redirect elsewhere', { kind: 'redirect', status: 301, to: 'http://127.0.0.1:1/' }],
  ['a page of HTML', { kind: 'body', of: 'html' }],
  ['an empty answer', { kind: 'body', of: 'empty' }],
  ['all of the file instead of a range', { kind: 'ignore-range' }],
]

describe('a player hears the episode from its host while the bucket answers with', () => {
  test.each(failures)('%s', async (_, fault) => {
    await using library = await startFilled()
    // Impatient with a bucket that hangs alone: one that answers may be slow on this machine.
    if (fault.kind === 'hang') await library.restart({}, { limits: hasty })
    const plan = library.s3.fail(fault, { when: isRead })
    await expectHeard(library)
    expect(library.mediaRequests()).toBe(1)

    plan.off()
    if (fault.kind === 'hang') await library.restart({}, {})
    await library.later()
    await expectHeard(library)
    expect(library.mediaRequests()).toBe(1)
  })

  test.each(failures.filter(([, { kind }]) => kind !== 'body'))(
    '%s, after it told the size of the file',
    async (_, fault) => {
      await using library = await startFilled({ limits: hasty })
      library.s3.fail(fault, { when: isOn('GET') })
      await expectHeard(library)

      expect(library.mediaRequests()).toBe(1)
    },
  )
})

test('one failure is repeated and not heard', async () => {
  await using library = await startFilled()
  library.s3.fail({ kind: 'refuse', status: 503, code: 'SlowDown' }, { times: 1, when: isRead })
  await expectHeard(library)

  expect(library.mediaRequests()).toBe(0)
})

describe('an object that is not the file of its row', () => {
  test.each([
    ['gone', (library: BucketLibrary) => library.s3.remove(keyOf('Fog'))],
    ['shorter', (library: BucketLibrary) => library.s3.put(keyOf('Fog'), bytes.subarray(0, 1_000_000))],
  ])('is %s: its host is heard, and the log says so', async (_, spoil) => {
    await using library = await startFilled()
    spoil(library)
    await expectHeard(library)

    expect(library.mediaRequests()).toBe(1)
    expect(library.app.lines.join('')).toContain('incomplete in the bucket')
  })

  test('was replaced since its size was asked: no listener gets parts of both', async () => {
    await using library = await startFilled()
    await expectHeard(library)
    const other = noise(bytes.byteLength, 9)
    library.s3.put(keyOf('Fog'), other)
    await expectHeard(library)
    expect(library.mediaRequests()).toBe(1)

    const response = await library.media({ Range: 'bytes=1000-1999' })
    expect(Buffer.compare(await response.bytes(), other.subarray(1000, 2000))).toBe(0)
  })
})

test('a file that is cut while it is sent is cut for the player, too, which goes on where it was', async () => {
  await using library = await startFilled()
  const origin = library.app.listen()
  library.s3.fail({ kind: 'cut-answer', afterBytes: 1_000_000 }, { times: 1, when: isOn('GET') })
  const address = `${origin}/media/${library.idOf()}`
  const response = await fetch(address)
  let heard = 0
  const ended = await (async () => {
    for await (const chunk of response.body!) heard += chunk.byteLength
  })().then(
    () => 'whole',
    () => 'cut',
  )
  expect(ended).toBe('cut')
  expect(heard).toBeLessThanOrEqual(1_000_000)

  const rest = await fetch(address, {
    headers: { Range: `bytes=${heard}-`, 'If-Range': response.headers.get('etag')! },
  })
  expect(rest.status).toBe(206)
  expect(Buffer.compare(await rest.bytes(), bytes.subarray(heard))).toBe(0)
})

test('a file that trickles in is sent on as it comes, for as long as it takes', async () => {
  await using library = await startFilled({ limits: hasty })
  library.s3.fail({ kind: 'trickle', bytes: 100_000, everyMs: 5 }, { when: isOn('GET') })
  const response = await library.media()

  expect(Buffer.compare(await response.bytes(), bytes)).toBe(0)
})

test('a listener who leaves ends what the bucket sends', async () => {
  await using library = await startFilled()
  const origin = library.app.listen()
  library.s3.fail({ kind: 'trickle', bytes: 10_000, everyMs: 5 }, { when: isOn('GET') })
  const leaving = new AbortController()
  const response = await fetch(`${origin}/media/${library.idOf()}`, { signal: leaving.signal })
  await response.body!.getReader().read()
  leaving.abort()

  const sending = library.s3.requests.find(isOn('GET'))!
  for (let before = -1; before !== sending.bytesSent; await Bun.sleep(50)) before = sending.bytesSent
  expect(sending.bytesSent).toBeLessThan(bytes.byteLength)
})

describe('while bucket and host are both away', () => {
  test('a player is told so, and hears the episode once one is back', async () => {
    await using library = await startFilled()
    library.s3.goAway()
    library.hostGoesAway()
    const response = await library.media({ Range: 'bytes=0-9' })
    expect(response.status).toBe(502)
    expect(await response.json()).toMatchObject({ errorCode: 'media-unreachable' })

    await library.s3.comeBack()
    await library.later()
    await expectHeard(library)
  })

  test('nothing is asked of the bucket for each request', async () => {
    await using library = await startFilled({ limits: hasty })
    const plan = library.s3.fail({ kind: 'refuse', status: 503, code: 'SlowDown' })
    await expectHeard(library)
    const asked = library.s3.requests.length
    for (let time = 0; time < 5; time++) await expectHeard(library)

    expect(library.s3.requests.length).toBe(asked)
    plan.off()
  })
})

describe('where players are sent to the bucket itself', () => {
  const env = { S3_REDIRECT: 'true' }

  test('a bucket that is known to be away is not where they are sent', async () => {
    await using library = await startFilled({ env })
    expect((await library.media()).status).toBe(302)
    library.s3.goAway()
    await library.app.context.files.bucket!.ask()
    await expectHeard(library)

    expect(library.mediaRequests()).toBe(1)
  })

  test('the address opens this file alone, for an hour, and needs no cookie', async () => {
    await using library = await startFilled({ env, titles: ['Fog', 'Rain'] })
    const address = (await library.media({}, 'Fog')).headers.get('location')!
    expect(Buffer.compare(await (await fetch(address)).bytes(), bytes)).toBe(0)

    expect((await fetch(address.replace('Fog.mp3', 'Rain.mp3'))).status).toBe(403)
    expect((await fetch(address, { method: 'DELETE' })).status).toBe(403)
    expect(new URL(address).searchParams.get('X-Amz-Expires')).toBe('3600')
    expect(address).not.toContain(library.s3.settings.secretKey)
  })
})
