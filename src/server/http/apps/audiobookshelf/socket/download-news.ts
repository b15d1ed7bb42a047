import type { DomainEvents } from '../../../../platform/events'
import type { UserRow } from '../../../../store/users'
import { presentDownload } from '../shapes/download'
import { libraryIdOf } from '../shapes/library'
import { eventMessage } from './messages'
import type { NewsNeeds } from './news-needs'
import { sendTo, signedInPeers } from './peers'

type Progress = DomainEvents['downloadProgress']
type Step = 'queued' | 'started' | 'finished'

const stepOf: Partial<Record<Progress['state'], Step>> = {
  queued: 'queued',
  running: 'started',
  done: 'finished',
  failed: 'finished',
  cancelled: 'finished',
}

/** Downloads that are remembered; of more than these, an app hears a step twice. */
const MAX_REMEMBERED = 10_000

/** Notifies apps of the steps of downloads, each once. */
export function createDownloadNews({ app, peers }: Omit<NewsNeeds, 'limits'>) {
  const steps = new Map<string, Step>()

  function isNew({ id }: Progress, step: Step): boolean {
    if (steps.get(id) === step) return false
    if (step === 'finished') steps.delete(id)
    else steps.set(id, step)
    if (steps.size > MAX_REMEMBERED) steps.clear()
    return true
  }

  return {
    progressed(event: Progress) {
      const step = stepOf[event.state]
      if (!step || !isNew(event, step)) return
      const episode = app.store.episodes.findByEid(event.eid)
      if (!episode) return
      sendTo(
        signedInPeers(peers),
        user => String(user.explicit_consent),
        user => {
          const shown = shownTo(app, libraryIdOf(app), user, event.id, episode.id)
          return shown && eventMessage(`episode_download_${step}`, shown)
        },
      )
    },
  }
}

/** A download; null if the user may not see its episode. One that was cancelled has no row any more. */
function shownTo({ store, now }: NewsNeeds['app'], libraryId: string, user: UserRow, id: string, episodeId: number) {
  const [episode] = store.catalogue.episodes(user, [episodeId], false)
  const [podcast] = episode ? store.catalogue.podcasts(user, [episode.podcast_id]) : []
  if (!episode || !podcast) return null
  const gone = { uuid: id, state: 'queued', started_at: null, created_at: now(), finished_at: now() } as const
  return presentDownload({ row: store.downloads.findByUuid(id) ?? gone, episode, podcast, libraryId })
}
