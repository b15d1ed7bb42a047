import { expect, test } from 'bun:test'
import { refusal } from '../../support/app'
import { isOn, startBucketLibrary } from '../../support/bucket-library'
import { startClipLibrary } from '../../support/clip-library'
import { toneAdts, toneM4a, toneMp3 } from '../../support/tones'
import { silentMp3 } from '../../support/builders'
import { clipsApi } from '../../../src/ui/api/administration'

type Library = Awaited<ReturnType<typeof startClipLibrary>>

const bytesOf = async (blob: Promise<Blob>) => Buffer.from(new Uint8Array(await (await blob).arrayBuffer()))
const clipOf = ({ anna, episode }: Library, start: number, end: number) => bytesOf(anna.clips.cut(episode, start, end))

/** Frames of MP3 behind the tag, as lengths; the first one holds the numbers of the rest. */
function framesOf(bytes: Buffer): number[] {
  const lengths: number[] = []
  const tag = 10 + ((bytes[6]! << 21) | (bytes[7]! << 14) | (bytes[8]! << 7) | bytes[9]!)
  for (let at = tag; at < bytes.length; at += lengths.at(-1)!) {
    const rate = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128][bytes[at + 2]! >> 4]!
    expect([bytes[at], bytes[at + 1]! & 0xfe]).toEqual([0xff, 0xfa])
    lengths.push(Math.floor((144_000 * rate) / 44_100) + ((bytes[at + 2]! >> 1) & 1))
  }
  return lengths
}

test('a clip of an MP3 has whole frames of the passage, byte for byte, behind its title', async () => {
  const file = toneMp3(12)
  await using library = await startClipLibrary({ file })
  const clip = await clipOf(library, 4.5, 8)
  expect(clip.subarray(0, 3).toString()).toBe('ID3')
  expect(clip.indexOf(Buffer.from('Fog', 'utf16le'))).toBeGreaterThan(0)
  expect(clip.indexOf(Buffer.from('Lighthouse', 'utf16le'))).toBeGreaterThan(0)
  // 4.5 s lie in frame 172, 8 s in frame 306; before them stands the frame with their number.
  const lengths = framesOf(clip)
  expect(lengths).toHaveLength(1 + 306 - 172 + 1)
  expect(clip.subarray(-135 * 208).equals(file.subarray(172 * 208, 307 * 208))).toBe(true)
  const info = clip.indexOf('Info')
  expect([clip.readUInt32BE(info + 8), clip.readUInt32BE(info + 12)]).toEqual([135, 135 * 208 + lengths[0]!])
})

test('frames before the passage that hold its bits come along, silenced', async () => {
  const file = toneMp3(12, { back: 400, hasCheck: true })
  await using library = await startClipLibrary({ file })
  const clip = await clipOf(library, 4.5, 8)
  expect(framesOf(clip)).toHaveLength(1 + 3 + 135)
  const before = clip.subarray(-138 * 208).subarray(0, 208)
  const original = file.subarray(169 * 208, 170 * 208)
  expect([before[1], original[1]]).toEqual([0xfb, 0xfa])
  expect(before.subarray(4, 6 + 17)).toEqual(Buffer.alloc(19))
  expect(before.subarray(6 + 17).equals(original.subarray(6 + 17))).toBe(true)
})

test('frames of several bit rates are counted one by one, also behind damage and without the encoder’s own numbers', async () => {
  const sound = toneMp3(12, { rates: [3, 5, 9] })
  const damaged = Buffer.concat([
    Buffer.alloc(3000, 0xff),
    sound.subarray(0, 3 * 4000),
    Buffer.alloc(999),
    sound.subarray(3 * 4000),
  ])
  await using plain = await startClipLibrary({ file: sound })
  await using broken = await startClipLibrary({ file: damaged })
  const cutOf = async ({ anna, episode }: typeof plain) => (await anna.clips.cut(episode, 6, 9)).size
  // A few frames are lost where it is damaged.
  expect((await cutOf(broken)) / (await cutOf(plain))).toBeCloseTo(1, 1)
  const clip = await clipOf(plain, 6, 9)
  expect(clip.indexOf('Xing')).toBeGreaterThan(0)
  // The clip of a clip begins behind the frame with the numbers, which sounds as nothing.
  await using again = await startClipLibrary({ file: clip })
  const frames = framesOf(await clipOf(again, 0, 60))
  expect(frames).toHaveLength(framesOf(clip).length)
})

test.each([
  ['aac', 'audio/aac', toneAdts(12)],
  ['m4a', 'audio/mp4', toneM4a(12)],
  ['m4a', 'audio/mp4', toneM4a(12, { inChunk: 7, soundLast: true, wide: true })],
])('a clip of %s is bare AAC with one frame before the passage', async (extension, type, file) => {
  await using library = await startClipLibrary({ file, type, extension })
  const answer = await library.app.fetch(`/api/v1/podcasts/episodes/${library.episode}/clip?start=4.5&end=8`, {
    headers: { Authorization: library.anna.authorization! },
  })
  const clip = await bytesOf(answer.blob())
  expect(answer.headers.get('content-type')).toBe('audio/aac')
  expect(answer.headers.get('content-length')).toBe(String(clip.length))
  const whole = toneAdts(12)
  const starts = [0]
  while (starts.at(-1)! < whole.length) {
    const at = starts.at(-1)!
    starts.push(at + (((whole[at + 3]! & 3) << 11) | (whole[at + 4]! << 3) | (whole[at + 5]! >> 5)))
  }
  // 4.5 s lie in frame 193, 8 s in frame 344.
  const wanted = whole.subarray(starts[192], starts[345])
  expect(clip.subarray(-wanted.length).equals(wanted)).toBe(true)
})

test('what cannot be cut is refused with the reason', async () => {
  await using library = await startClipLibrary()
  const { anna, episode } = library
  const cutting = (start: number, end: number) => refusal(anna.clips.cut(episode, start, end))
  expect(await cutting(1, 302)).toMatchObject({ status: 422, code: 'invalid-field', args: { field: 'end' } })
  expect(await cutting(5, 5.2)).toMatchObject({ status: 422, args: { field: 'end' } })
  expect(await cutting(9, 3)).toMatchObject({ status: 422, args: { field: 'end' } })
  expect(await cutting(60, 70)).toMatchObject({ status: 422, args: { field: 'start' } })
  expect(await refusal(anna.clips.cut('nothing', 1, 2))).toMatchObject({ status: 404, code: 'episode-not-found' })

  await using remote = await startClipLibrary({ isDownloaded: false })
  expect(await refusal(remote.anna.clips.cut(remote.episode, 1, 2))).toMatchObject({ code: 'clip-needs-file' })
  await using empty = await startClipLibrary({ file: Buffer.concat([silentMp3(0.1), Buffer.alloc(9000)]) })
  expect(await refusal(empty.anna.clips.cut(empty.episode, 5, 9))).toMatchObject({ status: 422 })
})

test('D2: tables of a file that lead around in circles are gone through once', async () => {
  const places = 200_000
  const entries = Array.from({ length: 20_000 }, (_, index) => [index % 2 === 0 ? 1 : places, 0, 1])
  const words = [0, entries.length, ...entries.flat()]
  const chunking = Buffer.alloc(words.length * 4)
  words.forEach((word, index) => chunking.writeUInt32BE(word, index * 4))
  await using library = await startClipLibrary({
    file: toneM4a(12, { chunking, places }),
    type: 'audio/mp4',
    extension: 'm4a',
  })
  expect(await refusal(library.anna.clips.cut(library.episode, 4.5, 8))).toMatchObject({ status: 422 })
})

test('a clip is cut out of a file in a bucket, which is read in parts', async () => {
  const bytes = toneMp3(40)
  await using library = await startBucketLibrary({ bytes })
  const { app, s3 } = library
  await app.episodes.download(library.idOf())
  await app.context.downloads.settled()
  const { id } = (await app.podcasts.episodes(library.podcast.id, {}, null)).data[0]!.podcastEpisode
  s3.requests.length = 0
  const clip = await bytesOf(clipsApi(app.client).cut(id, 20, 22))
  // 20 s lie in frame 765, 22 s in frame 842.
  expect(framesOf(clip)).toHaveLength(1 + 842 - 765 + 1)
  const reads = s3.requests.filter(isOn('GET'))
  expect(reads.length).toBeGreaterThan(0)
  expect(reads.filter(({ headers }) => !headers.has('range'))).toEqual([])
})
