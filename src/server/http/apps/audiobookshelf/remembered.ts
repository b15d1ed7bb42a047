import type { Context } from '../../../context'
import type { AppRequest } from './protocol'

/** A shorter answer is not worth keeping. */
const REMEMBER_FROM = 64 * 1024
const MAX_BYTES = 24 * 1024 * 1024

/** Everything that an answer depends on besides what is stored. */
const keyOf = ({ user, parts, query, request }: AppRequest) =>
  [user.id, ...Object.values(parts), query, request.headers.get('accept-encoding')].join('\n')

type Whole = { body: Uint8Array<ArrayBuffer>; headers: Headers }
/** `bytes`: 0 until it is complete. */
type Remembered = { version: string; whole: Promise<Whole>; bytes: number }

/**
 * Remembers the longest answers while nothing is written into the database, by this process or another: an app that
 * shows an episode asks for its whole podcast again. Requests in the meantime wait for the same answer.
 */
export function createRemembered({ store }: Pick<Context, 'store'>) {
  const remembered = new Map<string, Remembered>()

  function forget(key: string, one: Remembered) {
    if (remembered.get(key) === one) remembered.delete(key)
  }

  /** Notes how long an answer is, and drops the oldest until all of them together are short enough. */
  function keep(key: string, one: Remembered, bytes: number) {
    one.bytes = bytes
    if (bytes < REMEMBER_FROM || bytes > MAX_BYTES) return forget(key, one)
    let all = remembered.values().reduce((sum, other) => sum + other.bytes, 0)
    for (const [oldest, { bytes: freed }] of remembered) {
      if (all <= MAX_BYTES) return
      remembered.delete(oldest)
      all -= freed
    }
  }

  function begin(key: string, version: string, make: () => Promise<Response>): Remembered {
    const whole = make().then(async response => ({ body: await response.bytes(), headers: response.headers }))
    const one = { version, whole, bytes: 0 }
    remembered.delete(key)
    remembered.set(key, one)
    whole.then(
      ({ body }) => keep(key, one, body.byteLength),
      () => forget(key, one),
    )
    return one
  }

  return async (asked: AppRequest, make: () => Promise<Response>): Promise<Response> => {
    const key = keyOf(asked)
    const version = store.written()
    const known = remembered.get(key)
    const { body, headers } = await (known?.version === version ? known : begin(key, version, make)).whole
    return new Response(body, { headers: new Headers(headers) })
  }
}
