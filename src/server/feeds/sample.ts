import { type Clock, HOUR } from '../platform/clock'
import type { Secret } from '../platform/secret'

/** An episode of a feed that is not in the library, to be heard before the feed is added. */
export type Sample = { feed: string; url: string; type: string | null; title: string }
type Needs = { secret: Secret; now: Clock }

/** Seals a sample into a text that only this server can make, so that its relay is open to nothing else. */
export const sealSample = ({ secret, now }: Needs, sample: Sample): string =>
  secret.seal(JSON.stringify({ ...sample, until: now() + HOUR })).toBase64({ alphabet: 'base64url', omitPadding: true })

/** Returns the sample; null if the text is not one of this server, or older than an hour. */
export function openSample({ secret, now }: Needs, sealed: string): Sample | null {
  try {
    const text = secret.open(Uint8Array.fromBase64(sealed, { alphabet: 'base64url' }))
    const { until, ...sample } = JSON.parse(text) as Sample & { until: number }
    return until > now() ? sample : null
  } catch {
    return null
  }
}
