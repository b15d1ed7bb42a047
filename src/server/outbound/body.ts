import { OutboundError } from './request'

type Limits = { maxBytes: number; idleMs: number; host: string }

/** The chunks of a body, each within `idleMs` of the last; a total of more than `maxBytes` is refused. */
export async function* chunksOf(response: Response, { maxBytes, idleMs, host }: Limits): AsyncGenerator<Uint8Array> {
  const reader = response.body?.getReader()
  if (!reader) return
  let received = 0
  try {
    for (;;) {
      const { value, done } = await within(idleMs, reader.read(), host).catch(error => {
        throw error instanceof OutboundError ? error : new OutboundError('unreachable', host, error)
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

/** A whole body, which must be here within `totalMs` and hold no more than `maxBytes`. */
export async function readBody(response: Response, limits: Limits & { totalMs: number }): Promise<Uint8Array> {
  const endsAt = performance.now() + limits.totalMs
  const chunks: Uint8Array[] = []
  for await (const chunk of chunksOf(response, limits)) {
    if (performance.now() > endsAt) throw new OutboundError('timeout', limits.host)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
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
