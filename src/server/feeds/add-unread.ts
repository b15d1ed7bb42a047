import { OutboundError } from '../outbound/error'
import { splitCredentials } from '../outbound/credentials'
import { publicOnly } from '../outbound/reach'
import type { PodcastFacts, PodcastRow } from '../store/podcasts'
import type { UserRow } from '../store/users'
import { privacyOf } from './fetch/access'
import { normaliseFeedAddress } from './fetch/address'
import { ensureIsNew, requireShare } from './admission'
import { hostOf } from './apply/apply'
import type { FeedsNeeds } from './needs'
import { refuseAddress } from './problems'

export type AddUnreadNeeds = Pick<FeedsNeeds, 'store' | 'outbound' | 'secret' | 'publish' | 'now'> & {
  /** A folder of the media root that no other podcast has. */
  folderFor: (podcast: PodcastFacts & { title: string; added_at: number }) => string
  podcastLimit: number
}

/** Facts of a feed that was never read. */
export const noFacts: PodcastFacts = {
  author: null,
  summary: null,
  language: null,
  keywords: null,
  link: null,
  guid: null,
  medium: null,
  explicit: 0,
  serial: 0,
  image_url: null,
  extras: '{}',
  built_at: null,
  feed_items: 0,
  feed_unplayable: 0,
  guid_evidence: null,
}

/**
 * Adds a podcast whose feed does not answer, with what another program knew about it; its feed is due at once. Throws a
 * `Problem` if the address must not be requested or is in the library, or the person may add no more.
 */
export async function addUnread(needs: AddUnreadNeeds, user: UserRow, typed: string, title: string | null) {
  const { store, outbound, secret, now } = needs
  const { address, credentials } = splitCredentials(normaliseFeedAddress(typed))
  ensureIsNew(store, address, user)
  const reach = await outbound.reachOf(address, user.role === 'admin').catch((error: unknown) => {
    // A host that no longer exists has no address.
    if (error instanceof OutboundError && error.code !== 'address-not-allowed') return publicOnly
    return refuseAddress(error)
  })
  const podcast = store.inTransaction((): PodcastRow => {
    ensureIsNew(store, address, user)
    requireShare(store, user, needs.podcastLimit)
    const name = title ?? hostOf(address)
    const folder = needs.folderFor({ ...noFacts, title: name, added_at: now() })
    const privacy = privacyOf(reach)
    const row = store.podcasts.add({ title: name, folder, feedUrl: address, privacy, userId: user.id, now: now() })
    if (credentials) store.podcasts.setCredential(row.id, secret.seal(JSON.stringify(credentials)))
    return row
  })
  needs.publish({ type: 'addedPodcast', podcastId: podcast.id, source: 'import' })
  return podcast
}
