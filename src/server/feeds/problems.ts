import { Problem } from '../platform/problem'
import type { FetchFailure } from './fetch'

/** Why a feed cannot be subscribed to, for the person who asked. */
export function problemOf({ code, message, host, status }: FetchFailure): Problem {
  const args: Record<FetchFailure['code'], Record<string, string>> = {
    'feed-unreachable': { host, status: String(status ?? '') },
    'feed-closed': { host },
    'feed-redirects': { host },
    'feed-challenge': { host },
    'feed-gone': { status: String(status ?? '') },
    'feed-needs-credentials': {},
    'address-not-allowed': { field: 'rssFeedUrl' },
    'too-large-upstream': { limit: '64 MB' },
    'upstream-timeout': { host },
    'not-a-feed': { type: message },
  }
  return new Problem(code, code === 'not-a-feed' ? `Expected a feed, got ${message}` : message, args[code])
}

export const alreadyAdded = (name: string) =>
  new Problem('podcast-already-added', `Podcast ${name} already added`, { name })
