import { OutboundError } from './error'

type Limits = { maxBytes: number; idleMs: number; host: string }

/** The chunks of a body, each within `idleMs` of the last; a total of more than `maxBytes` is refused. */
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

type WholeLimits = Limits & { totalMs: number }

/** A whole body, which must be here within `totalMs` and hold no more than `maxBytes`. */
export async function readBody(response: Response, limits: WholeLimits): Promise<Uint8Array> {
  const { chunks, failure } = await receive(response, limits)
  if (failure) throw failure
  return Buffer.concat(chunks)
}

/**
 * A body as far as it came, in memory that all threads share. `isCut`: the host closed the connection before the end;
 * what else goes wrong is thrown.
 */
export async function readAvailable(
  response: Response,
  limits: WholeLimits,
): Promise<{ body: Uint8Array; isCut: boolean }> {
  const { chunks, failure } = await receive(response, limits)
  if (failure && failure.code !== 'unreachable') throw failure
  return { body: share(chunks), isCut: failure !== null }
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

/** Joins chunks and gives each one's memory back at once: a large body is never there twice. */
function share(chunks: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(new SharedArrayBuffer(chunks.reduce((sum, { byteLength }) => sum + byteLength, 0)))
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.byteLength
    const { buffer } = chunk
    if (buffer instanceof ArrayBuffer && buffer.byteLength === chunk.byteLength) buffer.transfer(0)
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
