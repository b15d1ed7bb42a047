import { parseText } from './values'
import { attribute, type XmlNode } from './xml-node'

/** The most tags of one kind that are read of an item or a channel. */
export const MAX_ENTRIES = 100
/** For tags of which people list one or two. */
export const FEW_ENTRIES = 20
const MAX_LENGTH = 500

export const shortText = (raw: string | null | undefined, longest = MAX_LENGTH) => {
  const text = parseText(raw)
  return text === null || text.length <= longest ? text : text.slice(0, longest).toWellFormed()
}

export const shortAttribute = (node: XmlNode | undefined, name: string) => shortText(attribute(node, name))

type Present<T> = { [K in keyof T]?: Exclude<T[K], null> }

/** Leaves out what is null: tags are stored as JSON, and most of their attributes are missing. */
export function present<T extends object>(values: T): Present<T> {
  const found: Present<T> = {}
  for (const name in values) if (values[name] !== null) found[name] = values[name] as Present<T>[typeof name]
  return found
}
