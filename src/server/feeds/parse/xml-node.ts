import { decodeHTML } from '../../platform/html-entities'
import { markupOf } from './xml-sections'

/**
 * An element: its children by name (lower case, prefixes made canonical), its attributes under `@name`, its `#text`.
 */
export type XmlNode = { [name: string]: XmlValue }
type XmlValue = string | XmlNode | (string | XmlNode)[]

export const nodeOf = (value: string | XmlNode): XmlNode => (typeof value === 'string' ? { '#text': value } : value)

const none: readonly XmlNode[] = []

export function children(node: XmlNode, ...names: string[]): readonly XmlNode[] {
  // Most of what is looked for is not there.
  let found: XmlNode[] | null = null
  for (const name of names) {
    const value = node[name]
    if (value === undefined) continue
    found ??= []
    if (Array.isArray(value)) for (const one of value) found.push(nodeOf(one))
    else found.push(nodeOf(value))
  }
  return found ?? none
}

export const child = (node: XmlNode, name: string): XmlNode | undefined => {
  const value = node[name]
  const first = Array.isArray(value) ? value[0] : value
  if (first === undefined) return undefined
  return nodeOf(first)
}

/** The text of an element itself. */
export function textOf(node: XmlNode | undefined): string | null {
  const text = node?.['#text']
  return typeof text === 'string' && text.trim() !== '' ? text.trim() : null
}

/** The text of the first of these children that has any. */
export function text(node: XmlNode, ...names: string[]): string | null {
  for (const name of names) {
    const value = node[name]
    if (value === undefined) continue
    for (const one of Array.isArray(value) ? value : [value]) {
      const found = textOf(nodeOf(one))
      if (found !== null) return found
    }
  }
  return null
}

/** Keys of attributes by name: to make one again for each look would take most of its time. */
const keys = new Map<string, string>()

export function attribute(node: XmlNode | undefined, name: string): string | null {
  if (node === undefined) return null
  let key = keys.get(name)
  if (key === undefined) keys.set(name, (key = `@${name}`))
  const value = node[key]
  const said = typeof value === 'string' ? value.trim() : ''
  return said === '' ? null : decodeHTML(said)
}

/** The first of these children that is more than white space, as markup. */
export function markup(node: XmlNode, ...names: string[]): string {
  for (const name of names)
    for (const one of children(node, name)) {
      const html = markupOf(textOf(one))
      if (html !== '') return html
    }
  return ''
}
