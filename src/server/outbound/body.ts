import { OutboundError } from './error'

type Limits = { maxBytes: number; idleMs: number; host: string }

/** Yields the chunks of a body, each within `idleMs` of the last. Throws `too-large` beyond `maxBytes`. */
export async function* chunksOf(response: Response, { maxBytes, idleMs, host }: Limits): AsyncGenerator<Uint8Array> {
  const reader = response.body?.getReader()
  if (!reader) return
  let received = 0
  try {
    for (;;) {
      const { value, done } = await within(idleMs, reader.read(), host).catch(error => {
        throw error instanceof OutboundError ? error : new OutboundError('unreachable', host, { cause: error })
      })
      if (done) return
      received += value.byteLength
      if (received > maxBytes) throw new OutboundError('too-large', host)
      yield value
    }
  } finally {
    // Not awaited: the host may be the very one that no longer answers.
    reader.cancel().catch(() => undefined)
  }
}

/**
 * Frees the memory of a chunk that nobody needs any more: the garbage collector may not do so for hundreds of
 * megabytes.
 */
export function release({ buffer, byteLength }: Uint8Array) {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0)
}

type WholeLimits = Limits & { totalMs: number }

/** Reads a whole body within `totalMs` and `maxBytes`. */
export async function readBody(response: Response, limits: WholeLimits): Promise<Uint8Array> {
  const { chunks, failure } = await receive(response, limits)
  if (failure) throw failure
  return join(chunks)
}

/**
 * Reads a body, or the part that was received, into separate memory, which can be moved to another thread. `isCut`: the
 * host closed the connection before the end. Throws for every other failure.
 */
export async function readAvailable(
  response: Response,
  limits: WholeLimits,
): Promise<{ body: Uint8Array<ArrayBuffer>; isCut: boolean }> {
  const { chunks, failure } = await receive(response, limits)
  if (failure && failure.code !== 'unreachable') throw failure
  return { body: join(chunks), isCut: failure !== null }
}

async function receive(response: Response, limits: WholeLimits) {
  const endsAt = performance.now() + limits.totalMs
  const chunks: Uint8Array[] = []
  try {
    for await (const chunk of chunksOf(response, limits)) {
      if (performance.now() > endsAt) throw new OutboundError('timeout', limits.host)
      chunks.push(chunk)
    }
    return { chunks, failure: null }
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    return { chunks, failure: error }
  }
}

/** Joins chunks and frees each one at once, so that a large body is never in memory twice. */
function join(chunks: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(chunks.reduce((sum, { byteLength }) => sum + byteLength, 0))
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.byteLength
    release(chunk)
  }
  return whole
}

async function within<T>(ms: number, work: Promise<T>, host: string): Promise<T> {
  let timer: Timer | undefined
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new OutboundError('timeout', host)), ms)
  })
  try {
    return await Promise.race([work, tooLate])
  } finally {
    clearTimeout(timer)
  }
}

const MIB = 1024 * 1024
/** The most that a body may grow, beyond `ALWAYS`: sound hardly grows at all, and silence in a WAV file 1,000 times. */
const MAX_TIMES = 200
const ALWAYS = 64 * MIB

/** Whether a response is compressed although that wasn't requested. */
export const isEncoded = ({ headers }: Response) =>
  !['', 'identity'].includes(headers.get('content-encoding')?.trim().toLowerCase() ?? '')

/**
 * Decompresses the body of a whole response that a host compressed, although `identity` was asked for. Its bytes
 * decide: some hosts call plain files gzip. Only Brotli has no signature. The result has neither a length nor
 * validators, which were those of the compressed bytes. Its body fails with `too-large` if it grows more than anything
 * that plays.
 */
export async function withoutEncoding(response: Response, host: string): Promise<Response> {
  if (!isEncoded(response) || !response.body) return response
  const { start, rest } = await readStart(response.body, 8)
  const format = formatOf(start, response.headers.get('content-encoding')!)
  const headers = new Headers(response.headers)
  for (const name of ['content-encoding', 'content-length', 'etag', 'last-modified']) headers.delete(name)
  return new Response(format ? inflated(rest, format, host) : rest, { status: response.status, headers })
}

type Format = 'gzip' | 'deflate' | 'zstd' | 'brotli'

function formatOf(start: Uint8Array, encoding: string): Format | null {
  if (start[0] === 0x1f && start[1] === 0x8b) return 'gzip'
  if (isZstd(start)) return 'zstd'
  if (/deflate/i.test(encoding) && isZlib(start)) return 'deflate'
  // Brotli has no signature; media that a host wrongly calls Brotli have one.
  return /\bbr\b/i.test(encoding) && !isMedia.test(Buffer.from(start).toString('latin1')) ? 'brotli' : null
}

const isMedia = /^(?:ID3|OggS|fLaC|RIFF|[\xff][\xe0-\xff]|[^]{4}ftyp)/

/** Whether these bytes begin a frame of Zstandard (RFC 8878). */
export const isZstd = ([first, second, third, fourth]: Uint8Array) =>
  first === 0x28 && second === 0xb5 && third === 0x2f && fourth === 0xfd

const isZlib = (start: Uint8Array) => (start[0]! & 15) === 8 && ((start[0]! << 8) | (start[1] ?? 0)) % 31 === 0

function inflated(body: ReadableStream<Uint8Array>, format: Format, host: string) {
  let received = 0
  let made = 0
  const incoming = body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array<ArrayBuffer>>({
      transform(chunk, controller) {
        received += chunk.byteLength
        controller.enqueue(new Uint8Array(chunk))
      },
    }),
  )
  return incoming.pipeThrough(new DecompressionStream(format as CompressionFormat)).pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        made += chunk.byteLength
        if (made > ALWAYS + MAX_TIMES * received) throw new OutboundError('too-large', host)
        controller.enqueue(chunk)
      },
    }),
  )
}

/** Reads the first bytes of a stream, at least `wanted` unless it ends before; `rest` still begins with them. */
export async function readStart(
  body: ReadableStream<Uint8Array>,
  wanted: number,
): Promise<{ start: Uint8Array; rest: ReadableStream<Uint8Array> }> {
  const reader = body.getReader()
  const chunks: Uint8Array[] = []
  let length = 0
  while (length < wanted) {
    const { value, done } = await reader.read()
    if (done) break
    chunks.push(value)
    length += value.byteLength
  }
  const start = Buffer.concat(chunks)
  const rest = new ReadableStream<Uint8Array>({
    start: controller => controller.enqueue(start),
    async pull(controller) {
      const { value, done } = await reader.read()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel: reason => reader.cancel(reason),
  })
  return { start, rest }
}
