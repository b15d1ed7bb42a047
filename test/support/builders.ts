import { escapeText } from 'entities'
import { startRandom } from './random'

export type ItemSpec = {
  guid?: string | null
  title?: string
  enclosure?: string | null
  type?: string
  length?: number
  date?: string | null
  notes?: string
  image?: string
  duration?: string
  extra?: string
}

export type FeedSpec = { title?: string; image?: string; link?: string; extra?: string; items?: ItemSpec[] }

/** An RSS feed as hosts write it; only what a test is about needs to be given. */
export function rss({
  title = 'Lighthouse Radio',
  image,
  link = 'https://lighthouse.example/',
  extra = '',
  items = [],
}: FeedSpec): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd" xmlns:content="http://purl.org/rss/1.0/modules/content/"
     xmlns:podcast="https://podcastindex.org/namespace/1.0" xmlns:atom="http://www.w3.org/2005/Atom">
<channel>
<title>${escapeText(title)}</title><link>${link}</link><description>Stories from the coast</description><language>en</language>
<itunes:author>Mara Field</itunes:author>
${image ? `<itunes:image href="${image}"/>` : ''}${extra}
${items.map(item).join('\n')}
</channel>
</rss>`
}

function item(spec: ItemSpec, index: number): string {
  const {
    guid = `guid-${index}`,
    title = `Episode ${index}`,
    enclosure = `https://cdn.example/${index}.mp3`,
    type = 'audio/mpeg',
  } = spec
  const date = spec.date === undefined ? new Date(Date.UTC(2026, 0, 100 - index)).toUTCString() : spec.date
  return `<item><title>${escapeText(title)}</title>
${guid === null ? '' : `<guid isPermaLink="false">${escapeText(guid)}</guid>`}
${enclosure === null ? '' : `<enclosure url="${escapeText(enclosure)}" type="${type}" length="${spec.length ?? 0}"/>`}
${date === null ? '' : `<pubDate>${date}</pubDate>`}
${spec.notes === undefined ? '' : `<description><![CDATA[${spec.notes}]]></description>`}
${spec.image ? `<itunes:image href="${spec.image}"/>` : ''}
${spec.duration ? `<itunes:duration>${spec.duration}</itunes:duration>` : ''}${spec.extra ?? ''}</item>`
}

/** `seconds` of a silent MP3: 128 kbit/s, 44.1 kHz, 417 bytes a frame of 1152 samples; browsers play it. */
export function silentMp3(seconds: number): Uint8Array {
  const frames = Math.ceil((seconds * 44100) / 1152)
  const frame = new Uint8Array(417)
  frame.set([0xff, 0xfb, 0x90, 0xc4])
  const bytes = new Uint8Array(frames * 417)
  for (let index = 0; index < frames; index++) bytes.set(frame, index * 417)
  return bytes
}

/**
 * A WAV file of tones and silences, by their seconds: `[[2, 'tone'], [5, 'silence']]`; 8 kHz, 16 bit, one channel.
 * `peak`: of 32,767.
 */
export function wav(
  parts: readonly (readonly [seconds: number, sound: 'tone' | 'silence'])[],
  rate = 8000,
  peak = 3000,
): Uint8Array {
  const samples = parts.flatMap(([seconds, sound]) =>
    Array.from({ length: seconds * rate }, (_, index) =>
      sound === 'tone' ? Math.round(peak * Math.sin((2 * Math.PI * 440 * index) / rate)) : 0,
    ),
  )
  const file = Buffer.alloc(44 + 2 * samples.length)
  file.write('RIFF', 0, 'latin1')
  file.writeUInt32LE(36 + 2 * samples.length, 4)
  file.write('WAVEfmt ', 8, 'latin1')
  file.writeUInt32LE(16, 16)
  file.writeUInt16LE(1, 20)
  file.writeUInt16LE(1, 22)
  file.writeUInt32LE(rate, 24)
  file.writeUInt32LE(2 * rate, 28)
  file.writeUInt16LE(2, 32)
  file.writeUInt16LE(16, 34)
  file.write('data', 36, 'latin1')
  file.writeUInt32LE(2 * samples.length, 40)
  samples.forEach((sample, index) => file.writeInt16LE(sample, 44 + 2 * index))
  return file
}

/** The same file with chapters in its ID3 tag; times in milliseconds. */
export function withChapters(mp3: Uint8Array, chapters: readonly { start: number; end: number; title: string }[]) {
  const u32 = (value: number) => [value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255]
  const latin = (text: string) => [...Buffer.from(text, 'latin1')]
  const frame = (id: string, body: number[]) => [...latin(id), ...u32(body.length), 0, 0, ...body]
  const frames = chapters.flatMap(({ start, end, title }, index) =>
    frame('CHAP', [
      ...latin(`ch${index}`),
      0,
      ...u32(start),
      ...u32(end),
      255,
      255,
      255,
      255,
      255,
      255,
      255,
      255,
      ...frame('TIT2', [0, ...latin(title)]),
    ]),
  )
  const size = [21, 14, 7, 0].map(shift => (frames.length >>> shift) & 127)
  return Buffer.concat([Uint8Array.from([...latin('ID3'), 3, 0, 0, ...size, ...frames]), mp3])
}

/** `size` bytes that begin as an MP3 does and then never repeat: for downloads whose every byte counts. */
export function noise(size: number, seed = 1): Uint8Array {
  const bytes = new Uint8Array(size)
  const { below } = startRandom(seed)
  const words = new Uint32Array(bytes.buffer, 0, Math.floor(size / 4))
  for (let index = 0; index < words.length; index++) words[index] = below(2 ** 32)
  bytes.set(silentMp3(1).subarray(0, Math.min(size, 8192)))
  return bytes
}
