import { noFacts, type AddUnreadNeeds } from '../feeds/add-unread'
import { requireShare } from '../feeds/admission'
import { allInherited, type PodcastSettingsRow } from '../store/podcast-settings'
import type { PodcastRow } from '../store/podcasts'
import type { UserRow } from '../store/users'

/** Settings that a podcast without a feed begins with. */
export const settingsOfFolder: PodcastSettingsRow = { ...allInherited, auto_cleanup: 0 }

/**
 * Adds a podcast that is a folder of files. Its files exist nowhere else: no rule of the library deletes them, unless
 * somebody says so for it. Throws `Problem` for a person who may add no more.
 */
export function addFolderPodcast(needs: AddUnreadNeeds, user: UserRow, address: string, title: string): PodcastRow {
  const { store, now } = needs
  const podcast = store.inTransaction((): PodcastRow => {
    requireShare(store, user, needs.podcastLimit)
    const folder = needs.folderFor({ ...noFacts, title, added_at: now() })
    const row = store.podcasts.add({ title, folder, feedUrl: address, privacy: 0, userId: user.id, now: now() })
    store.podcasts.setActive(row.id, false, now())
    store.podcastSettings.keep(row.id, settingsOfFolder)
    return row
  })
  needs.publish({ type: 'addedPodcast', podcastId: podcast.id, source: 'import' })
  return podcast
}
