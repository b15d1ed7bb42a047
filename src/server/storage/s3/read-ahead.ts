import { release } from '../../outbound/body'
import { SECOND } from '../../platform/clock'
import type { Span } from '../storage'
import type { ObjectFacts } from './objects'

// Why: docs/internals/decisions/0039

/** The longest range behind which more is read: players that ask for more need no help. */
const MAX_RANGE = 256 * 1024
const MAX_PIECE = 1024 * 1024
const GROWTH = 4
const MAX_PIECES = 16
const MAX_READERS = 256
const IDLE_MS = 30 * SECOND

/** A version of a file, and bytes of it that are read or being read; `waiting`: requests that wait for them. */
type Piece = Span & { version: string; bytes: Uint8Array | null; reading: Promise<Uint8Array>; waiting: number }

type Read = (path: string, span: Span, etag: string) => Promise<Uint8Array>

/**
 * Reads files in pieces of up to a megabyte for clients that ask for one short range after the other, since a bucket
 * takes about as long for a piece as for a range. All pieces together take at most 16 MB, for half a minute after the
 * last range.
 */
export function createReadAhead(read: Read) {
  /** The piece used last is at the end. */
  let pieces: Piece[] = []
  /** The next byte of each client that reads one range after the other, and how much to read for it then. */
  const readers = new Map<string, number>()
  const idle = setTimeout(() => (pieces = []), IDLE_MS)
  idle.unref()

  function findPiece(version: string, { from, to }: Span): Piece | undefined {
    const piece = pieces.find(one => one.version === version && one.from <= from && to <= one.to)
    if (!piece) return undefined
    pieces = [...pieces.filter(one => one !== piece), piece]
    idle.refresh()
    return piece
  }

  /** Notes where a client will continue; returns how much to read for it, null if it did not continue. */
  function follow(version: string, { from, to }: Span): number | null {
    const reader = `${version}\n${from}`
    const length = readers.get(reader) ?? null
    readers.delete(reader)
    if (readers.size >= MAX_READERS) readers.clear()
    readers.set(`${version}\n${to}`, Math.min(MAX_PIECE, GROWTH * (length ?? to - from)))
    return length
  }

  function startPiece(path: string, { from }: Span, length: number, { size, etag }: ObjectFacts): Piece {
    const span = { from, to: Math.min(size, from + length) }
    const reading = read(path, span, etag)
    const piece: Piece = { ...span, version: versionOf(path, etag), bytes: null, reading, waiting: 0 }
    pieces = [...pieces, piece]
    if (pieces.length > MAX_PIECES) letGo(pieces.shift()!)
    idle.refresh()
    return piece
  }

  async function waitFor(piece: Piece, span: Span): Promise<Uint8Array> {
    piece.waiting++
    try {
      piece.bytes = await piece.reading
      return cut(piece.bytes, piece, span)
    } catch (error) {
      pieces = pieces.filter(one => one !== piece)
      throw error
    } finally {
      piece.waiting--
    }
  }

  return {
    /** A range of a file, if it is in memory. */
    find(path: string, span: Span, { etag }: ObjectFacts): Uint8Array | null {
      const version = versionOf(path, etag)
      const piece = findPiece(version, span)
      if (!piece?.bytes) return null
      follow(version, span)
      return cut(piece.bytes, piece, span)
    },
    /** Reads a range with those behind it; null if the client has not read the one before. Throws what `read` throws. */
    async read(path: string, span: Span, facts: ObjectFacts): Promise<Uint8Array | null> {
      if (span.to - span.from > MAX_RANGE) return null
      const version = versionOf(path, facts.etag)
      const piece = findPiece(version, span)
      const length = follow(version, span)
      if (piece) return await waitFor(piece, span)
      if (length === null || length < span.to - span.from) return null
      return await waitFor(startPiece(path, span, length, facts), span)
    },
    forget: (path: string) => (pieces = pieces.filter(({ version }) => !version.startsWith(`${path}\n`))),
  }
}

const versionOf = (path: string, etag: string) => `${path}\n${etag}`

/** A copy: the piece may be freed before it is sent. */
const cut = (bytes: Uint8Array, piece: Span, { from, to }: Span) => bytes.slice(from - piece.from, to - piece.from)

/** Frees the memory of a piece at once, unless somebody still waits for it. */
function letGo({ bytes, waiting }: Piece) {
  if (bytes && waiting === 0) release(bytes)
}
