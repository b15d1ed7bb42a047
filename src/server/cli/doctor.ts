import { existsSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { systemClock } from '../platform/clock'
import type { Config } from '../config'
import { wrongWith } from '../data-folder'
import type { Finding } from '../doctor/finding'
import { fine, problem, warning } from '../doctor/finding'
import { examineFolders } from '../doctor/folders'
import { examineLibrary } from '../doctor/library'
import { createMediaFiles } from '../downloads/files'
import { AlreadyRunning, lockDataFolder } from '../platform/instance-lock'
import { openStore } from '../store'
import { newestSchema, schemaOf } from '../store/open'
import { UsageError } from './arguments'

export const doctorUsage = `castellan doctor [--repair]    (looks at everything; mends, while the server does not run, what can be mended)`

type Print = (line: string) => void

/** Answers the number of problems that are left. Throws `UsageError`, and `AlreadyRunning` where it should repair. */
export function runDoctorCommand(args: readonly string[], config: Config, print: Print): number {
  const [option, ...others] = args
  if (others.length > 0 || (option !== undefined && option !== '--repair'))
    throw new UsageError(`"${others[0] ?? option}" is no option of doctor`, doctorUsage)
  const mayRepair = option === '--repair'
  if (mayRepair) mkdirSync(config.dataFolder, { recursive: true })
  const unlock = mayRepair ? lockForRepair(config) : () => {}
  try {
    const now = systemClock()
    let left = 0
    const tell = (finding: Finding) => {
      const mended = mayRepair ? finding.mend?.() : undefined
      const hint = !mayRepair && finding.mend ? ' (castellan doctor --repair mends it)' : ''
      print(`${labels[finding.level]}  ${finding.text}${mended === undefined ? hint : `: ${mended}`}`)
      if (finding.level === 'problem' && mended === undefined) left++
    }
    for (const finding of examineFolders(config, now)) tell(finding)
    const database = join(config.dataFolder, 'castellan.db')
    const reason = reasonNotToOpen(database)
    if (reason) tell(reason)
    else {
      const store = openStore(database)
      try {
        const files = createMediaFiles(config.podcastFolder, store.episodes.someFiles)
        const coverFolder = join(config.dataFolder, 'covers')
        const hasOtherAdmins = config.admins.length > 0 || config.oidc?.adminClaim != null
        for (const finding of examineLibrary({ store, files, coverFolder, now, hasOtherAdmins })) tell(finding)
      } finally {
        store.close()
      }
    }
    print(left === 0 ? 'No problem is left.' : `${left} problem${left === 1 ? '' : 's'} left.`)
    return left
  } finally {
    unlock()
  }
}

const labels = { fine: 'ok     ', warning: 'warning', problem: 'PROBLEM' } as const

function lockForRepair({ dataFolder }: Config) {
  try {
    return lockDataFolder(join(dataFolder, 'castellan.lock'))
  } catch (error) {
    if (error instanceof AlreadyRunning)
      throw new AlreadyRunning('the server runs: stop it before anything is repaired')
    throw error
  }
}

/** To look at a database must not change it. */
function reasonNotToOpen(path: string): Finding | null {
  const wrong = wrongWith(dirname(path))
  if (wrong !== null) return problem(wrong)
  if (!existsSync(path)) return fine(`there is no database yet: the first start makes ${path}`)
  const schema = schemaOf(path)
  if (schema === null) return problem(`${path} cannot be read: restore a backup`)
  if (schema > newestSchema)
    return problem(`the database has schema ${schema}, this version knows up to ${newestSchema}: install the newer one`)
  if (schema < newestSchema)
    return warning(`the database has schema ${schema}; the next start backs it up and brings it to ${newestSchema}`)
  return null
}
