const canonicalPrefixes: readonly [RegExp, string][] = [
  [/itunes\.(apple\.)?com\/dtds\/podcast/i, 'itunes'],
  [/podcastindex\.org\/namespace|podcast-namespace/i, 'podcast'],
  [/purl\.org\/rss\/1\.0\/modules\/content/i, 'content'],
  [/purl\.org\/dc\/(elements|terms)/i, 'dc'],
  [/search\.yahoo\.com\/mrss/i, 'media'],
  [/w3\.org\/2005\/atom|purl\.org\/atom\/ns/i, 'atom'],
  [/podlove\.org\/simple-chapters/i, 'psc'],
  [/w3\.org\/1999\/02\/22-rdf-syntax-ns/i, 'rdf'],
  [/google\.com\/schemas\/play-podcasts/i, 'googleplay'],
  [/net\/rss_2\.0\/enc|rss\/1\.0\/modules\/enclosure/i, 'enc'],
]
const unsafeNames = new Set(['constructor', 'prototype', '__proto__', 'hasownproperty', 'tostring', 'valueof'])
const MAX_KNOWN = 1000
const MAX_URI = 500

// Elements whose content is kept raw: it may be markup, escaped or not, balanced or not.
const markupElements = new Set([
  'description',
  'content:encoded',
  'itunes:summary',
  'summary',
  'content',
  'media:description',
  'xhtml:body',
])
// Elements whose content is text, even if it looks like markup.
const titleElements = new Set(['title', 'itunes:title', 'media:title', 'dc:title', 'atom:title'])
/** HTML elements that have no end tag. */
const emptyElements = new Set(['br', 'hr', 'img', 'wbr'])

/** A name as the document writes it, its canonical form, and the key under which a node has an attribute of it. */
export type Name = {
  written: string
  name: string
  key: string
  /** The content of such an element; null for any other elements, or none, in it. */
  content: 'markup' | 'title' | 'nothing' | null
}
export type Names = ReturnType<typeof createNames>

/**
 * Makes the names of a document canonical: lower case, with the usual prefix of a namespace, whatever the document
 * calls it.
 */
export function createNames() {
  const prefixes = new Map<string, string>()
  const known = new Map<number, Name>()

  function canonical(name: string): string {
    const lower = name.toLowerCase()
    const colon = lower.indexOf(':')
    if (colon === -1) return unsafeNames.has(lower) ? `_${lower}` : lower
    const prefix = lower.slice(0, colon)
    return `${prefixes.get(prefix) ?? prefix}${lower.slice(colon)}`
  }

  return {
    /** The name in a part of a text. An item has a hundred: none is cut out of the text if it is known. */
    in(source: string, from: number, to: number): Name {
      let hash = to - from
      for (let at = from; at < to; at++) hash = (Math.imul(hash, 31) + source.charCodeAt(at)) | 0
      const found = known.get(hash)
      if (found !== undefined && found.written.length === to - from && source.startsWith(found.written, from))
        return found
      // A feed has some fifty names. One that has thousands is trying to fill the memory.
      if (known.size >= MAX_KNOWN) known.clear()
      // Copied: the engine keeps the long text from which a short one was cut.
      const written = Buffer.from(source.slice(from, to)).toString()
      const name = canonical(written)
      const made = { written, name, key: `@${name}`, content: contentOf(name) }
      known.set(hash, made)
      return made
    },
    /** Remembers a prefix if the attribute declares one. */
    declare({ written }: Name, uri: string) {
      if (!/^xmlns:/i.test(written)) return
      const found = canonicalPrefixes.find(([pattern]) => pattern.test(uri.slice(0, MAX_URI)))?.[1]
      const prefix = written.slice(6).toLowerCase()
      if (!found || prefixes.get(prefix) === found || prefixes.size >= MAX_KNOWN) return
      prefixes.set(prefix, found)
      known.clear()
    },
  }
}

function contentOf(name: string): Name['content'] {
  if (markupElements.has(name)) return 'markup'
  if (titleElements.has(name)) return 'title'
  return emptyElements.has(name) ? 'nothing' : null
}
