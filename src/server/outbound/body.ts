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
