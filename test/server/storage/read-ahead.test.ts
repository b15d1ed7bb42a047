import { describe, expect, test } from 'bun:test'
import { isOn, keyOf, startBucketLibrary, type BucketLibrary } from '../../support/bucket-library'
import { noise } from '../../support/builders'

const RANGE = 65_536
const bytes = noise(3_000_000, 8)

async function startFilled() {
  const library = await startBucketLibrary({ bytes })
  await library.fill()
  library.host.requests.length = 0
  library.s3.forgetRequests()
  return library
}

async function expectRange(library: BucketLibrary, from: number, length = RANGE) {
  const to = Math.min(bytes.byteLength, from + length)
  const response = await library.media({ Range: `bytes=${from}-${from + length - 1}` })
  expect([response.status, response.headers.get('content-range'), response.headers.get('content-length')]).toEqual([
    206,
    `bytes ${from}-${to - 1}/${bytes.byteLength}`,
    String(to - from),
  ])
  expect(Buffer.compare(await response.bytes(), bytes.subarray(from, to))).toBe(0)
}

const read = ({ s3 }: BucketLibrary) => s3.requests.filter(isOn('GET')).map(({ headers }) => headers.get('range'))

describe('a file in a bucket', () => {
  test('is read in large pieces for a player that asks for one small range after the other', async () => {
    await using library = await startFilled()
    for (let from = 0; from < bytes.byteLength; from += RANGE) await expectRange(library, from)
    // 46 ranges: one as it was asked for, then pieces of 256 KiB, and of a megabyte.
    expect(read(library)).toEqual([
      'bytes=0-65535',
      'bytes=65536-327679',
      'bytes=327680-1376255',
      'bytes=1376256-2424831',
      'bytes=2424832-2999999',
    ])
    expect(library.mediaRequests()).toBe(0)
  })

  test('is read for two players at once, each at its own place', async () => {
    await using library = await startFilled()
    for (let step = 0; step < 20; step++)
      await Promise.all([expectRange(library, step * RANGE), expectRange(library, 1_500_000 + step * RANGE)])
    expect(read(library).length).toBeLessThan(10)
  })

  test('is read as it is asked for by a player that jumps, or wants much at once', async () => {
    await using library = await startFilled()
    const places = [2_000_000, 0, 1_000_000, 500_000]
    for (const from of places) await expectRange(library, from)
    await expectRange(library, 0, 2_000_000)
    await expectRange(library, 2_000_000, 1_000_000)
    expect(read(library)).toEqual([
      ...places.map(from => `bytes=${from}-${from + RANGE - 1}`),
      'bytes=0-1999999',
      'bytes=2000000-2999999',
    ])
  })

  test('is not sent from memory once it was deleted', async () => {
    await using library = await startFilled()
    for (let step = 0; step < 3; step++) await expectRange(library, step * RANGE)
    await library.app.episodes.removeDownload(library.idOf())
    expect(library.s3.keys()).toEqual([])
    await expectRange(library, 3 * RANGE)
    expect(library.mediaRequests()).toBe(1)
  })

  test('is not sent from memory once another program changed it', async () => {
    await using library = await startFilled()
    for (let step = 0; step < 3; step++) await expectRange(library, step * RANGE)
    const known = library.s3.requests.length
    library.elapsed.advance(61_000)
    await expectRange(library, 3 * RANGE)
    // Asked again which version it is, and that is still the one in memory.
    expect(library.s3.requests.slice(known).map(({ method, key }) => [method, key])).toEqual([['HEAD', keyOf('Fog')]])

    library.s3.remove(keyOf('Fog'))
    library.elapsed.advance(61_000)
    await expectRange(library, 4 * RANGE)
    expect(library.mediaRequests()).toBe(1)
  })

  test('is asked for again after a piece of it broke off', async () => {
    await using library = await startFilled()
    await expectRange(library, 0)
    const plan = library.s3.fail({ kind: 'cut-answer', afterBytes: 1000 }, { when: isOn('GET') })
    await expectRange(library, RANGE)
    expect(library.mediaRequests()).toBe(1)
    plan.off()
    await library.later()
    await expectRange(library, 2 * RANGE)
    await expectRange(library, 3 * RANGE)
    expect(library.mediaRequests()).toBe(1)
  })
})
