import { expect, test } from 'bun:test'
import type { Context } from '../../../src/server/context'
import { jobsOf } from '../../../src/server/jobs'

/** A context that does nothing but write down what is called in it, as `capability.function`. */
function recordingContext() {
  const called: string[] = []
  const recorder = (path: string): unknown =>
    new Proxy(() => {}, {
      get: (_, name) => recorder(path === '' ? String(name) : `${path}.${String(name)}`),
      apply() {
        called.push(path)
        return path === 'now' ? 0 : undefined
      },
    })
  return { called, context: recorder('') as Context }
}

const MINUTE = 60

/** All that happens without anybody asking, and every how many seconds at the latest. */
const periodic: Record<string, number> = {
  'backups.createIfDue': 10 * MINUTE,
  'covers.fetchDue': 10,
  'covers.findColors': 10,
  'clips.sweep': 60 * MINUTE,
  'destinations.pump': 2,
  'destinations.removeOld': 60 * MINUTE,
  'downloads.pump': 5,
  'fileCheck.heal': MINUTE,
  'fileCheck.sweep': 60 * MINUTE,
  'forgotten.recover': MINUTE,
  'indexer.run': MINUTE,
  'integrity.checkIfDue': 10 * MINUTE,
  'keptDownloads.queueMissing': 2 * MINUTE,
  'moves.resume': 2,
  'moves.tidy': 60 * MINUTE,
  'notifications.removeOld': 24 * 60 * MINUTE,
  'notifications.sendDue': MINUTE,
  'opmlImport.resume': 60 * MINUTE,
  'removals.run': 2,
  'refresh.refreshAsked': 2,
  'refresh.refreshDue': MINUTE,
  'rename.resume': 60 * MINUTE,
  'replica.check': MINUTE,
  'retention.sweepIfWanted': 24 * 60 * MINUTE,
  'room.check': 5,
  'sessions.removeExpired': 60 * MINUTE,
  'appSessions.removeExpired': 60 * MINUTE,
  'playSessions.removeOld': 60 * MINUTE,
  'sidecars.update': 10,
  'store.inPieces': 60 * MINUTE,
  'store.removeStatistics': MINUTE,
  'store.write': 24 * 60 * MINUTE,
  'texts.fetchDue': 10,
  'transcriptions.pump': 5,
  'troubles.check': MINUTE,
  'updates.checkIfDue': 60 * MINUTE,
}

test('every capability with periodic work has its job', async () => {
  const { called, context } = recordingContext()
  const found: Record<string, number> = {}
  for (const job of jobsOf(context)) {
    called.length = 0
    await job.run()
    // Whether the disk is full is a question, no work.
    for (const path of called) if (path !== 'now' && path !== 'room.isFull') found[path] = job.everyMs / 1000
  }
  expect(found).toEqual(periodic)
})

test('memory is given back by a job, and jobs have names of their own', () => {
  const names = jobsOf(recordingContext().context).map(({ name }) => name)
  expect(names).toContain('give back memory')
  expect(new Set(names).size).toBe(names.length)
})
