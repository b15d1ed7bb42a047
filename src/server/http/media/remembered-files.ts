import type { Context } from '../../context'
import { hasBody } from '../core/body'
import type { IncomingRequest } from '../core/incoming'
import { peerOf } from '../core/server-url'
import { sendFile, type SendableFile } from './local-file'

// Why: docs/internals/decisions/0024

const MAX_REMEMBERED = 256
const MAX_KEY_LENGTH = 4096

type Remembered = { file: SendableFile; writes: number }
type Arrived = { key: string; writes: number }

/**
 * Remembers which file a request was answered with, so that a player that reads it range by range is asked once who it
 * is and what it may hear. The same request, but for the range, gets the same file as long as
 *
 * - this process has written nothing into the database since the first one arrived: no session, account, key, episode
 * or
 *   file has changed;
 * - what is known of the file is current: that ends after a second, and when the file is moved or deleted. What another
 *   process writes is therefore seen within a second as well.
 */
export function createRememberedFiles({ config, store, files }: Context) {
  const remembered = new Map<string, Remembered>()
  const arrived = new WeakMap<Request, Arrived>()
  /** Headers that count if a trusted proxy sent them. */
  const claims = ['x-forwarded-proto', 'x-forwarded-host', 'x-forwarded-prefix']
  if (config.proxy) claims.push(config.proxy.header)

  /** Everything in a request that decides about its answer, but for the range; null if it is not one for a range. */
  function keyOf({ request, server }: IncomingRequest): string | null {
    const { method, url, headers } = request
    if (method !== 'GET' || !headers.has('range') || headers.has('upgrade') || hasBody(request)) return null
    // No header holds a line break or a NUL, so that different requests have different keys.
    let key = url
    for (const name of ['cookie', 'authorization', 'host']) key += `\n${headers.get(name) ?? '\0'}`
    if (claims.some(name => headers.has(name)))
      for (const part of [peerOf(request, server)(), ...claims.map(name => headers.get(name))])
        key += `\n${part ?? '\0'}`
    return key.length > MAX_KEY_LENGTH ? null : key
  }

  return {
    /** Answers from memory; null when the request must be looked at. */
    answer(incoming: IncomingRequest): Response | null {
      const key = keyOf(incoming)
      if (key === null) return null
      const writes = store.writes()
      const known = remembered.get(key)
      if (known?.writes !== writes || !files.folder.areCurrent(known.file.path, known.file.facts)) {
        arrived.set(incoming.request, { key, writes })
        return null
      }
      const response = sendFile(known.file, incoming.request)
      // A refusal has other headers, which are not made here.
      return response.status === 416 ? null : response
    },

    /** Notes the file that a request is answered with. */
    remember(request: Request, file: SendableFile) {
      const known = arrived.get(request)
      if (!known) return
      if (remembered.size >= MAX_REMEMBERED) remembered.clear()
      remembered.set(known.key, { file, writes: known.writes })
    },
  }
}
export type RememberedFiles = ReturnType<typeof createRememberedFiles>
