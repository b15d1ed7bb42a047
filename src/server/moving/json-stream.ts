import { closeSync, openSync, readSync } from 'node:fs'
import { MoveRefused, tooLarge } from './item'

/** The values of a document that are read, by their names; `*` stands for every element or member. */
export type Wanted = { readonly [name: string]: Wanted | 'value' }

/** A value, and where it is: names joined by dots, without that of an element or member that `*` means. */
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

/** Progress of reading a document. `name`: of the next value in an object; `place`: bytes before this chunk. */
type Cutter = {
  wanted: Wanted
  frames: Frame[]
  expected: 'value' | 'name' | 'colon' | 'comma' | 'nothing'
  name: string
  piece: Piece | null
  place: number
}

/** Cuts the wanted values out of a document that arrives in pieces. */
export function createCutter(wanted: Wanted) {
  const cutter: Cutter = { wanted, frames: [], expected: 'value', name: '', piece: null, place: 0 }
  return {
    push: (chunk: Buffer) => push(cutter, chunk),
    /** Throws `MoveRefused` for a document that is cut short. */
    end() {
      if (cutter.expected !== 'nothing')
        throw new MoveRefused('move-damaged', 'The file ends too early. Export it again, or copy all of it.')
    },
  }
}

function* push(cutter: Cutter, chunk: Buffer): Generator<Found> {
  for (let at = 0; at < chunk.length;) {
    if (cutter.piece === null) {
      at = step(cutter, chunk, at)
      continue
    }
    const to = endOf(cutter.piece, chunk, at)
    keep(cutter.piece, chunk, at, to.at)
    at = to.at
    if (to.isEnd) yield* finish(cutter, cutter.piece)
  }
  cutter.place += chunk.length
}

const broken = ({ place }: Cutter) => new MoveRefused('move-damaged', `The file is not valid JSON (near byte ${place})`)

/** Reads one byte of the structure; returns the place of the next one. */
function step(cutter: Cutter, chunk: Buffer, at: number): number {
  const { frames, expected } = cutter
  const sign = chunk[at]!
  if (isSpace(sign) || (frames.length === 0 && isMark(sign))) return at + 1
  if (expected === 'value' && !isClosing(sign)) return begin(cutter, sign) ? at + 1 : at
  if (expected === 'name' && sign === QUOTE) cutter.piece = newPiece(true, [])
  else if (expected === 'colon' && sign === COLON) cutter.expected = 'value'
  else if (expected === 'comma' && sign === COMMA) cutter.expected = frames.at(-1)!.isList ? 'value' : 'name'
  else if (isClosing(sign) && mayClose(cutter)) close(cutter, sign)
  else throw broken(cutter)
  return cutter.piece === null ? at + 1 : at
}

/** Begins a value: true if it is one to walk through, whose bracket is read here. */
function begin(cutter: Cutter, sign: number): boolean {
  const { frames, name } = cutter
  const frame = frames.at(-1)
  const wants = frame ? wantedIn(frame, name) : cutter.wanted
  const isInner = typeof wants === 'object' && isOpening(sign)
  if (!frame && sign !== 0x7b) throw broken(cutter)
  if (isInner) {
    const isList = sign === 0x5b
    frames.push({ wanted: wants, isList, path: pathOf(frame, name) })
    cutter.expected = isList ? 'value' : 'name'
  } else cutter.piece = newPiece(false, wants === 'value' ? [] : null)
  return isInner
}

const mayClose = ({ expected, frames }: Cutter) =>
  expected !== 'colon' && (expected !== 'value' || frames.at(-1)?.isList === true)

function close(cutter: Cutter, sign: number) {
  const frame = cutter.frames.pop()
  if (!frame || frame.isList !== (sign === 0x5d)) throw broken(cutter)
  cutter.expected = cutter.frames.length > 0 ? 'comma' : 'nothing'
}

function* finish(cutter: Cutter, { isName, parts, bytes }: Piece): Generator<Found> {
  cutter.piece = null
  cutter.expected = isName ? 'colon' : 'comma'
  if (parts === null) return
  const value = parse(cutter, Buffer.concat(parts).toString('utf8'))
  if (isName) cutter.name = String(value)
  else yield { path: pathOf(cutter.frames.at(-1), cutter.name), name: cutter.name, value, bytes }
}

function parse(cutter: Cutter, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw broken(cutter)
  }
}

const wantedIn = ({ wanted, isList }: Frame, name: string) =>
  wanted[!isList && Object.hasOwn(wanted, name) ? name : '*']

/** The path of the next value in an object or list. */
function pathOf(frame: Frame | undefined, name: string): string {
  if (!frame) return ''
  if (frame.isList || !Object.hasOwn(frame.wanted, name)) return frame.path
  return frame.path === '' ? name : `${frame.path}.${name}`
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
  if (piece.bytes > MAX_VALUE) throw tooLarge(`The file has a value of more than ${MAX_VALUE} bytes`, MAX_VALUE)
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
