import { closeSync, openSync, readSync } from 'node:fs'
import { MoveRefused } from './item'

/** The values of a document that are read, by their names; `*` stands for every element or member. */
export type Wanted = { readonly [name: string]: Wanted | 'value' }

/** A value, and where it is: names joined by dots, without that of an element or member for which `*` stands. */
export type Found = { path: string; name: string; value: unknown; bytes: number }

const READ_BYTES = 256 * 1024
/** A value is parsed as a whole. */
const MAX_VALUE = 4 * 1024 * 1024

/**
 * Reads the wanted values of a JSON file of any length, without more of it in memory than one of them. Throws
 * `MoveRefused`.
 */
export function* readJson(path: string, wanted: Wanted): Generator<Found> {
  const cutter = createCutter(wanted)
  const file = openSync(path, 'r')
  try {
    const bytes = Buffer.alloc(READ_BYTES)
    for (let length = readSync(file, bytes); length > 0; length = readSync(file, bytes))
      yield* cutter.push(bytes.subarray(0, length))
  } finally {
    closeSync(file)
  }
  cutter.end()
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const COLON = 0x3a
const isSpace = (sign: number) => sign === 0x20 || sign === 0x0a || sign === 0x0d || sign === 0x09
const isOpening = (sign: number) => sign === 0x7b || sign === 0x5b
const isClosing = (sign: number) => sign === 0x7d || sign === 0x5d
const isMark = (sign: number) => sign === 0xef || sign === 0xbb || sign === 0xbf

/** An object or list that is being walked through. */
type Frame = { wanted: Wanted; isList: boolean; path: string }
/** A value or name that continues: where it is, and its text so far, null if it isn't wanted. */
type Piece = {
  isName: boolean
  depth: number
  isText: boolean
  isEscaped: boolean
  parts: Buffer[] | null
  bytes: number
}

/** Cuts the wanted values out of a document that arrives in pieces. */
export function createCutter(wanted: Wanted) {
  const frames: Frame[] = []
  let expected: 'value' | 'name' | 'colon' | 'comma' | 'nothing' = 'value'
  let name = ''
  let piece: Piece | null = null
  let place = 0

  const broken = () => new MoveRefused(`The file is not valid JSON (near byte ${place})`)

  function* push(chunk: Buffer): Generator<Found> {
    for (let at = 0; at < chunk.length;) {
      if (piece === null) {
        at = step(chunk, at)
        continue
      }
      const to = endOf(piece, chunk, at)
      keep(piece, chunk, at, to.at)
      at = to.at
      if (to.isEnd) yield* finish()
    }
    place += chunk.length
  }

  /** Reads one byte of the structure; returns the place of the next one. */
  function step(chunk: Buffer, at: number): number {
    const sign = chunk[at]!
    if (isSpace(sign) || (frames.length === 0 && isMark(sign))) return at + 1
    if (expected === 'value' && !isClosing(sign)) return begin(sign) ? at + 1 : at
    if (expected === 'name' && sign === QUOTE) piece = newPiece(true, [])
    else if (expected === 'colon' && sign === COLON) expected = 'value'
    else if (expected === 'comma' && sign === COMMA) expected = frames.at(-1)!.isList ? 'value' : 'name'
    else if (isClosing(sign) && mayClose()) close(sign)
    else throw broken()
    return piece === null ? at + 1 : at
  }

  /** Begins a value: true if it is one to walk through, whose bracket is read here. */
  function begin(sign: number): boolean {
    const frame = frames.at(-1)
    const wants = frame ? wantedIn(frame) : wanted
    const isInner = typeof wants === 'object' && isOpening(sign)
    if (!frame && sign !== 0x7b) throw broken()
    if (isInner) {
      const isList = sign === 0x5b
      frames.push({ wanted: wants, isList, path: pathOf(frame) })
      expected = isList ? 'value' : 'name'
    } else piece = newPiece(false, wants === 'value' ? [] : null)
    return isInner
  }

  const mayClose = () => expected !== 'colon' && (expected !== 'value' || frames.at(-1)?.isList === true)

  function close(sign: number) {
    const frame = frames.pop()
    if (!frame || frame.isList !== (sign === 0x5d)) throw broken()
    expected = frames.length > 0 ? 'comma' : 'nothing'
  }

  function* finish(): Generator<Found> {
    const { isName, parts, bytes } = piece!
    piece = null
    expected = isName ? 'colon' : 'comma'
    if (parts === null) return
    const value = parse(Buffer.concat(parts).toString('utf8'))
    if (isName) name = String(value)
    else yield { path: pathOf(frames.at(-1)), name, value, bytes }
  }

  function parse(text: string): unknown {
    try {
      return JSON.parse(text)
    } catch {
      throw broken()
    }
  }

  const wantedIn = ({ wanted, isList }: Frame) => wanted[!isList && Object.hasOwn(wanted, name) ? name : '*']

  /** The path of the next value in an object or list. */
  function pathOf(frame: Frame | undefined): string {
    if (!frame) return ''
    if (frame.isList || !Object.hasOwn(frame.wanted, name)) return frame.path
    return frame.path === '' ? name : `${frame.path}.${name}`
  }

  return {
    push,
    /** Throws `MoveRefused` for a document that is cut short. */
    end() {
      if (expected !== 'nothing') throw new MoveRefused('The file ends too early. Export it again, or copy all of it.')
    },
  }
}

const newPiece = (isName: boolean, parts: Buffer[] | null): Piece => ({
  isName,
  depth: 0,
  isText: false,
  isEscaped: false,
  parts,
  bytes: 0,
})

function keep(piece: Piece, chunk: Buffer, from: number, to: number) {
  if (piece.parts === null) return
  piece.bytes += to - from
  if (piece.bytes > MAX_VALUE) throw new MoveRefused(`The file has a value of more than ${MAX_VALUE} bytes`)
  // The buffer is reused for the next read.
  piece.parts.push(Buffer.from(chunk.subarray(from, to)))
}

/** Walks through a value until it or the chunk ends. A number ends before the character that follows it. */
function endOf(piece: Piece, chunk: Buffer, from: number): { at: number; isEnd: boolean } {
  for (let at = from; at < chunk.length; at++) {
    const sign = chunk[at]!
    if (piece.isText) {
      if (piece.isEscaped) piece.isEscaped = false
      else if (sign === BACKSLASH) piece.isEscaped = true
      else if (sign === QUOTE) {
        piece.isText = false
        if (piece.depth === 0) return { at: at + 1, isEnd: true }
      }
    } else if (sign === QUOTE) piece.isText = true
    else if (isOpening(sign)) piece.depth++
    else if (piece.depth === 0 && (isClosing(sign) || sign === COMMA || isSpace(sign))) return { at, isEnd: true }
    else if (isClosing(sign) && --piece.depth === 0) return { at: at + 1, isEnd: true }
  }
  return { at: chunk.length, isEnd: false }
}
