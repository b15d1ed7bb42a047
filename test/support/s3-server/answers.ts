import { XMLParser } from 'fast-xml-parser'

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\r': '&#13;' }

export type Element = { [name: string]: string | Element | Element[] }

const write = (name: string, content: string | Element | Element[]): string =>
  Array.isArray(content)
    ? content.map(item => write(name, item)).join('')
    : `<${name}>${typeof content === 'string' ? escape(content) : writeAll(content)}</${name}>`

const writeAll = (content: Element) =>
  Object.entries(content)
    .map(([name, value]) => write(name, value))
    .join('')

const escape = (text: string) => text.replace(/[&<>"\r]/g, character => entities[character]!)

/** A document with one root element. */
export const element = (root: string, content: Element) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${writeAll(content)}</${root}>`

const parser = new XMLParser({ parseTagValue: false, isArray: name => name === 'Part' || name === 'Object' })

/** Reads the repeated element of a request's body, such as the parts of an upload. */
export function readItems(text: string, root: string, item: string): Record<string, string>[] {
  try {
    const items = parser.parse(text, true)[root]?.[item]
    if (Array.isArray(items) && items.length <= 10_000) return items
  } catch {}
  throw new Refusal(400, 'MalformedXML', 'The XML you provided was not well-formed')
}

/** A key as listings write it when they are asked for `encoding-type=url`. */
export const encodeListed = (key: string) =>
  encodeURIComponent(key)
    .replace(/[!'()~]/g, character => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%20', '+')
    .replaceAll('%2F', '/')

/** An answer of S3 that is an error; `details` become further elements of its body. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string = code,
    readonly details: Record<string, string> = {},
  ) {
    super(message)
  }

  get body(): string {
    const { code: Code, message: Message, details } = this
    return element('Error', { Code, Message, ...details, RequestId: 'test', HostId: 'test' })
  }
}

export const noSuchKey = (key: string) =>
  new Refusal(404, 'NoSuchKey', 'The specified key does not exist.', { Key: key })
export const preconditionFailed = (condition: string) =>
  new Refusal(412, 'PreconditionFailed', 'At least one of the pre-conditions you specified did not hold', {
    Condition: condition,
  })
export const notImplemented = (what: string) => new Refusal(501, 'NotImplemented', `${what} is not implemented`)
export const invalidArgument = (message: string) => new Refusal(400, 'InvalidArgument', message)
