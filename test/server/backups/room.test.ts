import { expect, test } from 'bun:test'
import { createBackups } from '../../../src/server/backups/backups'
import { createLog } from '../../../src/server/platform/log'
import { refusal, startClock, temporaryFolder } from '../../support/app'

test('a backup that the disk has no room for is not begun', async () => {
  let threads = 0
  const backups = createBackups({
    dataFolder: temporaryFolder(),
    newThread: () => {
      threads++
      throw new Error('no thread is wanted')
    },
    databaseBytes: () => 1e18,
    now: startClock(),
    log: createLog('error', 'text', () => {}),
    everyHours: 24,
    keep: 3,
  })
  expect(await refusal(backups.create('manual'))).toMatchObject({ code: 'disk-full' })
  expect(threads).toBe(0)
})
