import { chunksOf } from '../../outbound/body'
import { SECOND } from '../../platform/clock'
import { type Span, StorageFailure, type StoredFile } from '../storage'
import { nameOf, type BucketClient, failureOf, listOf, readXml, textOf } from './client'

/** The state of an object: bytes, the ETag with its quotes, and milliseconds. */
export type ObjectFacts = { size: number; etag: string; mtimeMs: number }

/** Reads size and version of an object; null when there is none. */
export async function factsOf(
  client: BucketClient,
  path: string,
  { isUrgent = false } = {},
): Promise<ObjectFacts | null> {
  const response = await client.send({ method: 'HEAD', path, isUrgent })
  if (response.status === 404) return null
  const { headers } = response
  const size = Number(headers.get('content-length') ?? Number.NaN)
  const changed = Date.parse(headers.get('last-modified') ?? '')
  if (!Number.isSafeInteger(size)) throw strange(client, 'reported no size for a file')
  return { size, etag: headers.get('etag') ?? '', mtimeMs: Number.isNaN(changed) ? 0 : changed }
}

/** Opens a part of an object, or all of it; with `etag` only if it is still that version. Throws `missing`. */
export async function openObject(
  client: BucketClient,
  path: string,
  {
    span,
    etag,
    signal,
    isUrgent = false,
  }: { span?: Span; etag?: string; signal?: AbortSignal; isUrgent?: boolean } = {},
): Promise<Response> {
  const response = await client.send({
    method: 'GET',
    path,
    signal,
    isUrgent,
    headers: {
      // A compressed answer would have other bytes.
      'Accept-Encoding': 'identity',
      ...(span && { Range: `bytes=${span.from}-${span.to - 1}` }),
      ...(etag && { 'If-Match': etag }),
    },
  })
  if (response.status === (span ? 206 : 200)) return response
  if (response.status < 300 && span) {
    await response.body?.cancel()
    throw strange(client, 'ignored the range of a request')
  }
  await response.body?.cancel()
  throw new StorageFailure('missing', `${path} is not in the bucket any more`)
}

/** Yields the bytes of an object, each chunk within `idleMs`. */
export async function* readObject(client: BucketClient, path: string, idleMs = 60 * SECOND) {
  const response = await openObject(client, path)
  const host = URL.parse(client.settings.endpoint)!.host
  try {
    yield* chunksOf(response, { maxBytes: Number.MAX_SAFE_INTEGER, idleMs, host })
  } catch (error) {
    throw new StorageFailure('away', `${nameOf(client.settings)} stopped sending in the middle of a file`, {
      cause: error,
    })
  }
}

export async function removeObject(client: BucketClient, path: string) {
  const response = await client.send({ method: 'DELETE', path })
  await response.body?.cancel()
}

/** Lists all objects below the prefix, a thousand at a time; those in hidden folders are left out. */
export async function* listObjects(client: BucketClient): AsyncGenerator<StoredFile> {
  for (let from: Record<string, string> = {}; ;) {
    const query = { 'list-type': '2', prefix: client.prefix, ...from }
    const answer = await client.send({ method: 'GET', query })
    const result = await readAnswer(client, answer, 'ListBucketResult')
    const objects = listOf(result, 'Contents')
    for (const object of objects) {
      const path = textOf(object, 'Key').slice(client.prefix.length)
      const size = Number(textOf(object, 'Size'))
      if (path !== '' && !path.endsWith('/') && !path.split('/').some(part => part.startsWith('.')))
        yield { path, size }
    }
    if (textOf(result, 'IsTruncated') !== 'true') return
    const token = textOf(result, 'NextContinuationToken')
    const last = textOf(objects.at(-1), 'Key')
    if (token === '' && last === '') throw strange(client, 'ended a list too early')
    // A service that knows only the first version of this call continues after a key.
    from = token === '' ? { marker: last, 'start-after': last } : { 'continuation-token': token }
  }
}

/** Only asks whether the bucket answers. */
export async function probe(client: BucketClient) {
  const answer = await client.send({
    method: 'GET',
    query: { 'list-type': '2', 'max-keys': '1', prefix: client.prefix },
  })
  await readAnswer(client, answer, 'ListBucketResult')
}

/**
 * Reads an answer whose root element has one of these names. A service may begin a success and end it with an error.
 */
export async function readAnswer(client: BucketClient, response: Response, ...roots: string[]): Promise<unknown> {
  if (response.status >= 300) throw await failureOf(response, nameOf(client.settings))
  const parsed = await readXml(response).catch(error => {
    throw strange(client, 'sent an answer that is not XML', error)
  })
  const root = roots.find(name => parsed[name] !== undefined)
  if (root !== undefined) return parsed[root]
  const code = textOf(parsed.Error, 'Code')
  throw strange(client, code === '' ? 'sent an unexpected answer' : `reported ${code}`)
}

const strange = ({ settings }: BucketClient, what: string, cause?: unknown) =>
  new StorageFailure('away', `${nameOf(settings)} ${what}`, { cause })
