import { once } from 'node:events'
import { isKnown, type Lists } from './lists'

// Why: docs/internals/decisions/0024

/** A smaller answer grows when it is compressed, or shrinks by less than it costs. */
const COMPRESS_FROM = 2048
/** A larger answer is compressed in another thread. */
const COMPRESS_APART_FROM = 256 * 1024
/** Higher levels make an answer smaller by less than a tenth; level 1 of gzip leaves a list a third larger. */
const LEVELS = { zstd: 1, gzip: 2 } as const
/** Bytes of compressed text that are handed over at once; by far fewer, the handing over takes as long as the work. */
const CHUNK = 256 * 1024

/** The value that a route answered, before it becomes a response. */
type Answered = {
  responseValue: unknown
  request: Request
  route: string
  set: { status?: number | string; headers: Record<string, string | number> }
}

/** Compresses JSON for clients that read it so, and answers 304 to those that have a list already. */
export function jsonAnswers(lists: Lists) {
  const answer = (text: string, { request, route, set }: Answered) => {
    const status = typeof set.status === 'number' ? set.status : 200
    const headers: Record<string, string> = {
      'Content-Type': 'application/json',
      Vary: [set.headers.vary, 'Accept-Encoding'].filter(Boolean).join(', '),
    }
    if (status !== 200 || !lists.isList(request, route)) return compressed(request, text, { status, headers })
    // Weak: the bytes differ by their encoding.
    const etag = `W/"${Bun.hash.xxHash64(text).toString(36)}"`
    Object.assign(headers, { ETag: etag, 'Cache-Control': 'private, no-cache' })
    const cursor = set.headers['x-next-cursor']?.toString() ?? null
    if (isKnown(request, etag)) {
      lists.keep(request, { headers, cursor, body: null })
      return new Response(null, { status: 304, headers })
    }
    return compressed(request, text, { status, headers }, (body, headers) =>
      lists.keep(request, { headers, cursor, body }),
    )
  }
  return (answered: Answered) => {
    if (!isJson(answered.responseValue)) return
    const text = writeJson(answered.responseValue)
    return typeof text === 'string' ? answer(text, answered) : text.then(whole => answer(whole, answered))
  }
}

/** Whether Elysia would send a value as JSON. */
const isJson = (value: unknown) => Array.isArray(value) || (typeof value === 'object' && value?.constructor === Object)

/** Answers with JSON that is written already, compressed for clients that read it so. */
export const respondJson = (request: Request, text: string) =>
  compressed(request, text, {
    status: 200,
    headers: jsonHeaders,
  })
const jsonHeaders = { 'Content-Type': 'application/json;charset=utf-8', Vary: 'Accept-Encoding' }

/**
 * The same for JSON that is written in parts. Where it is long and the client reads gzip, a part is compressed in
 * another thread while the next is written, and the whole text is never in memory.
 */
export async function respondInParts(request: Request, parts: AsyncIterator<string>): Promise<Response> {
  const isGzip = encodingFor(request.headers.get('accept-encoding') ?? '') === 'gzip'
  let text = ''
  for (;;) {
    const { value, done } = await parts.next()
    if (done) return respondJson(request, text)
    text += value
    if (isGzip && text.length >= COMPRESS_APART_FROM) break
  }
  const body = await gzipParts(text, parts)
  return new Response(body as Uint8Array<ArrayBuffer>, { headers: { ...jsonHeaders, 'Content-Encoding': 'gzip' } })
}

async function gzipParts(first: string, others: AsyncIterator<string>): Promise<Uint8Array> {
  const { createGzip } = await import('node:zlib')
  const stream = createGzip({ level: LEVELS.gzip, chunkSize: CHUNK })
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const compressed: Buffer[] = []
  stream
    .on('data', (chunk: Buffer) => compressed.push(chunk))
    .on('end', resolve)
    .on('error', reject)
  try {
    for (let part: string | undefined = first; part !== undefined; part = (await others.next()).value)
      if (!stream.write(part)) await once(stream, 'drain')
    stream.end()
    await promise
    return Buffer.concat(compressed)
  } finally {
    stream.destroy()
  }
}

type Init = { status: number; headers: Record<string, string> }

type OnSent = (body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string>) => void

/** `onSent` gets the body as it is sent. */
function compressed(request: Request, text: string, init: Init, onSent?: OnSent): Response | Promise<Response> {
  const encoding = text.length < COMPRESS_FROM ? null : encodingFor(request.headers.get('accept-encoding') ?? '')
  if (!encoding) {
    onSent?.(text, init.headers)
    return new Response(text, init)
  }
  const headers = { ...init.headers, 'Content-Encoding': encoding }
  const { now, apart } = encoders[encoding]
  const answer = (bytes: Uint8Array) => {
    onSent?.(bytes as Uint8Array<ArrayBuffer>, headers)
    return new Response(bytes as Uint8Array<ArrayBuffer>, { ...init, headers })
  }
  return text.length < COMPRESS_APART_FROM ? answer(now(text)) : apart(text).then(answer)
}

const encoders = {
  zstd: {
    now: (text: string) => Bun.zstdCompressSync(text, { level: LEVELS.zstd }),
    apart: (text: string) => Bun.zstdCompress(text, { level: LEVELS.zstd }),
  },
  gzip: {
    now: (text: string) => Bun.gzipSync(text, { level: LEVELS.gzip }),
    async apart(text: string) {
      const { gzip } = await import('node:zlib')
      const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>()
      gzip(text, { level: LEVELS.gzip, chunkSize: CHUNK }, (error, bytes) => (error ? reject(error) : resolve(bytes)))
      return promise
    },
  },
}
type Encoding = keyof typeof encoders

/** Clients that read Brotli read gzip too, which is larger by 3 % and faster. */
function encodingFor(accepted: string): Encoding | null {
  const weights = new Map(
    accepted
      .toLowerCase()
      .split(',')
      .map(one => {
        const [name = '', weight = ''] = one.split(';')
        return [name.trim(), Number(/q=([\d.]+)/.exec(weight)?.[1] ?? 1)]
      }),
  )
  const weightOf = (encoding: Encoding) => weights.get(encoding) ?? 0
  if (weightOf('zstd') > 0 && weightOf('zstd') >= weightOf('gzip')) return 'zstd'
  return weightOf('gzip') > 0 ? 'gzip' : null
}

/** Items of a list that are read, presented or written at once: a few milliseconds of work. */
const PART = 1_000

/**
 * Works through a long list in parts, and lets other requests be answered between them. `size`: fewer where an item
 * takes longer.
 */
export async function inParts<Item>(
  items: readonly Item[],
  work: (part: readonly Item[]) => void,
  size = PART,
): Promise<void> {
  for (let from = 0; from < items.length; from += size) {
    if (from > 0) await new Promise(setImmediate)
    work(items.slice(from, from + size))
  }
}

/** Writes a value as JSON; a long list in parts. */
function writeJson(value: unknown): string | Promise<string> {
  return Array.isArray(value) && value.length > PART ? writeList(value) : JSON.stringify(value)
}

async function writeList(items: readonly unknown[]): Promise<string> {
  const texts: string[] = []
  await inParts(items, part => {
    texts.push(JSON.stringify(part).slice(1, -1))
  })
  return `[${texts.join(',')}]`
}

/** Headers of every response, unless it sets its own. */
export const commonHeaders = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
}

/** Response headers for content that came from a feed: a browser may play or show it, but never runs it as a page. */
export const inert = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; form-action 'none'; frame-ancestors 'none'; sandbox",
}
