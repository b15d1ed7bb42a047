import { EpisodeTranscription, Transcription, TranscriptionList } from '../../../shared/api/texts'
import type { Context } from '../../context'
import type { TranscriptionRow } from '../../store/transcriptions'
import type { UserRow } from '../../store/users'
import type { SignedInRoutes } from '../core/signed-in'
import { presentEpisodeWork } from './episode-work.present'

const MAX_LISTED = 100

/** Files that wait for the speech server or are being sent to it, and the transcripts that it made. */
export function transcriptions(routes: SignedInRoutes, app: Context) {
  const { store } = app
  routes
    .get('/api/v1/transcriptions', ({ user }) => list(app, user), { response: TranscriptionList })
    .post(
      '/api/v1/transcriptions/:id/retry',
      ({ user, params }) => present(app, user, app.transcriptions.retry(store.transcriptions.require(user, params.id))),
      { role: 'uploader', response: Transcription },
    )
    .delete(
      '/api/v1/transcriptions/:id',
      ({ user, params, set }) => {
        app.transcriptions.cancel(store.transcriptions.require(user, params.id))
        set.status = 204
      },
      { role: 'uploader' },
    )
    .get(
      '/api/v1/podcasts/episodes/:id/transcription',
      ({ user, params }) => {
        const episode = store.episodes.require(user, params.id)
        const row = store.transcriptions.findOfEpisode(episode.id)
        return {
          obstacle: app.transcriptions.findObstacle(episode),
          current: row && row.state !== 'done' ? present(app, user, row) : null,
        }
      },
      { role: 'uploader', response: EpisodeTranscription },
    )
    .post(
      '/api/v1/podcasts/episodes/:id/transcription',
      ({ user, params, set }) => {
        set.status = 202
        return present(app, user, app.transcriptions.request(store.episodes.require(user, params.id)))
      },
      { role: 'uploader', response: { 202: Transcription } },
    )
    .delete(
      '/api/v1/podcasts/episodes/:id/transcripts/:tid',
      ({ user, params, set }) => {
        app.transcriptions.removeTranscript(store.episodes.require(user, params.id), params.tid)
        set.status = 204
      },
      { role: 'uploader' },
    )
}

function list(app: Context, user: UserRow): TranscriptionList {
  const { store } = app
  const { queued = 0, running = 0, waiting = 0, failed = 0 } = store.transcriptions.counts(user)
  return {
    model: app.transcriptions.model,
    counts: { queued, running, waiting, failed },
    items: store.transcriptions.list(user, MAX_LISTED).map(row => present(app, user, row)),
  }
}

function present({ transcriptions }: Context, user: UserRow, row: TranscriptionRow): Transcription {
  const live = transcriptions.live(row)
  return {
    ...presentEpisodeWork(row),
    state: row.state,
    sentBytes: live?.sent ?? null,
    totalBytes: live?.total ?? null,
    // The words of a server that is not meant for everybody.
    message: user.role === 'user' ? null : row.message,
  }
}
