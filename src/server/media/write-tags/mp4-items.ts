import { writeBox } from './boxes'
import type { Cover, Tags } from './tags'

// Items of the list that iTunes writes: a box of a name with a box `data` in it, which says the type of its bytes.
const TEXT = 1
const JPEG = 13
const PNG = 14
const BINARY = 0

/** The items of tags by their names. */
export function itemsOf({ title, album, artist, date, number, cover }: Tags): Map<string, Buffer> {
  const items = new Map<string, Buffer>()
  const add = (name: string, type: number, bytes: Uint8Array) =>
    items.set(name, writeBox(name, writeBox('data', Buffer.from([0, 0, 0, type, 0, 0, 0, 0]), bytes)))
  const texts = { '\u00a9nam': title, '\u00a9alb': album, '\u00a9ART': artist, '\u00a9day': date }
  for (const [name, text] of Object.entries(texts)) if (text !== null) add(name, TEXT, Buffer.from(text))
  if (number !== null) add('trkn', BINARY, Buffer.from([0, 0, number >> 8, number & 255, 0, 0, 0, 0]))
  if (cover) add('covr', typeOf(cover), cover.bytes)
  return items
}

const typeOf = ({ type }: Cover) => (type === 'image/png' ? PNG : JPEG)

/** The box around a list of items, as iTunes writes it. */
export function metaOf(list: Uint8Array): Buffer {
  const handler = Buffer.concat([Buffer.alloc(8), Buffer.from('mdirappl'), Buffer.alloc(9)])
  return writeBox('meta', Buffer.alloc(4), writeBox('hdlr', handler), list)
}
