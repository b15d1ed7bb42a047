import { OutboundError } from '../outbound/error'
import { Problem } from '../platform/problem'
import type { FetchFailure } from './fetch/fetch'
import { expectedFeed } from './parse/not-a-feed'
import type { NotDigested } from './digester'

/** The reason why a feed cannot be subscribed to, for the person who asked. */
export function problemOf({ code, message, host, status, type = '' }: FetchFailure): Problem {
  const args: Record<FetchFailure['code'], Record<string, string>> = {
    'feed-unreachable': { host, status: String(status ?? '') },
    'feed-closed': { host },
    'feed-redirects': { host },
    'feed-challenge': { host },
    'feed-gone': { status: String(status ?? '') },
    'feed-needs-credentials': {},
    'feed-refused': { host },
    'address-not-allowed': { field: 'rssFeedUrl' },
    'too-large-upstream': { limit: '64 MB' },
    'upstream-timeout': { host },
    'proxy-failed': { host },
    'not-a-feed': { type },
  }
  return new Problem(code, message, args[code])
}

export function problemOfBody(read: NotDigested): Problem {
  if (read.reason === 'too-large') return new Problem('too-large-upstream', read.message, { limit: read.limit })
  return new Problem('not-a-feed', expectedFeed(read.type), { type: read.type })
}

export const unreadable = () => new Problem('not-a-feed', 'The feed could not be read', { type: 'unreadable' })

export const alreadyAdded = (name: string) =>
  new Problem('podcast-already-added', `The podcast ${name} is already in the library`, { name })

/** Rethrows an error of `reachOf` as a problem with the typed address. */
export function refuseAddress(error: unknown): never {
  if (!(error instanceof OutboundError)) throw error
  if (error.code === 'address-not-allowed')
    throw new Problem('address-not-allowed', error.message, { field: 'rssFeedUrl' })
  throw new Problem('feed-unreachable', 'The host could not be found', { host: error.host, status: '' })
}
