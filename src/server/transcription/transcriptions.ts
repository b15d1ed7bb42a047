import type { TranscriptionObstacle } from '../../shared/api/texts'
import { type BegunWork, setAsideMessage, type WorkItem } from '../begun-work'
import type { Config } from '../config'
import { SECOND } from '../platform/clock'
import type { Listeners } from '../platform/events'
import { describeError, type Log, logFailure } from '../platform/log'
import { notFound, Problem } from '../platform/problem'
import type { EpisodeRow } from '../store/episodes'
import type { TranscriptionRow } from '../store/transcriptions'
import { ThreadLost } from '../thread'
import { hasPublished } from './answer'
import {
  attempt,
  type AttemptNeeds,
  Interrupted,
  type Progress,
  publishEnd,
  publishState,
  transcriptionLimits,
  type TranscriptionLimits,
} from './attempt'
import { asFailure, isLast, ownFailure, pauseAfter, serverCodes, TranscriptionFailure, UselessAnswer } from './failure'

// Why: docs/internals/decisions/0049

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

/** Transcripts that a speech server makes from downloaded files if the publisher provides none. */
export function createTranscriptions({ config, limits, ...needs }: Needs) {
  const { store, now } = needs
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
   * Queues an episode before all those that no person asked for, even if it was transcribed before. Throws
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

  /** Ends transcriptions that a publisher's transcript makes unnecessary. */
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
    /** Retries a failed or waiting one now, and others that failed because of the server. */
    retry(row: TranscriptionRow): TranscriptionRow {
      if (row.state === 'done' || row.state === 'running') throw wrongState(row, 'tried again')
      store.transcriptions.retryNow(serverCodes, now())
      return request(store.episodes.find(row.episode_id)!)
    },
    /** Takes one out of the queue, or stops it. Throws `transcription-state`. */
    cancel,
    /** Deletes a transcript that a program made. Throws `transcript-not-found`. */
    removeTranscript: (episode: EpisodeRow, uuid: string) => removeTranscript(needs, episode, uuid),
    stop: async () => runner?.stop(),
  }
}

function removeTranscript({ store, publish }: Pick<Needs, 'store' | 'publish'>, episode: EpisodeRow, uuid: string) {
  const document = store.documents.find(uuid)
  const isRemoved = store.inTransaction(() => {
    if (!document || !store.documents.removeGenerated(episode.id, document.id)) return false
    store.search.drop(episode.id)
    return true
  })
  if (!isRemoved) throw notFound('transcript')
  publish({ type: 'textsStored', episodeId: episode.id })
}

const wrongState = ({ state }: TranscriptionRow, action: string) =>
  new Problem('transcription-state', `A transcription that is ${state} cannot be ${action}`, { state })

type RunnerNeeds = AttemptNeeds & { log: Log; begun: BegunWork }

const itemOf = ({ episode_id, episode_title }: TranscriptionRow): WorkItem => ({
  kind: 'transcription',
  key: String(episode_id),
  label: episode_title,
})

const PROGRESS_MS = SECOND

type Running = { row: TranscriptionRow; progress: Progress; abort: AbortController; ended: Promise<void> }

/** Transcribes what the database holds, one file at a time: a speech server needs a whole machine for each. */
function createRunner(needs: RunnerNeeds) {
  const { store, now, publish } = needs
  let running: Running | null = null
  let hasStarted = false
  let isStopping = false

  /** Starts what may start now. Cheap when there is nothing to do; called after every change and by a job. */
  function pump() {
    if (isStopping) return
    // A person cancelled it, its file was deleted, or its podcast.
    if (running && !store.transcriptions.findAgain(running.row)) running.abort.abort(new Interrupted('its row is gone'))
    if (running) return
    store.transcriptions.requeueLost(0)
    // The settings may have changed since it failed.
    if (!hasStarted) store.transcriptions.retryNow(serverCodes, now())
    hasStarted = true
    if (store.transcriptions.restsUntil(serverCodes, now()) !== null) return
    const row = store.transcriptions.next(now())
    if (row) start(row)
  }

  function start(row: TranscriptionRow) {
    const item = itemOf(row)
    if (!needs.begun.begin(item)) {
      setAside(needs, row)
      return announce(row)
    }
    // On a full disk this throws, and nothing runs.
    store.transcriptions.start(row.id, now())
    const progress: Progress = { sent: 0, total: null }
    const entry: Running = { row, progress, abort: new AbortController(), ended: Promise.resolve() }
    running = entry
    const stopTicker = startTicker(entry)
    announce(row)
    entry.ended = run(needs, row, entry)
      .finally(() => {
        stopTicker()
        needs.begun.end(item)
        running = null
        if (!isStopping) announce(row)
        return store.whenWritable().then(pump)
      })
      .catch(logFailure(needs.log, 'Result of a transcription could not be recorded'))
  }

  /** Publishes the state of a transcription. */
  function announce(row: TranscriptionRow) {
    const current = store.transcriptions.findAgain(row)
    if (current) publishState(publish, current, running?.row.uuid === row.uuid ? running.progress : null)
    else publishEnd(publish, row)
  }

  function startTicker({ row, progress }: Running) {
    let announced = 0
    const ticker = setInterval(() => {
      if (progress.sent !== announced) announce(row)
      announced = progress.sent
    }, PROGRESS_MS)
    return () => clearInterval(ticker)
  }

  return {
    pump,
    announce,
    /** The progress of a transcription; null = it doesn't run. */
    live: ({ uuid }: TranscriptionRow): Progress | null => (running?.row.uuid === uuid ? running.progress : null),
    /** Waits until nothing runs any more. */
    async settled() {
      while (running) await running.ended
    },
    /** Stops what runs; the next start begins it again. */
    async stop() {
      isStopping = true
      running?.abort.abort(new Interrupted('the server stops'))
      await running?.ended
    },
  }
}

/** Fails a transcription during which the server died twice; a person may try it again. */
function setAside({ store, now }: RunnerNeeds, { id, attempts, rests }: TranscriptionRow) {
  const failure = { code: 'set-aside', message: setAsideMessage, nextAttemptAt: null, attempts, rests } as const
  store.transcriptions.fail(id, failure, now())
}

/** Makes an attempt and records how it ended. */
async function run(needs: RunnerNeeds, row: TranscriptionRow, { progress, abort }: Running) {
  const { store, log } = needs
  try {
    const isStored = await attempt(needs, row, progress, abort.signal)
    if (isStored) log.info('Episode transcribed', { podcast: row.podcast_title, episode: row.episode_title })
  } catch (error) {
    await store.whenWritable()
    if (!store.transcriptions.findAgain(row)) return
    if (error instanceof Interrupted || error instanceof ThreadLost) store.transcriptions.requeue(row.id)
    else settle(needs, row, failureOf(log, row, error))
  }
}

function failureOf(log: Log, row: TranscriptionRow, error: unknown): TranscriptionFailure {
  const failure = asFailure(error)
  if (failure instanceof TranscriptionFailure) return failure
  log.error('Transcription failed', { episode: row.episode_title, error: describeError(error) })
  return new TranscriptionFailure('unexpected', 'file', "The server's log has the reason")
}

/**
 * Records a failure: the next attempt, or that there is none. An answer that is to blame is stored in the same
 * transaction, or a killed process could leave a file that looks answered; a final one still counts as the answer to
 * its file.
 */
function settle({ store, now, log }: RunnerNeeds, row: TranscriptionRow, thrown: TranscriptionFailure) {
  const failure = thrown.blame === 'server' && hasServerWorked(row) ? ownFailure(thrown) : thrown
  const { code, message, blame } = failure
  const isCounted = blame === 'file' || blame === 'final'
  const attempts = isCounted ? row.attempts + 1 : row.attempts
  const rests = isCounted ? 0 : row.rests + 1
  const isOver = isLast(failure, attempts)
  const nextAttemptAt = isOver ? null : now() + pauseAfter(failure, isCounted ? attempts : rests)
  store.inTransaction(() => {
    if (failure instanceof UselessAnswer) store.transcriptions.dropAnswer(row.id, blame === 'final')
    store.transcriptions.fail(row.id, { code, message, nextAttemptAt, attempts, rests }, now())
  })
  const details = { podcast: row.podcast_title, episode: row.episode_title, attempts, reason: message }
  if (isOver || blame === 'server')
    log.warn(isOver ? 'Transcription failed permanently' : 'Transcriptions wait', details)
  else log.info('Transcription failed; it will be tried again', details)
}

/** Whether another file was transcribed since the server last failed with this one: its pauses are forgotten then. */
const hasServerWorked = ({ rests, error_code }: TranscriptionRow) =>
  rests === 0 && serverCodes.some(code => code === error_code)
