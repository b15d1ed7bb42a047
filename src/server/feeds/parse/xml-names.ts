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

export type Names = ReturnType<typeof createNames>

/**
 * Makes the names of a document canonical: lower case, with the usual prefix of a namespace, whatever the document
 * calls it.
 */
export function createNames() {
  const prefixes = new Map<string, string>()
  const known = new Map<string, string>()
  const keys = new Map<string, string>()

  function canonical(name: string): string {
    const lower = name.toLowerCase()
    const colon = lower.indexOf(':')
    if (colon === -1) return unsafeNames.has(lower) ? `_${lower}` : lower
    const prefix = lower.slice(0, colon)
    return `${prefixes.get(prefix) ?? prefix}${lower.slice(colon)}`
  }

  return {
    of(name: string): string {
      const found = known.get(name)
      if (found !== undefined) return found
      // A feed has some fifty names. One that has thousands is trying to fill the memory.
      if (known.size >= MAX_KNOWN) known.clear()
      const made = canonical(name)
      known.set(name, made)
      return made
    },
    /** The key under which a node has the attribute of this name. */
    keyOf(attribute: string): string {
      const found = keys.get(attribute)
      if (found !== undefined) return found
      if (keys.size >= MAX_KNOWN) keys.clear()
      const made = `@${this.of(attribute)}`
      keys.set(attribute, made)
      return made
    },
    /** Remembers a prefix if the attribute declares one. */
    declare(attribute: string, uri: string) {
      if (!/^xmlns:/i.test(attribute)) return
      const found = canonicalPrefixes.find(([pattern]) => pattern.test(uri.slice(0, MAX_URI)))?.[1]
      const prefix = attribute.slice(6).toLowerCase()
      if (!found || prefixes.get(prefix) === found || prefixes.size >= MAX_KNOWN) return
      prefixes.set(prefix, found)
      known.clear()
      keys.clear()
    },
  }
}
