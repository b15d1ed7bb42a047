import { existsSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Config } from '../config'
import { DATABASE_FILE, findObstacle } from '../data-folder'
import { fine, problem, warning, type Finding, examineFolders } from '../upkeep/doctor/folders'
import { examineLibrary } from '../upkeep/doctor/library'
import { createMediaFiles } from '../storage'
import { monotonicClock, systemClock } from '../platform/clock'
import { createLog } from '../platform/log'
import { AlreadyRunning, lockDataFolder } from '../platform/instance-lock'
import { openStore } from '../store'
import { newestSchema, schemaOf } from '../store/open'
import { UsageError } from './arguments'
import type { Print } from './terminal'

export const doctorUsage = `castellan doctor [--repair]    (examines everything; --repair fixes what it can, while the server is stopped)`

/**
 * Examines the installation, prints each finding, and with `--repair` fixes what it can. Returns the number of problems
 * that are left. `found`: findings of checks that take time, such as the network. Throws `UsageError`; with `--repair`
 * also `AlreadyRunning` while the server runs.
 */
export async function runDoctorCommand(
  args: readonly string[],
  config: Config,
  print: Print,
  found: readonly Finding[] = [],
): Promise<number> {
  const [option, ...others] = args
  if (others.length > 0 || (option !== undefined && option !== '--repair'))
    throw new UsageError(`doctor has no option "${others[0] ?? option}"`, doctorUsage)
  const mayRepair = option === '--repair'
  if (mayRepair) mkdirSync(config.dataFolder, { recursive: true })
  const unlock = mayRepair ? lockForRepair(config) : () => {}
  try {
    let left = 0
    for await (const finding of examine(config, systemClock(), found))
      left += (await report(finding, mayRepair, print)) ? 1 : 0
    print(left === 0 ? 'No problems.' : `${left} problem${left === 1 ? '' : 's'} left.`)
    return left
  } finally {
    unlock()
  }
}

/** Examines the library only after the findings about its folders were repaired. */
async function* examine(config: Config, now: number, found: readonly Finding[]): AsyncGenerator<Finding> {
  yield* found
  yield* examineFolders(config, now)
  const database = join(config.dataFolder, DATABASE_FILE)
  const obstacle = reasonNotToOpen(database, config)
  if (obstacle) {
    yield obstacle
    return
  }
  const store = openStore(database, { secretKey: config.secretKey })
  try {
    const log = createLog('error', 'text', () => undefined)
    const known = store.episodes.someFiles
    const files = createMediaFiles({ config, someKnownFiles: known, elapsed: monotonicClock, log })
    const { dataFolder } = config
    const hasOtherAdmins = config.admins.length > 0 || config.oidc?.adminClaim != null
    yield* await examineLibrary({ store, files, dataFolder, now, hasOtherAdmins })
  } finally {
    store.close()
  }
}

const labels = { fine: 'ok     ', warning: 'warning', problem: 'PROBLEM' } as const

/** Prints a finding, after repairing it if allowed. Returns whether it is a problem that is left. */
async function report({ level, text, repair }: Finding, mayRepair: boolean, print: Print): Promise<boolean> {
  const repairNote = mayRepair ? await repair?.() : undefined
  const hint = !mayRepair && repair ? ' (castellan doctor --repair fixes it)' : ''
  print(`${labels[level]}  ${text}${repairNote === undefined ? hint : `: ${repairNote}`}`)
  return level === 'problem' && repairNote === undefined
}

function lockForRepair({ dataFolder }: Config) {
  try {
    return lockDataFolder(join(dataFolder, 'castellan.lock'))
  } catch (error) {
    if (error instanceof AlreadyRunning) throw new AlreadyRunning('The server is running. Stop it before repairing.')
    throw error
  }
}

/**
 * Returns a finding if the database must not be opened, else null. Opening would create or migrate it, and an
 * examination must not.
 */
function reasonNotToOpen(path: string, config: Config): Finding | null {
  const wrong = findObstacle(dirname(path), config)
  if (wrong !== null) return problem(wrong)
  if (!existsSync(path)) return fine(`no database yet: the first start creates ${path}`)
  const schema = schemaOf(path)
  if (schema === null) return problem(`${path} cannot be read: restore a backup`)
  if (schema > newestSchema)
    return problem(
      `the database has schema ${schema}, this version knows up to ${newestSchema}: install a newer version`,
    )
  if (schema < newestSchema)
    return warning(`the database has schema ${schema}: the next start backs it up and updates it to ${newestSchema}`)
  return null
}
