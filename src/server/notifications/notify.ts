import { DAY, type Clock } from '../clock'
import type { DomainEvent, DomainEvents, Publish } from '../events'
import type { Store } from '../store'
import type { NewNotification } from '../store/notifications'

const KEPT_MS = 30 * DAY

/**
 * Turns what happened into notices of those whom it concerns: a finished download to whoever asked for it and those who
 * favour the podcast, new episodes to those who favour it, a download that was given up to admins, once an episode.
 */
export function createNotifications({ store, publish, now }: { store: Store; publish: Publish; now: Clock }) {
  function tell(users: readonly { id: number }[], notice: Omit<NewNotification, 'userId'>) {
    for (const { id: userId } of users) {
      const notificationId = store.notifications.add({ userId, ...notice }, now())
      publish({ type: 'notification', userId, notificationId })
    }
  }
  const whoSee = (users: { id: number; explicit_consent: number }[], ...rows: { explicit: number }[]) =>
    rows.some(row => row.explicit === 1) ? users.filter(user => user.explicit_consent === 1) : users

  function find(episodeId: number) {
    const episode = store.episodes.find(episodeId)
    const podcast = episode && store.podcasts.find(episode.podcast_id)
    return episode && podcast ? { episode, podcast } : null
  }

  function downloaded({ episodeId, wasKept }: DomainEvents['offlineAvailable']) {
    // Nothing came: that it is here was known before.
    const found = wasKept ? null : find(episodeId)
    if (!found) return
    const { episode, podcast } = found
    const asked = store.downloads.findOfEpisode(episodeId)?.requested_by ?? null
    tell(whoSee(store.notifications.followersOf(podcast.id, asked), episode, podcast), {
      type: 'Download',
      message: episode.title,
      podcastId: podcast.id,
      episodeId,
    })
  }

  function added({ podcastId, total, explicitTotal }: DomainEvents['addedEpisodes']) {
    const podcast = store.podcasts.find(podcastId)
    if (!podcast) return
    const users = store.notifications.followersOf(podcastId, null)
    const hasVisible = total > explicitTotal && podcast.explicit === 0
    tell(hasVisible ? users : users.filter(user => user.explicit_consent === 1), {
      type: 'NewEpisodes',
      message: podcast.title,
      podcastId,
      episodeId: null,
    })
  }

  function gaveUp({ id, state }: DomainEvents['downloadProgress']) {
    if (state !== 'failed') return
    const download = store.downloads.findByUuid(id)
    const found = download && find(download.episode_id)
    if (!found || store.notifications.wasTold('DownloadFailed', found.episode.id)) return
    const { episode, podcast } = found
    tell(whoSee(store.users.listAdmins(), episode, podcast), {
      type: 'DownloadFailed',
      message: episode.title,
      podcastId: podcast.id,
      episodeId: episode.id,
    })
  }

  return {
    listen(event: DomainEvent) {
      if (event.type === 'offlineAvailable') downloaded(event)
      else if (event.type === 'addedEpisodes') added(event)
      else if (event.type === 'downloadProgress') gaveUp(event)
    },
    removeOld: () => store.notifications.removeDismissed(now() - KEPT_MS),
  }
}
