import { FeedLook } from '../../../shared/api/podcast'
import { PodcastPreview } from '../../../shared/api/podcast-preview'
import type { Context } from '../../context'
import { freeBytes } from '../../storage/folder'
import type { UserRow } from '../../store/users'
import type { SignedInRoutes } from '../core/signed-in'

/** Shows what is at an address before it is added. */
export const podcastPreview = (routes: SignedInRoutes, app: Context) =>
  routes.post(
    '/api/v1/podcasts/preview',
    async ({ user, body, request }): Promise<PodcastPreview> => {
      const seen = await app.previewFeed(user, body.rssFeedUrl, request.signal, body.userAgent)
      return seen.kind === 'feed' ? { ...seen, downloads: await downloadsFor(app, user) } : seen
    },
    { body: FeedLook, response: PodcastPreview },
  )

/** The downloads that follow an addition; null for plain users, for whom the settings decide. */
async function downloadsFor({ store, config }: Context, { role }: UserRow) {
  if (role === 'user') return null
  const { autoDownload, podcastPrefill } = store.settings.current()
  return {
    usual: autoDownload ? podcastPrefill : 0,
    follows: autoDownload,
    // The folder of the media is made for the first download.
    freeBytes: await freeBytes(config.podcastFolder).catch(() => freeBytes(config.dataFolder)),
  }
}
