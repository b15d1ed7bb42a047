import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runExecutable } from '../../support/executable'
import { wholeDumpOf } from '../../support/whole-dump'
import { startLibrary } from './library'
import { runShell, startLitestream, type Place } from './programs'
import type { Report } from '../../support/report'
import { withoutLitestream } from './take-over'

/** Restores a backup where a replica runs: the replica must follow, or could not be restored itself. */
export async function tryRestore(report: Report, litestream: string, place: Place, folder: string) {
  const check = (name: string, isFine: boolean, detail = '') => report.check(`${place.kind}: ${name}`, isFine, detail)
  const data = join(folder, 'data')
  const media = join(folder, 'media')
  mkdirSync(data, { recursive: true })
  const backup = join(folder, 'backup.db')
  const env = { DATA_DIRECTORY: data, REPLICA_URL: place.url }
  const created = await runExecutable(['init'], env)
  check('a new library is created by a command', created.code === 0, created.stderr)

  const library = await startLibrary(data, media, env)
  await library.tags.create({ name: 'in the backup', color: 'Green' })
  await runExecutable(['backup', backup], env)
  const replica = await startLitestream(litestream, data, place)
  await library.tags.create({ name: 'after it', color: 'Green' })
  await library.stop()

  const refused = await runExecutable(['restore', backup], env)
  check(
    'a restore is refused while Litestream runs',
    refused.code === 1 && refused.stderr.includes('Stop Litestream first'),
    refused.stderr,
  )
  await replica.stop()
  const restored = await runExecutable(['restore', backup], env)
  check('it is done when Litestream is stopped', restored.code === 0, restored.stderr)
  const again = await startLibrary(data, media, env)
  const next = await startLitestream(litestream, data, place)
  await again.tags.create({ name: 'after the restore', color: 'Green' })
  await again.stop()
  await next.stop()

  const elsewhere = join(folder, 'elsewhere')
  mkdirSync(elsewhere)
  const copied = await runShell(
    `${litestream} restore -integrity-check full -o ${elsewhere}/castellan.db '${place.url}'`,
    place.env,
  )
  if (!check('the replica can be restored', copied.code === 0, copied.output)) return
  const [one, other] = [data, elsewhere].map(at => withoutLitestream(wholeDumpOf(at)))
  check('it has the restored library and what came after', JSON.stringify(one) === JSON.stringify(other))
  const names = other!['tag']!.map(row => (JSON.parse(row) as { name: string }).name).toSorted()
  check('and nothing of the one before', names.join() === 'after the restore,in the backup', names.join())
  const secret = readFileSync(join(data, 'secret.key'))
  check(
    'the secret is nowhere in it',
    !readFileSync(join(elsewhere, 'castellan.db')).includes(secret) && !readdirSync(elsewhere).includes('secret.key'),
  )
}
