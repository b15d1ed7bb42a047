import { chunksOf } from '../../outbound/body'
import { SECOND } from '../../platform/clock'

/** A thousand keys of 1,024 bytes, escaped to three times their length, with their facts. */
const MAX_BYTES = 8_000_000
const IDLE_MS = 30 * SECOND

/** An element: its children by name; text, or a list if there are several. */
export type XmlElement = { readonly [name: string]: unknown }

/** Reads a bounded answer as XML. Throws for anything else. */
export async function readXml(response: Response): Promise<XmlElement> {
  const chunks: Uint8Array[] = []
  const host = URL.parse(response.url)?.host ?? ''
  for await (const chunk of chunksOf(response, { maxBytes: MAX_BYTES, idleMs: IDLE_MS, host })) chunks.push(chunk)
  const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks))
  const [{ XMLParser }, { decodeXML }] = await Promise.all([import('fast-xml-parser'), import('entities')])
  const parser = new XMLParser({
    parseTagValue: false,
    ignoreAttributes: true,
    trimValues: false,
    // Services escape in numbers, too.
    processEntities: false,
    tagValueProcessor: (_, text) => decodeXML(text),
  })
  const parsed: unknown = parser.parse(text, true)
  if (typeof parsed !== 'object' || parsed === null) throw new Error('expected XML')
  return parsed as XmlElement
}

const childOf = (element: unknown, name: string): unknown =>
  typeof element === 'object' && element !== null ? (element as XmlElement)[name] : undefined

/** The text of a child; empty when there is none. */
export function textOf(element: unknown, name: string): string {
  const child = childOf(element, name)
  return typeof child === 'string' ? child : ''
}

/** The children with a name: none, one or several. */
export function listOf(element: unknown, name: string): unknown[] {
  const child = childOf(element, name)
  if (child === undefined || child === '') return []
  return Array.isArray(child) ? child : [child]
}
