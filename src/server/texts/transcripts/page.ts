import type { Segment } from '../../store/documents'
import { hasCues, readCues } from './cues'
import { readLines } from './lines'
import { attributeOf, piecesOf } from './markup'
import { oneLine, segmentOf } from './segments'
import { nameSpeakers } from './speakers'
import { readTime } from './times'

/** Elements whose text nobody says. */
const silent = new Set(
  'head script style nav footer aside form button select noscript template svg iframe object math audio video'.split(
    ' ',
  ),
)
const blocks = new Set(
  `p div br li ul ol dl dt dd h1 h2 h3 h4 h5 h6 tr td th table blockquote pre section article header main body html hr
  figure figcaption address`.split(/\s+/),
)
/** Blocks that a line break parts, not an empty line. */
const lineBlocks = new Set(['br', 'td', 'th', 'dt', 'dd'])

/** A page as text: a line for each block, with the marks that Podcasting 2.0 sets for speakers and times. */
type Part = { is: 'text' | 'speaker' | 'time' | 'break'; text: string }

function* partsOf(html: string): Generator<Part> {
  let depth = 0
  let silentName = ''
  let within: 'text' | 'speaker' | 'time' = 'text'
  for (const piece of piecesOf(html)) {
    if (silentName !== '') {
      // Only its own end ends it: a page that leaves it open has nothing more to say.
      if (piece.is === 'open' && piece.name === silentName && !piece.isEmpty) depth++
      if (piece.is === 'close' && piece.name === silentName && --depth === 0) silentName = ''
    } else if (piece.is === 'text') yield { is: within, text: piece.text }
    else if (piece.is === 'open' && silent.has(piece.name) && !piece.isEmpty) {
      silentName = piece.name
      depth = 1
    } else if (piece.name === 'cite' || piece.name === 'time') {
      const mark = piece.name === 'cite' ? 'speaker' : 'time'
      within = piece.is === 'open' ? mark : 'text'
      const exact = piece.is === 'open' && mark === 'time' ? attributeOf(piece.attributes, 'datetime') : null
      if (exact) yield { is: 'time', text: exact }
    } else if (blocks.has(piece.name)) {
      within = 'text'
      yield { is: 'break', text: lineBlocks.has(piece.name) ? '\n' : '\n\n' }
    }
  }
}

export type PageRead = { segments: Segment[]; isTimed: boolean }

/** Reads HTML: that of Podcasting 2.0, and any other whose text says who speaks when. */
export function readPage(html: string): PageRead {
  const parts = [...partsOf(html)]
  const isMarked = parts.some(({ is }) => is === 'speaker' || is === 'time')
  const segments = isMarked ? readMarked(parts) : readText(parts)
  return { segments, isTimed: segments.some(({ startMs }) => startMs !== null) }
}

function readText(parts: readonly Part[]): Segment[] {
  // Line breaks of the source are spaces, unless whole cues stand in it.
  const raw = parts.map(({ text }) => text).join('')
  if (hasCues(raw)) return readCues(raw)
  const text = parts.map(({ is, text }) => (is === 'break' ? text : text.replace(/\s+/g, ' '))).join('')
  return readLines(
    text
      .split('\n')
      .map(line => line.trim())
      .join('\n'),
  )
}

/** Podcasting 2.0's HTML: `cite` names the speaker, `time` the time, and both hold for all that follows. */
function readMarked(parts: readonly Part[]): Segment[] {
  const segments: Segment[] = []
  let speaker: string | null = null
  let startMs: number | null = null
  let said = ''
  const close = () => {
    if (said.trim() !== '') segments.push(segmentOf(startMs, oneLine(said), { speaker }))
    said = ''
  }
  for (const { is, text } of parts) {
    if (is === 'text') said += text
    else {
      close()
      if (is === 'speaker')
        speaker =
          oneLine(text)
            .replace(/[:：]$/, '')
            .trim() || null
      if (is === 'time') startMs = readTime(oneLine(text).replace(/^[[(]|[\])]$/g, '')) ?? startMs
    }
  }
  close()
  return nameSpeakers(segments)
}
