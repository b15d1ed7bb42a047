import { decodeHTMLStrict as decodeHTML } from 'entities'
import { XMLParser } from 'fast-xml-parser'
import { Problem } from '../platform/problem'

export type Outline = { feedUrl: string; title: string | null; folders: string[] }

const MAX_OUTLINES = 50_000
const MAX_DEPTH = 50
/** Opening and closing tags of outlines, and some more for the head and for folders. */
const MAX_TAGS = 3 * MAX_OUTLINES
const MAX_TAG = 64 * 1024
/** An address or a title, each sign of it escaped. */
const MAX_RAW = 32 * 1024

type Node = Record<string, unknown>

/**
 * The feeds of an OPML file, each once, in its order; folders and categories become names of tags. Throws
 * `invalid-opml` for what is none, with the line where that is known.
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
      const feedUrl = textOf(outline, 'xmlUrl')
      if (feedUrl) add(feedUrl, title, [...folders, ...categoriesOf(outline)])
      else if (depth < MAX_DEPTH) walk(outline, title ? [...folders, title] : folders, depth + 1)
    }
  }

  /** A feed in several folders has the tags of them all. */
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

/** An element takes a hundred times the memory of its text, an attribute nearly as much. */
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
  new Problem('too-many-outlines', 'This file holds too many outlines', { limit: String(MAX_OUTLINES) })

function bodyOf(xml: string): Node {
  const parser = new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: '@',
    parseAttributeValue: false,
    parseTagValue: false,
    // It would leave characters that are given by their number as they stand.
    processEntities: false,
  })
  try {
    const root = parser.parse(xml, true) as { opml?: { body?: Node } }
    if (root.opml && typeof root.opml === 'object' && typeof root.opml.body === 'object') return root.opml.body
  } catch (error) {
    const line = /line (\d+)/i.exec(String(error))?.[1] ?? String((error as { line?: number }).line ?? '')
    throw invalid(line)
  }
  throw invalid()
}

const invalid = (line = '') => new Problem('invalid-opml', 'This is no OPML file with feeds in it', { line })

/** What no XML may hold, and files have all the same. */
const unwritable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g

/** Attributes are written in several ways: `xmlUrl`, `xmlurl`, `XMLURL`. */
function textOf(node: Node, name: string): string | null {
  const exact = node[`@${name}`]
  const value = exact ?? Object.entries(node).find(([key]) => key.toLowerCase() === `@${name.toLowerCase()}`)?.[1]
  const text =
    typeof value === 'string'
      ? decodeHTML(value.slice(0, MAX_RAW)).replace(unwritable, '').trim().slice(0, 4096).trim()
      : ''
  return text === '' ? null : text
}

/** `category="/News/Daily,Evening"`: of a path the last part. */
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
