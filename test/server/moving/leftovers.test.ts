import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runDoctorCommand } from '../../../src/server/cli/doctor'
import { openCopy } from '../../../src/server/context'
import { onCopy } from '../../../src/server/moving/rehearse'
import { migrations } from '../../../src/server/store/migrations'
import { startTestApp } from '../../support/app'

/** A number that no process has: Linux counts to four millions. */
const DEAD = 999_999_999

/** Plants what killed processes leave in the folder of imports, and what is still in use. */
function leaveBehind(folder: string, claimed: string) {
  const uuid = crypto.randomUUID()
  const strays = [
    // As earlier versions named it.
    `dry-run-${uuid}`,
    `dry-run-${DEAD}-${uuid}`,
    // The same number as ours, in the container before.
    `dry-run-${process.pid}-${uuid}`,
    `copy-${DEAD}-${uuid}`,
    uuid,
  ]
  const kept = [claimed, `copy-${process.ppid}-${uuid}`]
  for (const name of [...strays, ...kept]) {
    mkdirSync(join(folder, name), { recursive: true })
    writeFileSync(join(folder, name, 'secret.key'), 'secret')
  }
  writeFileSync(join(folder, 'etilqs_a1b2c3'), 'rows that SQLite sorted')
  return { strays, kept }
}

test('what a killed process left of imports and restores is named by doctor and removed at the next start', async () => {
  await using app = await startTestApp()
  const folder = join(app.folder, 'moving')
  const { id } = await app.moves.start({ name: 'Database', bytes: 5 })
  const { strays, kept } = leaveBehind(folder, id)
  const restoring = join(app.folder, 'castellan.db.restoring')
  writeFileSync(restoring, 'a backup, with its secret')

  const lines: string[] = []
  await runDoctorCommand([], app.context.config, line => lines.push(line))
  expect(lines.join('\n')).toContain(`warning  ${strays.length + 2} copies of an interrupted import or restore: `)

  await app.context.moves.tidy()
  app.context.backups.recover()
  expect(readdirSync(folder).sort()).toEqual(kept.sort())
  expect(existsSync(restoring)).toBe(false)
})

test('an import is tried out on a copy that never holds the secret, and that nobody else can read', async () => {
  await using app = await startTestApp()
  const { config, store, secret } = app.context
  await onCopy(
    config,
    openCopy,
    target => {
      store.writeCopy(target)
      return secret.key
    },
    async parts => {
      const [name, ...others] = readdirSync(join(app.folder, 'moving'))
      const copy = join(app.folder, 'moving', name!)
      const files = readdirSync(copy).filter(file => statSync(join(copy, file)).isFile())
      expect([others, files.includes('castellan.db')]).toEqual([[], true])
      expect(files.filter(file => readFileSync(join(copy, file)).includes(secret.key))).toEqual([])
      expect(files).not.toContain('secret.key')
      expect([copy, join(copy, 'castellan.db')].map(path => statSync(path).mode & 0o077)).toEqual([0, 0])
      expect(parts.store.users.list()).toHaveLength(1)
      // A start of the server meanwhile leaves it alone.
      await app.context.moves.tidy()
      expect(existsSync(copy)).toBe(true)
    },
  )
  expect(readdirSync(join(app.folder, 'moving'))).toEqual([])
})

test('a copy of a library that is older than the command is brought up to date without a backup beside it', async () => {
  await using app = await startTestApp()
  const { config, secret } = app.context
  const copyOfOld = (target: string) => {
    const old = new Database(target)
    old.run(migrations[0]!)
    old.run('PRAGMA user_version = 1')
    old.close()
    return secret.key
  }
  await onCopy(config, openCopy, copyOfOld, async () => {
    const [name] = readdirSync(join(app.folder, 'moving'))
    expect(readdirSync(join(app.folder, 'moving', name!))).not.toContain('backups')
  })
})
