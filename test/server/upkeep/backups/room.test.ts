import { expect, test } from 'bun:test'
import { type BackupTasks, createBackups } from '../../../../src/server/upkeep/backups'
import type { BegunWork } from '../../../../src/server/begun-work'
import { createLog } from '../../../../src/server/platform/log'
import type { Thread } from '../../../../src/server/thread'
import { refusal, startClock, temporaryFolder } from '../../../support/app'

/** Backups of a database of 10 bytes, on a disk that has `free` bytes each time it is measured. */
function startBackups(free: number[], newThread: () => Thread<BackupTasks>) {
  const needs = {
    dataFolder: temporaryFolder(),
    secret: { key: new Uint8Array(32) },
    newThread,
    publish: () => undefined,
    databaseBytes: () => 10,
    now: startClock(),
    log: createLog('error', 'text', () => {}),
    everyHours: 24,
    keep: 3,
    begun: { run: <T>(_: unknown, work: () => Promise<T>) => work(), isSetAside: () => false } as unknown as BegunWork,
  }
  return createBackups(needs, async () => free.shift()!)
}

test('a backup that the disk has no room for is not begun', async () => {
  let threads = 0
  const backups = startBackups([10], () => {
    threads++
    throw new Error('no thread is wanted')
  })
  expect(await refusal(backups.create('manual'))).toMatchObject({
    code: 'disk-full',
    args: { needed: '11', free: '10' },
  })
  expect(threads).toBe(0)
})

test('a backup that fills the disk reports the space that is left then', async () => {
  const thread = { run: async () => ({ message: 'full', isDiskFull: true }), close: async () => {} }
  const backups = startBackups([1000, 2], () => thread as unknown as Thread<BackupTasks>)
  expect(await refusal(backups.create('manual'))).toMatchObject({
    code: 'disk-full',
    args: { needed: '11', free: '2' },
  })
})
