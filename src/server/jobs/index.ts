import { DAY, HOUR, MINUTE, SECOND } from '../platform/clock'
import type { Context } from '../context'
import { createRest } from './rest'
import type { Job } from './scheduler'

/** Everything that happens without anybody asking. */
// Feeds and covers are started, not waited for: a host that hangs must not hold up the next round.
export function jobsOf({
  refresh,
  downloads,
  covers,
  sessions,
  indexer,
  opmlImport,
  rename,
  retention,
  texts,
  notifications,
  backups,
  integrity,
  store,
  now,
}: Context): readonly Job[] {
  const rest = createRest(() => {
    store.shrink()
    Bun.gc(true)
  })
  return [
    { name: 'refresh feeds', everyMs: MINUTE, run: async () => void refresh.refreshDue() },
    { name: 'start downloads', everyMs: 5 * SECOND, run: async () => downloads.pump() },
    { name: 'go on with imports', everyMs: HOUR, run: async () => opmlImport.resume() },
    { name: 'go on with renaming', everyMs: HOUR, run: async () => rename.resume() },
    { name: 'clean up', everyMs: DAY, run: () => retention.sweepIfWanted() },
    { name: 'notify', everyMs: MINUTE, run: async () => notifications.sendDue() },
    { name: 'forget old notices', everyMs: DAY, run: async () => notifications.removeOld() },
    // The clock may have been ahead: a computer without one of its own starts with any time.
    { name: 'mind the clock', everyMs: HOUR, run: async () => store.inTransaction(() => store.times.pullBack(now())) },
    { name: 'back up', everyMs: 10 * MINUTE, run: () => backups.createIfDue() },
    { name: 'check the database', everyMs: 10 * MINUTE, run: () => integrity.checkIfDue() },
    { name: 'index for search', everyMs: MINUTE, run: async () => void indexer.run() },
    { name: 'forget old markings', everyMs: HOUR, run: async () => store.playback.forgetMarks(now() - DAY) },
    { name: 'forget old sessions', everyMs: HOUR, run: async () => sessions.removeExpired() },
    { name: 'fetch chapters and transcripts', everyMs: 10 * SECOND, run: async () => void texts.fetchDue() },
    { name: 'fetch covers', everyMs: 10 * SECOND, run: async () => void covers.fetchDue() },
    { name: 'give memory back', everyMs: MINUTE, run: async () => rest() },
  ]
}
