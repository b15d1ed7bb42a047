import type { BegunWork } from '../begun-work'
import type { DeliveryFailure } from '../../shared/api/notification'
import { parseRetryAfter } from '../feeds/schedule'
import { splitCredentials } from '../outbound/credentials'
import { OutboundError, type OutboundCode } from '../outbound/error'
import type { Outbound } from '../outbound/request'
import { type Clock, SECOND } from '../platform/clock'
import { describeError, type Log } from '../platform/log'
import type { Secret } from '../platform/secret'
import type { Texts } from '../platform/texts'
import type { Store } from '../store'
import type { DestinationRow } from '../store/destinations'
import { findKind } from './kinds'
import type { Kind } from './kinds/kind'
import { writeMessage } from './message'
import type { Announcement } from './news'
import { openTarget, type VapidKeys } from './secrets'

export type SendNeeds = {
  store: Store
  secret: Secret
  outbound: Outbound
  texts: Texts
  vapid: () => VapidKeys
  now: Clock
  log: Log
  begun: BegunWork
}

/** A message as it is sent, with the key that all attempts share. */
export type Sending = { key: string; announcement: Announcement; createdAt: number }

/** The reason why a message was not accepted. `retryAfterMs`: the pause that the host asks for. */
export type SendFailure = { failure: DeliveryFailure; status: number | null; retryAfterMs: number | null }

/** From the connection to the status: a host that takes longer is tried again. */
const TIMEOUT_MS = 15 * SECOND

const failures: Partial<Record<OutboundCode, DeliveryFailure>> = {
  'address-not-allowed': 'not-allowed',
  timeout: 'timeout',
  'proxy-silent': 'timeout',
}

/**
 * Sends a message once; null = it was accepted. The address is checked again, by what its owner may reach now. Throws
 * only the reason of an aborted signal.
 */
export async function send(
  needs: SendNeeds,
  destination: DestinationRow,
  { key, announcement, createdAt }: Sending,
  signal: AbortSignal,
): Promise<SendFailure | null> {
  const { store, secret, outbound, now, log } = needs
  try {
    const kind = findKind(destination.kind)
    if (!kind) throw new Error('This version knows no such kind of destination')
    const isAdmin = store.users.find(destination.user_id)?.role === 'admin'
    const target = openTarget(secret, destination.target)
    const message = writeMessage(await needs.texts(destination.language), announcement)
    const delivery = {
      target,
      key,
      announcement,
      message,
      baseUrl: destination.base_url,
      createdAt,
      now: now(),
      vapid: needs.vapid,
    }
    const { address, headers, body } = await kind.request(delivery)
    const { response } = await outbound.post(address, body, {
      reach: await outbound.reachOf(address, isAdmin),
      privateHeaders: headers,
      credentials: splitCredentials(address).credentials,
      timeoutMs: TIMEOUT_MS,
      signal,
    })
    // Nobody reads a receiver's answer, however long it is.
    response.body?.cancel().catch(() => undefined)
    return failureOf(response, kind, now())
  } catch (error) {
    if (signal.aborted) throw signal.reason
    if (error instanceof OutboundError)
      return { failure: failures[error.code] ?? 'unreachable', status: error.status, retryAfterMs: null }
    log.error('Delivery failed', { kind: destination.kind, host: destination.host, error: describeError(error) })
    return { failure: 'unexpected', status: null, retryAfterMs: null }
  }
}

function failureOf({ ok, status, headers }: Response, { endsAt }: Kind, now: number): SendFailure | null {
  if (ok) return null
  const retryAfterMs = parseRetryAfter(headers.get('retry-after'), now)
  if (endsAt?.includes(status)) return { failure: 'ended', status, retryAfterMs: null }
  return { failure: status >= 300 && status < 400 ? 'redirected' : 'refused', status, retryAfterMs }
}
