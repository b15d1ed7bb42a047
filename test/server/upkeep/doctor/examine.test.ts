import { expect, test } from 'bun:test'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { readConfig } from '../../../../src/server/config'
import { some, examineFolders } from '../../../../src/server/upkeep/doctor/folders'
import { examineLibrary } from '../../../../src/server/upkeep/doctor/library'
import { createMediaFiles } from '../../../../src/server/storage'
import { monotonicClock } from '../../../../src/server/platform/clock'
import { createLog } from '../../../../src/server/platform/log'
import { backupName } from '../../../../src/server/store/backup'
import { temporaryFolder } from '../../../support/app'
import { plantStore } from '../../store/plant'

const DAY = 86_400_000
const texts = (findings: readonly { level: string; text: string }[]) =>
  findings.filter(({ level }) => level !== 'fine').map(({ level, text }) => `${level}: ${text}`)

function plant() {
  const planted = plantStore()
  const folder = dirname(planted.path)
  const files = createMediaFiles({
    config: readConfig({ DATA_DIRECTORY: folder }),
    someKnownFiles: planted.store.episodes.someFiles,
    elapsed: monotonicClock,
    log: createLog('error', 'text'),
  })
  mkdirSync(files.folder.root, { recursive: true })
  const examine = async (now: number, more: { hasOtherAdmins?: boolean } = {}) =>
    texts(
      await examineLibrary({
        store: planted.store,
        files,
        dataFolder: folder,
        now,
        hasOtherAdmins: false,
        ...more,
      }),
    )
  return { ...planted, folder, examine }
}

test('a clock that is more than a day behind the library is a problem', async () => {
  using here = plant()
  here.store.users.add({ username: 'root', role: 'admin', explicit_consent: 1 }, 10 * DAY)
  expect(await here.examine(9 * DAY)).toEqual([])
  expect(await here.examine(9 * DAY - 1)).toEqual([expect.stringContaining('problem: the clock is 2 days behind')])
})

test('a library without an admin is a problem, unless admins come from elsewhere', async () => {
  using here = plant()
  here.user('alice')
  expect(await here.examine(1)).toEqual([expect.stringContaining('problem: no admin')])
  expect(await here.examine(1, { hasOtherAdmins: true })).toEqual([])
  here.user('root', { role: 'admin' })
  expect(await here.examine(1)).toEqual([])
})

test('a rename run that was interrupted is named, an import is not', async () => {
  using here = plant()
  const root = here.user('root', { role: 'admin' })
  const run = here.store.jobs.add(root.id, 'opml', [], 1)
  expect(await here.examine(1)).toEqual([])
  here.store.jobs.complete(run.id, 2)
  here.store.jobs.add(root.id, 'rename', [], 1)
  expect(await here.examine(1)).toEqual([expect.stringContaining('warning: a rename run was interrupted')])
})

test('covers that are gone are fetched again once that is repaired', async () => {
  using here = plant()
  const root = here.user('root', { role: 'admin' })
  const { id } = here.podcast('Fog', root.id)
  here.store.covers.keep(id, 'a', { digest: 'abcdef', type: 'image/png', color: '', now: 1 })
  expect(await here.examine(1)).toEqual(['warning: 1 cover is gone'])
  mkdirSync(join(here.folder, 'covers', 'ab'), { recursive: true })
  for (const name of ['abcdef', 'abcdef-256.webp', 'abcdef-artwork'])
    writeFileSync(join(here.folder, 'covers', 'ab', name), 'a picture')
  expect(await here.examine(1)).toEqual([])
})

test('of many paths the first are named', async () => {
  const paths = ['a', 'b', 'c', 'd', 'e', 'f', 'g']
  expect(some(paths.slice(0, 5))).toBe('a, b, c, d, e')
  expect(some(paths)).toBe('a, b, c, d, e and 2 more')
})

test('backups are examined by their age and contents, the disk by its room, the secret by its mode', async () => {
  using here = plant()
  const { store, folder } = here
  const config = {
    ...readConfig({ DATA_DIRECTORY: folder, PODCAST_DIRECTORY: folder }),
    reserveBytes: 0,
    backupHours: 24,
  }
  const secret = join(folder, 'secret.key')
  writeFileSync(secret, new Uint8Array(32), { mode: 0o600 })
  const examine = (now: number, more: object = {}) => texts(examineFolders({ ...config, ...more }, now))
  expect(examine(0)).toEqual(['warning: no backup yet'])

  const backUp = (at: number) =>
    store.writeBackup(
      new Uint8Array(32),
      join(
        folder,
        'backups',
        backupName('manual', at, () => false),
      ),
    )
  backUp(2 * DAY)
  // Its name says that it is older, but it comes later in the folder.
  writeFileSync(
    join(
      folder,
      'backups',
      backupName('scheduled', DAY, () => false),
    ),
    'no database',
  )
  expect(examine(5 * DAY)).toEqual([])
  expect(examine(5 * DAY + 1)).toEqual([expect.stringMatching(/warning: the latest backup, .* 3 days old/)])
  expect(examine(99 * DAY, { backupHours: 0 })).toEqual([])
  writeFileSync(
    join(
      folder,
      'backups',
      backupName('manual', 3 * DAY, () => false),
    ),
    'no database',
  )
  expect(examine(3 * DAY)).toEqual([expect.stringMatching(/problem: .* is not a backup of Castellan/)])

  backUp(4 * DAY)
  expect(examine(4 * DAY, { reserveBytes: Number.MAX_SAFE_INTEGER })).toEqual([
    expect.stringMatching(/warning: .* GB free: downloads wait below/),
  ])
  chmodSync(secret, 0o640)
  expect(examine(4 * DAY)).toEqual([expect.stringContaining('can be read by others')])
  expect(examine(4 * DAY, { podcastFolder: join(temporaryFolder(), 'gone') })).toContainEqual(
    expect.stringMatching(/problem: PODCAST_DIRECTORY: .* does not exist/),
  )
})
