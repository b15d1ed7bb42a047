import { textOf as visibleText } from './notes-text'
import { children, textOf, type XmlNode } from './xml-node'
import { markupOf } from './xml-sections'

// A text is fuller if it has this many characters more, and either half as many again as the other, or the other as its
// beginning and a tenth more.
const MORE = 20
const MUCH_MORE = 0.5
const A_LITTLE = 0.1

/**
 * The fullest text of these elements, which are named from the richest kind to the poorest; `richest` comes before
 * them. The richer kind wins unless a later one says clearly more: some feeds put a teaser into `description` and the
 * notes into `itunes:summary`.
 */
export function fullestMarkup(item: XmlNode, names: readonly string[], richest = ''): string {
  let fullest = richest
  let length = lengthShown(richest)
  const seen = new Set<string>()
  for (const one of children(item, ...names)) {
    const raw = textOf(one)
    if (raw === null || seen.has(raw)) continue
    seen.add(raw)
    // Most feeds repeat their notes without the tags. That is known before the text is decoded.
    if (raw.length <= length) continue
    const html = markupOf(raw)
    const itsLength = lengthShown(html)
    if (html === '' || (fullest !== '' && (itsLength <= length || !isFuller(html, fullest)))) continue
    fullest = html
    length = itsLength
  }
  return fullest
}

function isFuller(html: string, than: string): boolean {
  const [text, shorter] = [visibleText(html), visibleText(than)]
  const beginning = shorter.replace(/\[?(?:…|\.{3})\]?$/, '')
  if (beginning === '') return true
  const isCut = beginning !== shorter && text.length > shorter.length
  const more = text.length - beginning.length
  if (!isCut && more < MORE) return false
  return (
    more > beginning.length * MUCH_MORE || ((isCut || more > beginning.length * A_LITTLE) && text.startsWith(beginning))
  )
}

/** The characters outside of tags, about: entities and spaces are counted as they are written. */
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
