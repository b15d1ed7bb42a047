import type { DestinationKind, PushSubscriptionKeys } from '../../shared/api/destination'
import { randomBytes } from '../platform/crypto'
import { invalidField } from '../platform/problem'
import type { Secret } from '../platform/secret'

/** Everything secret about a destination; kept sealed. */
export type Target = {
  /** Address of the topic, the server, the hook or the subscription; may contain a user name and a password. */
  address: string
  /** An access token, or `user:password`; null = none. */
  token: string | null
  /** Signs the requests of a webhook; null = it is none. */
  secret: string | null
  /** Keys of a browser's subscription; null for other kinds. */
  keys: { p256dh: string; auth: string } | null
}

export const sealTarget = (secret: Secret, target: Target) => secret.seal(JSON.stringify(target))
export const openTarget = (secret: Secret, sealed: Uint8Array) => JSON.parse(secret.open(sealed)) as Target

/** A secret that a receiver checks signatures with. */
export const makeSigningSecret = () => `whsec_${randomBytes(32).toString('base64url')}`

/** Throws `invalid-field` for an address that is not of this kind. */
export function readAddress(kind: DestinationKind, text: string): string {
  const url = URL.parse(text.trim())
  if (!url || !/^https?:$/.test(url.protocol)) throw invalidField('address', 'expected an address with http or https')
  url.hash = ''
  if (kind === 'ntfy') requireTopic(url)
  if (kind === 'apprise' && !/\/notify\/[^/]+\/?$/.test(url.pathname))
    throw invalidField('address', 'expected an address that ends with /notify/ and a key')
  if (kind === 'gotify') url.pathname = url.pathname.replace(/\/message\/?$/, '/')
  return url.href
}

function requireTopic(url: URL) {
  url.pathname = url.pathname.replace(/\/$/, '')
  url.search = ''
  if (!/^\/[\w-]{1,64}$/.test(url.pathname)) throw invalidField('address', 'expected an address that ends with a topic')
}

export const targetOfSubscription = ({ endpoint, p256dh, auth }: PushSubscriptionKeys): Target => ({
  address: readAddress('push', endpoint),
  token: null,
  secret: null,
  keys: { p256dh, auth },
})
