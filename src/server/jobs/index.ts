import { DAY, HOUR, MINUTE, SECOND } from '../platform/clock'
import type { Context } from '../context'
import { isFullDisk } from '../platform/log'
import { createRest, type Job } from './scheduler'

/**
 * The table of jobs. Feeds, texts and covers are started, not awaited: a host that hangs must not delay the next round.
 */
export function jobsOf({
  refresh,
  downloads,
  fileCheck,
  forgotten,
  covers,
  sidecars,
  appSessions,
  playSessions,
  sessions,
  indexer,
  keptDownloads,
  opmlImport,
  moves,
  rename,
  clips,
  removals,
  retention,
  texts,
  transcriptions,
  tidying,
  notifications,
  destinations,
  troubles,
  room,
  backups,
  integrity,
  replica,
  updates,
  audit,
  store,
  now,
}: Context): readonly Job[] {
  const rest = createRest(() => {
    store.shrink()
    Bun.gc(true)
    void tidying.run()
  })
  /** Work that fills the disk waits while that is full. */
  const grows =
    (run: Job['run']): Job['run'] =>
    async () =>
      room.isFull() ? undefined : run()
  /** Other work that fails on the full disk is repeated in its next turn; the log says once that the disk is full. */
  const patient =
    (run: Job['run']): Job['run'] =>
    async () => {
      try {
        await run()
      } catch (error) {
        if (!isFullDisk(error) || !room.isFull()) throw error
      }
    }
  const jobs: Job[] = [
    { name: 'watch for room', everyMs: 5 * SECOND, run: async () => room.check() },
    { name: 'refresh feeds', everyMs: MINUTE, run: grows(async () => void refresh.refreshDue()) },
    // The command line requests some while the server is running.
    { name: 'refresh feeds on request', everyMs: 2 * SECOND, run: async () => void refresh.refreshAsked() },
    { name: 'start downloads', everyMs: 5 * SECOND, run: grows(async () => downloads.pump()) },
    { name: 'look for files that are gone', everyMs: HOUR, run: () => fileCheck.sweep() },
    { name: 'search MP4s for their index', everyMs: MINUTE, run: grows(() => fileCheck.heal()) },
    { name: 'delete forgotten files', everyMs: HOUR, run: () => forgotten.recover('folder') },
    { name: 'delete objects that came late', everyMs: MINUTE, run: () => forgotten.recover('s3', true) },
    { name: 'resume imports', everyMs: HOUR, run: grows(async () => opmlImport.resume()) },
    // The command line adds moves, too.
    { name: 'continue moves', everyMs: 2 * SECOND, run: grows(async () => moves.resume()) },
    { name: 'tidy up after moves', everyMs: HOUR, run: moves.tidy },
    { name: 'resume rename runs', everyMs: HOUR, run: async () => rename.resume() },
    // The command line removes things, too.
    { name: 'finish removals', everyMs: 2 * SECOND, run: () => removals.run() },
    { name: 'keep episodes downloaded', everyMs: 2 * MINUTE, run: grows(() => keptDownloads.queueMissing()) },
    { name: 'clean up', everyMs: DAY, run: () => retention.sweepIfWanted() },
    { name: 'remove clips that have ended', everyMs: HOUR, run: () => clips.sweep() },
    { name: 'notify', everyMs: MINUTE, run: async () => notifications.sendDue() },
    { name: 'look for lasting troubles', everyMs: MINUTE, run: () => troubles.check() },
    { name: 'deliver news', everyMs: 2 * SECOND, run: async () => destinations.pump() },
    { name: 'remove old deliveries', everyMs: HOUR, run: async () => destinations.removeOld() },
    { name: 'remove old notifications', everyMs: DAY, run: async () => notifications.removeOld() },
    // The clock may have been ahead: a computer without a battery-backed clock starts at any time.
    {
      name: 'correct future times',
      everyMs: HOUR,
      run: () => store.inPieces(most => store.times.pullBack(now(), most)),
    },
    { name: 'record refused sign-ins', everyMs: 2 * SECOND, run: () => store.write(audit.flush) },
    { name: 'forget old activity', everyMs: DAY, run: async () => void (await store.write(audit.removeOld)) },
    // Another program may run ANALYZE while the server is running.
    { name: 'remove planner statistics', everyMs: MINUTE, run: async () => store.removeStatistics() },
    { name: 'back up', everyMs: 10 * MINUTE, run: grows(() => backups.createIfDue()) },
    { name: 'check the database', everyMs: 10 * MINUTE, run: () => integrity.checkIfDue() },
    { name: 'watch the replica', everyMs: MINUTE, run: () => replica.check() },
    { name: 'check for a newer version', everyMs: HOUR, run: () => updates.checkIfDue() },
    { name: 'index for search', everyMs: MINUTE, run: grows(async () => void indexer.run()) },
    {
      name: 'forget the undo of markings',
      everyMs: HOUR,
      run: () => store.inPieces(most => store.playback.forgetMarks(now() - DAY, most)),
    },
    {
      name: 'remove expired sessions',
      everyMs: HOUR,
      run: async () => {
        sessions.removeExpired()
        appSessions.removeExpired()
      },
    },
    { name: 'remove old play sessions', everyMs: HOUR, run: async () => playSessions.removeOld() },
    { name: 'fetch chapters and transcripts', everyMs: 10 * SECOND, run: grows(async () => void texts.fetchDue()) },
    ...(transcriptions.isOn
      ? [{ name: 'transcribe', everyMs: 5 * SECOND, run: grows(async () => transcriptions.pump()) }]
      : []),
    { name: 'fetch covers', everyMs: 10 * SECOND, run: grows(async () => void covers.fetchDue()) },
    { name: 'find colours of covers', everyMs: 10 * SECOND, run: async () => void covers.findColors() },
    { name: 'write covers and NFO files', everyMs: 10 * SECOND, run: grows(async () => void sidecars.update()) },
    { name: 'give back memory', everyMs: MINUTE, run: async () => rest() },
  ]
  return jobs.map(job => ({ ...job, run: patient(job.run) }))
}
