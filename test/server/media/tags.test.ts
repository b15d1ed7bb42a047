import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { mediaLimits } from '../../../src/server/media/limits'
import { readPicture, readTags } from '../../../src/server/media/read'
import { temporaryFolder } from '../../support/app'
import { silentMp3 } from '../../support/builders'
import { hostileMedia } from '../../support/hostile-media'

const folder = temporaryFolder()

async function written(bytes: Uint8Array, type = 'audio/mpeg') {
  const path = join(folder, String(Bun.hash(bytes)))
  await Bun.write(path, bytes)
  return { path, type, limits: mediaLimits }
}

const synchsafe = (value: number) => Buffer.from([21, 14, 7, 0].map(shift => (value >>> shift) & 127))
const latin = (text: string) => Buffer.concat([Buffer.from([0]), Buffer.from(text, 'latin1')])
const wide = (text: string) => Buffer.concat([Buffer.from([1, 0xff, 0xfe]), Buffer.from(text, 'utf16le')])

function mp3(frames: readonly [string, Buffer][], version = 4) {
  const parts = frames.map(([id, body]) => {
    const length = Buffer.alloc(4)
    length.writeUInt32BE(body.length)
    return Buffer.concat([Buffer.from(id), version === 4 ? synchsafe(body.length) : length, Buffer.alloc(2), body])
  })
  const tag = Buffer.concat(parts)
  return Buffer.concat([Buffer.from('ID3'), Buffer.from([version, 0, 0]), synchsafe(tag.length), tag, silentMp3(1)])
}

test('the tag of an MP3 says title, album, artist, day, number and comment', async () => {
  const comment = Buffer.concat([
    Buffer.from([1]),
    Buffer.from('eng'),
    Buffer.from('d\0\0\0', 'latin1'),
    wide('Of the sea').subarray(1),
  ])
  const frames: [string, Buffer][] = [
    ['TIT2', wide('Übersicht')],
    ['TALB', latin('Night Watch')],
    ['TPE1', latin('Mara')],
    ['TRCK', latin('12/40')],
    ['COMM', comment],
  ]
  const common = { title: 'Übersicht', album: 'Night Watch', artist: 'Mara', number: 12, comment: 'Of the sea' }
  expect(await readTags(await written(mp3([...frames, ['TDRC', latin('2021-03-04T10:00')]])))).toEqual({
    ...common,
    date: '2021-03-04T10:00',
  })
  const older: [string, Buffer][] = [
    ['TYER', latin('2021')],
    ['TDAT', latin('0403')],
  ]
  expect(await readTags(await written(mp3([...frames, ...older], 3)))).toEqual({ ...common, date: '2021-03-04' })
})

test('a file without tags, and one that is no sound, say nothing', async () => {
  const nothing = { title: null, album: null, artist: null, date: null, number: null, comment: null }
  expect(await readTags(await written(silentMp3(1)))).toEqual(nothing)
  for (const type of ['audio/mpeg', 'audio/mp4', 'audio/flac', 'audio/ogg'])
    expect(await readTags(await written(Buffer.from('no sound'), type))).toEqual(nothing)
  expect(await readPicture(await written(silentMp3(1)))).toBeNull()
  expect(await readPicture(await written(mp3([['APIC', Buffer.from([0])]])))).toBeNull()
})

test('the picture of a tag begins behind its description, however that is written', async () => {
  const picture = Buffer.from([137, 80, 78, 71, 0, 1])
  const head = (encoding: number) =>
    Buffer.concat([Buffer.from([encoding]), Buffer.from('image/png\0'), Buffer.from([3])])
  const plain = Buffer.concat([head(0), Buffer.from('front\0'), picture])
  const inWide = Buffer.concat([head(1), wide('vorn').subarray(1), Buffer.alloc(2), picture])
  for (const body of [plain, inWide])
    expect(Buffer.from((await readPicture(await written(mp3([['APIC', body]]))))!)).toEqual(picture)
})

test.each(Object.entries(hostileMedia))('%s is read to its bounds and no further', async (_, { type, make }) => {
  const file = await written(make(0.2), type)
  // Each says so many things that reading them all would take gigabytes.
  const { album, artist, date } = await readTags(file)
  expect([album, artist, date]).toEqual([null, null, null])
  expect(await readPicture(file)).toBeNull()
})

test('a tag of more frames than any needs says nothing', async () => {
  const { type, make } = hostileMedia['an MP3 of 1.5 million titles']!
  expect((await readTags(await written(make(0.1), type))).title).toBeNull()
})
