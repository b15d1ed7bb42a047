import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runBackupCommand, runRestoreCommand } from '../../../src/server/cli/backup'
import { runDoctorCommand } from '../../../src/server/cli/doctor'
import { readConfig } from '../../../src/server/config'
import { openDataFolder } from '../../../src/server/data-folder'
import { temporaryFolder } from '../../support/app'

function plant() {
  const folder = temporaryFolder()
  const config = readConfig({ DATA_DIRECTORY: folder, PODCAST_DIRECTORY: folder })
  const lines: string[] = []
  const print = (line: string) => void lines.push(line)
  return { folder, config, lines, print, at: (name: string) => join(folder, name) }
}

test('a database that is too damaged for a backup is set aside, and its log is not mixed with the restored one', () => {
  const here = plant()
  openDataFolder(here.folder).store.close()
  runBackupCommand([here.at('copy.db')], here.config, here.print)
  writeFileSync(here.at('castellan.db'), 'no database at all, '.repeat(500))
  writeFileSync(here.at('castellan.db-wal'), 'its log')
  writeFileSync(here.at('castellan.db-shm'), 'its index')
  runRestoreCommand([here.at('copy.db')], here.config, here.print)
  const aside = readdirSync(here.folder).find(name => name.includes('.damaged-'))
  expect(readFileSync(here.at(aside!), 'utf8')).toStartWith('no database at all')
  expect(here.lines).toContain(`The previous database is in ${here.at(aside!)}`)
  expect([existsSync(here.at('castellan.db-wal')), existsSync(here.at('castellan.db-shm'))]).toEqual([false, false])
  openDataFolder(here.folder).store.close()
})

test('a backup into a folder gets a name, and overwrites nothing', () => {
  const here = plant()
  expect(() => runBackupCommand([here.folder], here.config, here.print)).toThrow(/No database at/)
  openDataFolder(here.folder).store.close()
  const target = temporaryFolder()
  runBackupCommand([target], here.config, here.print)
  runBackupCommand([target], here.config, here.print)
  const names = readdirSync(target)
  expect(names).toHaveLength(2)
  expect(() => runBackupCommand([join(target, names[0]!)], here.config, here.print)).toThrow(/exists already/)
})

test('the doctor opens no database of another version, and creates none', async () => {
  const here = plant()
  const doctor = async () => {
    here.lines.length = 0
    const left = await runDoctorCommand([], here.config, here.print)
    return { left, text: here.lines.join('\n') }
  }
  expect(await doctor()).toEqual({ left: 0, text: expect.stringContaining('no database yet') as string })
  expect(existsSync(here.at('castellan.db'))).toBe(false)
  openDataFolder(here.folder).store.close()
  const setSchema = (version: number) => {
    const db = new Database(here.at('castellan.db'))
    db.run(`PRAGMA user_version = ${version}`)
    db.close()
  }
  setSchema(999)
  expect(await doctor()).toEqual({ left: 1, text: expect.stringContaining('install a newer version') as string })
  setSchema(1)
  expect(await doctor()).toEqual({ left: 0, text: expect.stringContaining('the next start backs it up') as string })
  const db = new Database(here.at('castellan.db'))
  expect(db.query('PRAGMA user_version').get()).toEqual({ user_version: 1 })
  db.close()
})
