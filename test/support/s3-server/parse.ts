import type { IncomingMessage } from 'node:http'
import type { SeenRequest } from './faults'

export type Parsed = {
  method: string
  /** Decoded, as the signature covers it. */
  path: string
  bucket: string
  /** Empty for the bucket itself. */
  key: string
  query: [string, string][]
  headers: Map<string, string>
}

/** Text that is not encoded as it should be stays as it is, so that its signature cannot fit. */
const decode = (text: string) => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Reads the address and the headers of a request as they were sent. */
export function readRequest(request: IncomingMessage): { parsed: Parsed; seen: SeenRequest } {
  const [address = '', search = ''] = request.url!.split(/\?(.*)/s)
  const path = decode(address)
  const query = search
    .split('&')
    .filter(pair => pair !== '')
    .map((pair): [string, string] => {
      const [name = '', value = ''] = pair.split(/=(.*)/s)
      return [decode(name.replaceAll('+', ' ')), decode(value.replaceAll('+', ' '))]
    })
  const headers = new Map<string, string>()
  for (let at = 0; at < request.rawHeaders.length; at += 2) {
    const name = request.rawHeaders[at]!.toLowerCase()
    const value = request.rawHeaders[at + 1]!
    headers.set(name, headers.has(name) ? `${headers.get(name)},${value}` : value)
  }
  const method = request.method!
  const [, bucket = '', key = ''] = /^\/([^/]*)\/?(.*)$/s.exec(path) ?? []
  return {
    parsed: { method, path, bucket, key, query, headers },
    seen: { method, key: key || null, query: new Map(query), headers, status: 0, bytesReceived: 0, bytesSent: 0 },
  }
}
