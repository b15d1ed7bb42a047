import type { TranscriptionObstacle } from '../../shared/api/transcription'
import type { Config } from '../config'
import type { Listeners } from '../platform/events'
import { notFound, Problem } from '../platform/problem'
import type { EpisodeRow } from '../store/episodes'
import type { TranscriptionRow } from '../store/transcriptions'
import { serverCodes } from './failure'
import { transcriptionLimits, type TranscriptionLimits } from './attempt'
import { createRunner, type RunnerNeeds } from './runner'
import { hasPublished } from './answer'

// Why: docs/internals/decisions/0049

export type Transcriptions = ReturnType<typeof createTranscriptions>

type Needs = Omit<RunnerNeeds, 'server' | 'limits' | 'proxies'> & {
  config: Config
  limits?: Partial<TranscriptionLimits> | undefined
}

const obstacles = {
  'not-configured': () =>
    new Problem('transcription-not-configured', 'No speech server is configured: set TRANSCRIPTION_URL'),
  'not-downloaded': () => new Problem('file-not-downloaded', 'Only downloaded episodes can be transcribed'),
  published: () => new Problem('transcript-published', 'The publisher gives this episode a transcript'),
} satisfies Record<TranscriptionObstacle, () => Problem>

/** Transcripts that a speech server makes of downloaded files, where the publisher gives none. */
export function createTranscriptions({ config, limits, ...needs }: Needs) {
  const { store, publish, now } = needs
  // Null = no server is configured, and nothing is transcribed.
  const server = config.transcription
  const runner =
    server && createRunner({ ...needs, server, proxies: config, limits: { ...transcriptionLimits, ...limits } })

  /** Why an episode cannot be transcribed now; null = it can. */
  function findObstacle(episode: EpisodeRow): TranscriptionObstacle | null {
    if (!server) return 'not-configured'
    if (hasPublished(store, episode.id)) return 'published'
    return episode.file_path === null ? 'not-downloaded' : null
  }

  /**
   * Queues an episode before all that no person asked for; once more if it was transcribed before. Throws
   * `transcription-not-configured`, `file-not-downloaded` and `transcript-published`.
   */
  function request(episode: EpisodeRow): TranscriptionRow {
    const obstacle = findObstacle(episode)
    if (obstacle) throw obstacles[obstacle]()
    store.transcriptions.request(episode.id, now())
    needs.begun.retry({ kind: 'transcription', key: String(episode.id) })
    const row = store.transcriptions.findOfEpisode(episode.id)!
    runner!.announce(row)
    runner!.pump()
    return store.transcriptions.findOfEpisode(episode.id) ?? row
  }

  /** Ends what a transcript of the publisher makes needless. */
  function endIfPublished(episodeId: number) {
    const row = store.transcriptions.findOfEpisode(episodeId)
    if (!row || row.state === 'done' || !hasPublished(store, episodeId)) return
    cancel(row)
  }

  function cancel(row: TranscriptionRow) {
    if (row.state === 'done') throw wrongState(row, 'cancelled')
    store.transcriptions.remove(row.id)
    runner?.pump()
    runner?.announce(row)
  }

  return {
    model: server?.model ?? null,
    isOn: runner !== null,
    findObstacle,
    /** Starts what may start now. */
    pump: () => runner?.pump(),
    live: (row: TranscriptionRow) => runner?.live(row) ?? null,
    settled: async () => runner?.settled(),
    listeners: (runner
      ? {
          // A trigger of the database has queued it, if its podcast wants that.
          downloadFinished: () => runner.pump(),
          fileRemoved: () => runner.pump(),
          podcastRemoved: () => runner.pump(),
          textsStored: ({ episodeId }) => endIfPublished(episodeId),
        }
      : {}) satisfies Listeners as Listeners,

    request,
    /** Tries one now that failed or waits, and with it a server that did not work. */
    retry(row: TranscriptionRow): TranscriptionRow {
      if (row.state === 'done' || row.state === 'running') throw wrongState(row, 'tried again')
      store.transcriptions.retryNow(serverCodes, now())
      return request(store.episodes.find(row.episode_id)!)
    },
    /** Takes one out of the queue, or stops it. Throws `transcription-state`. */
    cancel,
    /** Deletes a transcript that a program made. Throws `transcript-not-found`. */
    removeTranscript(episode: EpisodeRow, uuid: string) {
      const document = store.documents.find(uuid)
      const isRemoved = store.inTransaction(() => {
        if (!document || !store.documents.removeGenerated(episode.id, document.id)) return false
        store.search.drop(episode.id)
        return true
      })
      if (!isRemoved) throw notFound('transcript')
      publish({ type: 'textsStored', episodeId: episode.id })
    },
    stop: async () => runner?.stop(),
  }
}

const wrongState = ({ state }: TranscriptionRow, action: string) =>
  new Problem('transcription-state', `A transcription that is ${state} cannot be ${action}`, { state })
