import { digestFeed, type Digest } from '../../src/server/feeds/apply/digest'

type Given = { contentType?: string; contentEncoding?: string; address?: string; maxBytes?: number }

const request = (body: string | Uint8Array, given: Given) => ({
  body: typeof body === 'string' ? new TextEncoder().encode(body) : body,
  contentType: '',
  contentEncoding: '',
  address: 'https://pod.example/feed.xml',
  maxBytes: 64 * 1024 * 1024,
  known: [],
  ...given,
})

/** Reads a body as a feed that is not known yet. */
export const tryToRead = (body: string | Uint8Array, given: Given = {}) => digestFeed(request(body, given))

export function readFeed(body: string | Uint8Array, given: Given = {}): Digest {
  const result = tryToRead(body, given)
  if (!result.ok) throw new Error(JSON.stringify(result))
  return result.digest
}

export const titlesOf = (digest: Digest) => digest.added.map(({ facts }) => facts.title)
