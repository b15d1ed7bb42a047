import { normaliseFeedAddress } from '../feeds/fetch/address'
import { splitCredentials } from '../outbound/credentials'
import type { Store } from '../store'
import { isFolderAddress } from '../store/feeds'
import type { PodcastRow } from '../store/podcasts'
import { folded } from '../store/podcast-settings'
import type { Viewer } from '../store/visibility'
import { UsageError } from './arguments'
import { plain } from './terminal'

/** Sees everything: a person who runs commands on this machine may read the whole database. */
export const operator: Viewer = { id: 0, explicit_consent: 1 }

const MAX_NAMED = 10

/** Finds a podcast by its title, its address or its id. Throws `UsageError`, with the podcasts that may be meant. */
export function requirePodcast({ podcasts }: Store, name: string): PodcastRow {
  const found = podcasts.findVisible(operator, name) ?? findByAddress(podcasts, name)
  if (found) return found
  const wanted = folded(name.trim())
  const similar = podcasts.findByTitle(operator, [wanted], Number.MAX_SAFE_INTEGER)
  const same = similar.filter(({ title }) => folded(title.trim()) === wanted)
  if (same.length === 1) return podcasts.find(same[0]!.id)!
  if (same.length > 1)
    throw new UsageError(`${same.length} podcasts have the title "${plain(name)}". Name one by its id:${listed(same)}`)
  const others = wanted === '' || similar.length === 0 ? '' : ` Perhaps you mean:${listed(similar)}`
  throw new UsageError(`There is no podcast "${plain(withoutPassword(name))}".${others}`)
}

function findByAddress(podcasts: Store['podcasts'], name: string): PodcastRow | null {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(name)) return null
  try {
    return podcasts.findByFeed(splitCredentials(normaliseFeedAddress(name)).address)
  } catch {
    return null
  }
}

type Named = Pick<PodcastRow, 'uuid' | 'title' | 'feed_url'>

function listed(rows: readonly Named[]): string {
  const lines = rows.slice(0, MAX_NAMED).map(({ uuid, title, feed_url }) => {
    return `\n  ${uuid}  ${plain(title)}${isFolderAddress(feed_url) ? '' : `, ${feed_url}`}`
  })
  return lines.join('') + (rows.length > MAX_NAMED ? `\n  and ${rows.length - MAX_NAMED} more` : '')
}

/** Returns what somebody typed as an address without the user name and password in it. */
export function withoutPassword(typed: string): string {
  if (!typed.includes('@') || !/[:/]/.test(typed)) return typed
  const url = URL.parse(typed)
  const isWeb = url?.protocol === 'http:' || url?.protocol === 'https:'
  return isWeb ? splitCredentials(url.href).address : typed.slice(typed.lastIndexOf('@') + 1)
}
