import type { Piece } from './cut'

type CutJson = { head: string; items: Piece[]; leftOut: number; isCutShort: boolean }

/** Values that one item may hold: each takes far more memory than its text. */
const MAX_VALUES = 50_000
const OPEN = new Set([0x5b, 0x7b])
const CLOSE = new Set([0x5d, 0x7d])

/**
 * Cuts a JSON Feed into its items and the object around them, without reading either, so that nothing larger than an
 * item is ever parsed. Items of too many values are not whole. `head` is an object with an empty list of items.
 */
export function cutJson(bytes: Buffer, mostItems: number): CutJson {
  const items: Piece[] = []
  let leftOut = 0
  let depth = 0
  let text = { from: 0, to: 0 }
  let key = ''
  let listFrom = -1
  let listTo = -1
  let itemFrom = -1
  let values = 0
  let at = 0

  for (; at < bytes.length; at++) {
    const sign = bytes[at]!
    if (sign === 0x22) {
      text = { from: at + 1, to: endOfString(bytes, at + 1) }
      at = text.to
    } else if (sign === 0x3a) {
      if (depth === 1) key = bytes.toString('latin1', text.from, Math.min(text.to, text.from + 20))
    } else if (sign === 0x2c) values++
    else if (OPEN.has(sign)) {
      values++
      if (depth === 1 && sign === 0x5b && key === 'items' && listFrom === -1) listFrom = at + 1
      else if (depth === 2 && sign === 0x7b && listFrom !== -1 && listTo === -1) {
        itemFrom = at
        values = 0
      }
      depth++
    } else if (CLOSE.has(sign)) {
      depth--
      if (depth === 2 && itemFrom !== -1) {
        if (items.length < mostItems) items.push({ from: itemFrom, to: at + 1, isWhole: values <= MAX_VALUES })
        else leftOut++
        itemFrom = -1
      } else if (depth === 1 && listFrom !== -1 && listTo === -1) listTo = at
      else if (depth === 0) break
    }
  }
  const isCutShort = depth > 0
  const tail = listTo === -1 || isCutShort ? ']}' : bytes.toString('utf8', listTo, at + 1)
  const head = listFrom === -1 ? bytes.toString('utf8', 0, at + 1) : bytes.toString('utf8', 0, listFrom) + tail
  return { head, items, leftOut, isCutShort }
}

function endOfString(bytes: Buffer, from: number): number {
  for (let at = from; at < bytes.length; at++) {
    if (bytes[at] === 0x5c) at++
    else if (bytes[at] === 0x22) return at
  }
  return bytes.length
}
