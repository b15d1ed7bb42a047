import { decodeHTML } from '../../platform/html-entities'

/** A piece of a document: text with its entities decoded, or a tag by its name in lower case, without a prefix. */
export type Piece =
  | { is: 'text'; text: string }
  | { is: 'open'; name: string; attributes: string; isEmpty: boolean }
  | { is: 'close'; name: string }

// A `<` or `>` ends it even within quotes: so no text is read twice.
const tag = /<(\/?)([a-z][\w.:-]*)(?=[\s/>])([^<>]*)>/iy

/**
 * Cuts HTML or XML into pieces, in one pass. What begins like a tag and is none is text; comments, declarations and
 * sections are left out, except for the text of CDATA.
 */
export function* piecesOf(source: string): Generator<Piece> {
  const endOf = createEnds(source)
  let textFrom = 0
  for (let at = source.indexOf('<'); at !== -1;) {
    const special = source[at + 1] === '!' || source[at + 1] === '?' ? sectionAt(source, at, endOf) : null
    tag.lastIndex = at
    const found = special ? null : tag.exec(source)
    if (!special && !found) {
      at = source.indexOf('<', at + 1)
      continue
    }
    if (textFrom < at) yield { is: 'text', text: decodeHTML(source.slice(textFrom, at)) }
    if (special?.text) yield { is: 'text', text: special.text }
    if (found) {
      const [, slash, prefixed = '', attributes = ''] = found
      const name = prefixed.slice(prefixed.lastIndexOf(':') + 1).toLowerCase()
      yield slash ? { is: 'close', name } : { is: 'open', name, attributes, isEmpty: attributes.endsWith('/') }
    }
    textFrom = special ? special.end : tag.lastIndex
    at = source.indexOf('<', textFrom)
  }
  if (textFrom < source.length) yield { is: 'text', text: decodeHTML(source.slice(textFrom)) }
}

type EndOf = (mark: string, from: number) => number

/** Finds where the next mark is, else the end of the source. Remembers the answer, so that nothing is read twice. */
function createEnds(source: string): EndOf {
  const ends = new Map<string, number>()
  return (mark, from) => {
    if ((ends.get(mark) ?? -1) < from) {
      const found = source.indexOf(mark, from)
      ends.set(mark, found === -1 ? source.length : found)
    }
    return ends.get(mark)!
  }
}

/** A comment, declaration or instruction, which has no text, or CDATA, which has. */
function sectionAt(source: string, at: number, endOf: EndOf) {
  const isData = source.startsWith('<![CDATA[', at)
  const mark = isData ? ']]>' : source.startsWith('<!--', at) ? '-->' : '>'
  const end = endOf(mark, at)
  return { end: Math.min(end + mark.length, source.length), text: isData ? source.slice(at + 9, end) : null }
}

/** The value of an attribute, by its name with or without a prefix; null where there is none. */
export function attributeOf(attributes: string, name: string): string | null {
  for (const [, key, quoted, single, bare] of attributes.matchAll(attribute))
    if (key!.toLowerCase() === name) return decodeHTML(quoted ?? single ?? bare ?? '').trim()
  return null
}
const attribute =
  /(?:^|[\s:])([a-z][\w.-]{0,50})\s{0,9}=\s{0,9}(?:"([^"]{0,4096})"|'([^']{0,4096})'|([^\s"'>]{1,4096}))/gi
