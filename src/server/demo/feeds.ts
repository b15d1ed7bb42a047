import { escapeText } from 'entities/escape'
import { DAY } from '../platform/clock'
import { notes, type Show, shows, transcript } from './shows'
import { crc32, deflateSync } from 'node:zlib'

const MAX_EPISODES = 24
const SECONDS = 120
const RATE = 8000

/** A slow arpeggio that fades in and out with each note, as a WAV file of 8 bits and one channel. */
function playChords(): Uint8Array {
  const samples = SECONDS * RATE
  const file = Buffer.alloc(44 + samples)
  file.write('RIFF', 0, 'latin1')
  file.writeUInt32LE(36 + samples, 4)
  file.write('WAVEfmt ', 8, 'latin1')
  file.writeUInt32LE(16, 16)
  file.writeUInt16LE(1, 20)
  file.writeUInt16LE(1, 22)
  file.writeUInt32LE(RATE, 24)
  file.writeUInt32LE(RATE, 28)
  file.writeUInt16LE(1, 32)
  file.writeUInt16LE(8, 34)
  file.write('data', 36, 'latin1')
  file.writeUInt32LE(samples, 40)
  const hertz = [220, 277.18, 329.63, 440, 196, 246.94, 293.66, 392]
  for (let at = 0; at < samples; at++) {
    const second = at / RATE
    const loudness = 40 * Math.sin(Math.PI * (second % 1))
    file[44 + at] = 128 + loudness * Math.sin(2 * Math.PI * hertz[Math.floor(second) % hertz.length]! * second)
  }
  return file
}

function writeFeed(origin: string, show: Show, index: number, now: number): string {
  const items = Array.from({ length: Math.min(show.count, MAX_EPISODES) }, (_, number) => {
    const title = show.titles[number % show.titles.length]!
    const part = Math.floor(number / show.titles.length)
    const published = new Date(now - (number * show.everyDays + index * 0.37 + 0.1) * DAY).toUTCString()
    return `<item><title>${escapeText(part === 0 ? title : `${title} (${part + 1})`)}</title>
<guid isPermaLink="false">${index}-${number}</guid><pubDate>${published}</pubDate>
<enclosure url="${origin}/media/${index}-${number}.wav" type="audio/wav" length="${44 + SECONDS * RATE}"/>
<description><![CDATA[${notes(show.about, title)}]]></description><itunes:duration>${SECONDS}</itunes:duration>
${index === 0 ? `<podcast:transcript url="${origin}/transcript.vtt" type="text/vtt" language="en"/>` : ''}</item>`
  })
  return `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"
     xmlns:podcast="https://podcastindex.org/namespace/1.0"><channel>
<title>${escapeText(show.name)}</title><link>https://example.com/</link><language>en</language>
<description>${escapeText(show.about)}</description><itunes:author>${escapeText(show.author)}</itunes:author>
<itunes:image href="${origin}/covers/${index}.png"/>
${items.join('\n')}
</channel></rss>`
}

/** Serves the feeds of the invented podcasts on this machine, with their covers and sound. */
export function hostFeeds(now: number) {
  const sound = playChords()
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: ({ url }) => {
      const { pathname, origin } = new URL(url)
      const [, kind, number] = /^\/(feeds|covers|media)\/(\d+)/.exec(pathname) ?? []
      const show = shows[Number(number)]
      if (pathname === '/transcript.vtt') return new Response(transcript, { headers: { 'Content-Type': 'text/vtt' } })
      if (!show) return new Response('', { status: 404 })
      if (kind === 'media') return new Response(sound as BodyInit, { headers: { 'Content-Type': 'audio/wav' } })
      if (kind === 'covers') return new Response(paintCover(Number(number), show.ground, show.ink) as BodyInit)
      const feed = writeFeed(origin, show, Number(number), now)
      return new Response(feed, { headers: { 'Content-Type': 'application/rss+xml' } })
    },
  })
  return {
    feeds: shows.map((_, index) => new URL(`/feeds/${index}.xml`, server.url).href),
    stop: () => server.stop(true),
  }
}

const SIZE = 640

type Colour = readonly [number, number, number]
type Shape = (x: number, y: number) => boolean

const shapes: readonly Shape[] = [
  (x, y) => Math.hypot(x - 0.5, y - 0.55) < 0.28,
  (x, y) => Math.abs(x - 0.5) + Math.abs(y - 0.5) < 0.34,
  (x, y) => y > 0.62 + 0.08 * Math.sin(x * 9) || Math.hypot(x - 0.7, y - 0.3) < 0.12,
  (x, y) => Math.floor(x * 6) % 2 === 0 && y > 0.2 + 0.5 * Math.abs(x - 0.5),
  (x, y) => Math.abs(Math.hypot(x - 0.5, y - 0.5) % 0.16) < 0.06,
  (x, y) => x + y > 1.05 && x + y < 1.45,
  (x, y) => Math.hypot(x - 0.32, y - 0.5) < 0.2 || Math.hypot(x - 0.68, y - 0.5) < 0.2,
  (x, y) => y > 0.5 - 0.3 * Math.sin(x * Math.PI) && y < 0.75,
]

/** A plain, bright picture: a ground that darkens downwards, and one shape on it. PNG. */
export function paintCover(index: number, ground: Colour, ink: Colour): Uint8Array {
  const shape = shapes[index % shapes.length]!
  const rows = Buffer.alloc(SIZE * (1 + SIZE * 3))
  for (let row = 0; row < SIZE; row++) {
    for (let column = 0; column < SIZE; column++) {
      const isInk = shape(column / SIZE, row / SIZE)
      const shade = isInk ? 1 : 1.05 - (0.3 * row) / SIZE
      const colour = isInk ? ink : ground
      const at = row * (1 + SIZE * 3) + 1 + column * 3
      for (let channel = 0; channel < 3; channel++) rows[at + channel] = Math.min(255, colour[channel]! * shade)
    }
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(SIZE, 0)
  header.writeUInt32BE(SIZE, 4)
  header.set([8, 2, 0, 0, 0], 8)
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const framed = Buffer.alloc(body.length + 8)
  framed.writeUInt32BE(data.length, 0)
  framed.set(body, 4)
  framed.writeUInt32BE(crc32(body), body.length + 4)
  return framed
}
