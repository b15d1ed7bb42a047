import { textOf as visibleText } from './notes-text'
import { children, textOf, type XmlNode } from './xml-node'
import { markupOf } from './xml-sections'

// A text is fuller if it has this many characters more, and either half as many again as the other, or the other as its
// beginning and a tenth more.
const MORE = 20
const MUCH_MORE = 0.5
const A_LITTLE = 0.1

/**
 * The fullest text of these elements, which are listed from the richest kind to the poorest; `richest` precedes them.
 * The richer kind wins unless a later one is clearly fuller: some feeds put a teaser into `description` and the notes
 * into `itunes:summary`.
 */
export function fullestMarkup(item: XmlNode, names: readonly string[], richest = ''): string {
  let fullest = richest
  /** The element that it was read from, the approximate number of characters that it shows, and the characters. */
  let source: string | null = null
  let length: number | null = null
  let shown: string | null = null
  for (const one of children(item, ...names)) {
    const raw = textOf(one)
    if (raw === null || raw === source) continue
    if (fullest === '') {
      fullest = markupOf(raw)
      source = raw
      continue
    }
    length ??= lengthShown(fullest)
    // Most feeds repeat their notes without the tags. That can be seen before the text is decoded.
    if (raw.length <= length) continue
    const html = markupOf(raw)
    if (lengthShown(html) <= length) continue
    // Done once per text: an item may have ten thousand of them.
    shown ??= visibleText(fullest)
    const text = visibleText(html)
    if (!isFuller(text, shown)) continue
    fullest = html
    source = raw
    length = null
    shown = text
  }
  return fullest
}

function isFuller(text: string, shorter: string): boolean {
  const beginning = shorter.replace(/\[?(?:…|\.{3})\]?$/, '')
  if (beginning === '') return true
  const isCut = beginning !== shorter && text.length > shorter.length
  const more = text.length - beginning.length
  if (!isCut && more < MORE) return false
  return (
    more > beginning.length * MUCH_MORE || ((isCut || more > beginning.length * A_LITTLE) && text.startsWith(beginning))
  )
}

/** The approximate number of characters outside of tags: entities and spaces are counted as they are written. */
function lengthShown(html: string): number {
  let length = 0
  for (let at = 0; at < html.length;) {
    const tag = html.indexOf('<', at)
    length += (tag === -1 ? html.length : tag) - at
    const end = tag === -1 ? -1 : html.indexOf('>', tag)
    if (end === -1) break
    at = end + 1
  }
  return length
}
