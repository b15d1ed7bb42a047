import { decodeHTML } from '../platform/markup'
import { Problem } from '../platform/problem'

export type Outline = { feedUrl: string; title: string | null; folders: string[] }

const MAX_OUTLINES = 50_000
const MAX_DEPTH = 50
/** Opening and closing tags of the outlines, with room for the head and for folders. */
const MAX_TAGS = 3 * MAX_OUTLINES
const MAX_TAG = 64 * 1024
/** Room for an address or a title whose every character is escaped. */
const MAX_RAW = 32 * 1024

type Node = Record<string, unknown>

/** Folders in which programs put all feeds; people make no such folder. */
const isWrapper = (title: string) =>
  /^(?:(?:my )?(?:feeds|subscriptions|podcasts)|(?:podcast|rss) (?:feeds|subscriptions))$/i.test(title)

/**
 * Reads the feeds of an OPML file, each once, in the file's order; folders and categories become names of tags. Throws
 * `invalid-opml` for a file that is not OPML or names no feed, with the line if that is known.
 */
export function parseOpml(xml: string): Outline[] {
  if (/<!ENTITY/i.test(xml)) throw invalid()
  requireBounded(xml)
  const found = new Map<string, Outline>()
  let count = 0

  function walk(node: Node, folders: readonly string[], depth: number) {
    for (const outline of [node['outline'] ?? []].flat() as Node[]) {
      if (typeof outline !== 'object' || outline === null) continue
      if (++count > MAX_OUTLINES) throw tooMany()
      const title = textOf(outline, 'title') ?? textOf(outline, 'text')
      const feedUrl = feedOf(outline)
      if (feedUrl) add(feedUrl, title, [...folders, ...categoriesOf(outline)])
      else if (depth < MAX_DEPTH)
        walk(outline, title && !(depth === 0 && isWrapper(title)) ? [...folders, title] : folders, depth + 1)
    }
  }

  /** Gives a feed that is in several folders the tags of all of them. */
  function add(feedUrl: string, title: string | null, folders: readonly string[]) {
    const known = found.get(feedUrl)
    if (known) known.folders = [...new Set([...known.folders, ...folders])]
    else found.set(feedUrl, { feedUrl, title, folders: [...new Set(folders)] })
  }

  const body = bodyOf(xml)
  walk(body, [], 0)
  if (found.size === 0) throw invalid()
  return [...found.values()]
}

/**
 * Refuses what would fill the memory: an element takes a hundred times the size of its text, an attribute nearly as
 * much.
 */
function requireBounded(xml: string) {
  let tags = 0
  for (let at = xml.indexOf('<'); at !== -1;) {
    if (++tags > MAX_TAGS) throw tooMany()
    const next = xml.indexOf('<', at + 1)
    if ((next === -1 ? xml.length : next) - at > MAX_TAG) throw invalid()
    at = next
  }
}

const tooMany = () =>
  new Problem('too-many-outlines', `This file has more than ${MAX_OUTLINES} outlines`, { limit: String(MAX_OUTLINES) })

function bodyOf(xml: string): Node {
  // Loaded here, so that the start of the server doesn't wait for it.
  const { XMLParser } = require('fast-xml-parser') as typeof import('fast-xml-parser')
  const parser = new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: '@',
    parseAttributeValue: false,
    parseTagValue: false,
    // The parser would leave numeric entities as they are; `textOf` decodes all of them.
    processEntities: false,
    transformTagName: name => name.toLowerCase(),
  })
  try {
    const { opml } = parser.parse(xml, true) as { opml?: Node & { body?: Node } }
    if (opml && typeof opml === 'object') return opml.body && typeof opml.body === 'object' ? opml.body : opml
  } catch (error) {
    const line = /line (\d+)/i.exec(String(error))?.[1] ?? String((error as { line?: number }).line ?? '')
    throw invalid(line)
  }
  throw invalid()
}

const invalid = (line = '') => new Problem('invalid-opml', 'Expected an OPML file with feeds', { line })

/** Characters that XML does not allow, and that files contain anyway. */
const unwritable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g

/** The text of an attribute, in any spelling: `xmlUrl`, `xmlurl`, `XMLURL`. */
function textOf(node: Node, name: string): string | null {
  const exact = node[`@${name}`]
  const value = exact ?? Object.entries(node).find(([key]) => key.toLowerCase() === `@${name.toLowerCase()}`)?.[1]
  const text =
    typeof value === 'string'
      ? decodeHTML(value.slice(0, MAX_RAW)).replace(unwritable, '').trim().slice(0, 4096).trim()
      : ''
  return text === '' ? null : text
}

/** The address of an outline's feed; lists from before OPML 2 call it `url`. */
const feedOf = (outline: Node): string | null =>
  textOf(outline, 'xmlUrl') ?? (/^(?:rss|atom)$/i.test(textOf(outline, 'type') ?? '') ? textOf(outline, 'url') : null)

/** The categories of an outline; `/News/Daily,Evening` names Daily and Evening. */
const categoriesOf = (outline: Node): string[] =>
  (textOf(outline, 'category') ?? '')
    .split(',')
    .map(
      path =>
        path
          .split('/')
          .findLast(part => part.trim() !== '')
          ?.trim() ?? '',
    )
    .filter(Boolean)
