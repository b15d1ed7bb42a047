import type { Config } from '../config'
import type { Publish } from '../platform/events'
import type { Store } from '../store'
import { keyHash } from './keys'

/** A random uuid (version 8, RFC 9562) that says which API key began its session, so that it can end with the key. */
export const uuidMarkedBy = (apiKey: string) => markOf(keyHash(apiKey)) + crypto.randomUUID().slice(15)

/** The beginning of the uuid of each session that an API key began, by the key's hash. */
function markOf(hash: string | null): string {
  if (hash === null) return ''
  const digest = keyHash(`app session ${hash}`)
  return `${digest.slice(0, 8)}-${digest.slice(8, 12)}-8`
}

/** Ends sessions of apps that were begun with what is no longer a key of this user; answers their ids. */
export function removeSessionsOfOtherKeys(store: Store, config: Config, userId: number): number[] {
  const { id, api_key_hash, built_in } = store.users.find(userId)!
  const configured = built_in && config.apiKey !== null ? keyHash(config.apiKey) : null
  return store.appSessions.removeOfOtherKeys(id, markOf(api_key_hash), markOf(configured))
}

/** Reports the end of sessions of apps, after the commit. */
export function reportEnded(publish: Publish, ids: readonly number[]) {
  for (const appSessionId of ids) publish({ type: 'appSessionEnded', appSessionId })
}
