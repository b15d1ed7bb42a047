import { isPublished, newestRelease, version } from '../../shared/origin'
import type { Config } from '../config'
import { createOutbound } from '../outbound/request'
import { createLog } from '../platform/log'
import { askForRelease, isNewer, isRelease } from '../upkeep/updates'
import { UsageError } from './arguments'
import type { Print } from './terminal'

export const updateUsage = `castellan update --check    (exit code 0 if this is the newest version, 1 if not, 2 if the check failed)`

const failures = {
  unreachable: 'does not answer',
  refused: 'refuses the request',
  unreadable: 'does not name a version',
}

/**
 * Asks UPDATE_CHECK_URL, or else the repository of this build, for the newest version, prints one line, and returns the
 * exit code. Installs nothing. Throws `UsageError`.
 */
export async function runUpdateCommand(
  args: readonly string[],
  config: Config,
  print: Print,
  ofBuild = isPublished ? newestRelease : null,
): Promise<0 | 1 | 2> {
  if (args.length !== 1 || args[0] !== '--check')
    throw new UsageError('Castellan installs no updates; it only checks for them', updateUsage)
  const address = config.updateCheckUrl ?? ofBuild
  if (address === null) {
    print('No address to ask: set UPDATE_CHECK_URL.')
    return 2
  }
  const log = createLog('error', 'text', () => undefined)
  const found = await askForRelease({ outbound: createOutbound(config), log }, address, AbortSignal.timeout(60_000))
  if (!isRelease(found)) {
    print(`${address} ${failures[found.reason]}${found.status === null ? '' : ` (status ${found.status})`}.`)
    return 2
  }
  const isOld = isNewer(found.version, version)
  print(
    isOld
      ? [`Castellan ${found.version} is available; this is ${version}.`, found.notes, found.url]
          .filter(Boolean)
          .join(' ')
      : `Castellan ${version} is the newest version.`,
  )
  return isOld ? 1 : 0
}
