import { type Clock, MINUTE } from '../platform/clock'
import { readBody } from './body'
import { OutboundError } from './error'
import { proxyFor, type ProxyNeeds, wayFor } from './reach'

/** A body of known length, and the address in the configuration that it is sent to. Times in milliseconds. */
export type Upload = {
  address: string
  headers: Record<string, string>
  /** Bytes of the body. */
  length: number
  chunks: AsyncIterable<Uint8Array>
  /** The longest time without the host accepting, or the source giving, any more bytes. */
  stallMs: number
  /** The longest time for sending, and then for the answer. */
  sendMs: number
  answerMs: number
  /** The longest answer. */
  maxBytes: number
  onSent: (bytes: number) => void
  signal: AbortSignal
  /** A clock that never runs backwards. */
  elapsed: Clock
}

export type Answer = { status: number; headers: Headers; body: Uint8Array }

/** The host stopped accepting the body, or accepted it too slowly. */
export class UploadStalled extends Error {
  override name = 'UploadStalled'
}

/** The source's chunks aren't what they should be. */
export class SourceFailed extends Error {
  override name = 'SourceFailed'
}

type Phase = 'reading' | 'sending' | 'answering'

/**
 * POSTs a body as it is read, a chunk at a time and no faster than the host accepts it, and reads the answer, whatever
 * its status. The address is from the configuration, so the rules for feeds don't apply; redirects are not followed.
 *
 * Throws `UploadStalled`, `SourceFailed`, what `chunks` throws, the reason of the signal, and `OutboundError`.
 */
export async function upload(proxies: ProxyNeeds, sending: Upload): Promise<Answer> {
  const { address, headers, length, stallMs, sendMs, answerMs, maxBytes, signal, elapsed } = sending
  const url = new URL(address)
  const host = url.hostname
  const own = new AbortController()
  const watch = { phase: 'reading' as Phase, since: elapsed(), beganAt: elapsed() }
  const enter = (phase: Phase) => Object.assign(watch, { phase, since: elapsed() })
  const body = streamOf(sending, enter, own)
  const timer = setInterval(
    () => {
      const failure = lateness(watch, elapsed(), { stallMs, sendMs, answerMs }, host)
      if (failure) own.abort(failure)
    },
    Math.min(stallMs, answerMs, MINUTE) / 4,
  )
  const either = AbortSignal.any([signal, own.signal])
  try {
    const response = await fetch(url, {
      method: 'POST',
      body: body.stream,
      headers: { ...headers, 'Content-Length': String(length), 'Accept-Encoding': 'identity' },
      redirect: 'manual',
      decompress: false,
      // The host may close a kept connection just when it is used again.
      keepalive: false,
      signal: either,
      // The watch decides how long to wait, not the runtime.
      timeout: false,
      ...wayFor(proxies, url),
    } as RequestInit)
    enter('answering')
    const bytes = await readBody(response, { maxBytes, idleMs: answerMs, totalMs: answerMs, host })
    return { status: response.status, headers: response.headers, body: bytes }
  } catch (error) {
    if (signal.aborted) throw signal.reason
    if (own.signal.aborted) throw own.signal.reason
    // The host was reached: it broke off its answer.
    if (error instanceof OutboundError)
      throw error.code === 'unreachable' ? new OutboundError('closed', host, { cause: error }) : error
    throw new OutboundError(codeOf(error, proxyFor(proxies, url) !== null), host, { cause: error })
  } finally {
    clearInterval(timer)
    // An answer may arrive before the whole body is sent: then the rest isn't needed.
    own.abort(new Error('the answer is here'))
    body.end()
  }
}

/** The failure so far, if any. */
function lateness(
  { phase, since, beganAt }: { phase: Phase; since: number; beganAt: number },
  now: number,
  { stallMs, sendMs, answerMs }: Pick<Upload, 'stallMs' | 'sendMs' | 'answerMs'>,
  host: string,
): Error | null {
  if (phase === 'answering') return now - since >= answerMs ? new OutboundError('timeout', host) : null
  if (phase === 'sending' && now - since >= stallMs) return new UploadStalled('The host accepted no data for too long')
  if (phase === 'reading' && now - since >= stallMs) return new SourceFailed('The file could not be read in time')
  return now - beganAt >= sendMs ? new UploadStalled('The host accepted the file too slowly') : null
}

/** The body as a stream that reads a chunk only when the last one has been sent. */
function streamOf({ chunks, length, onSent }: Upload, enter: (phase: Phase) => void, own: AbortController) {
  const iterator = chunks[Symbol.asyncIterator]()
  let sent = 0
  let isCancelled = false

  async function next(): Promise<Uint8Array | undefined> {
    const { value, done } = await iterator.next()
    sent += value?.byteLength ?? 0
    if (done ? sent !== length : sent > length) throw new SourceFailed('The file changed while it was sent')
    return value
  }
  async function pull(controller: ReadableStreamDefaultController<Uint8Array>) {
    onSent(sent)
    enter('reading')
    const chunk = await next().catch((error: unknown) => {
      own.abort(error)
      throw error
    })
    if (own.signal.aborted || isCancelled) return
    enter(chunk ? 'sending' : 'answering')
    if (chunk) controller.enqueue(chunk)
    else controller.close()
  }
  /** Called when the host ends the connection, perhaps while a chunk is being read. */
  function cancel() {
    isCancelled = true
  }
  return {
    stream: new ReadableStream<Uint8Array>({ pull, cancel }, { highWaterMark: 0 }),
    /** Closes the source, once it is not being read any more. */
    end: () => void iterator.return?.(undefined).catch(() => undefined),
  }
}

const closedCodes = new Set(['ECONNRESET', 'EPIPE'])

/** Distinguishes a host that ended the connection from one that is not there. */
function codeOf(error: unknown, isProxied: boolean) {
  const { code } = error as { code?: unknown }
  if (isProxied) return code === 'ERR_PROXY_TUNNEL' ? 'proxy-refused' : 'proxy-away'
  return typeof code === 'string' && closedCodes.has(code) ? 'closed' : 'unreachable'
}
