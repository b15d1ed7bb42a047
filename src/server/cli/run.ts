import type { Config } from '../config'
import { systemClock } from '../platform/clock'
import { runAdoptCommand } from './adopt'
import type { CommandName } from './arguments'
import { runBackupCommand, runRestoreCommand } from './backup'
import { runDoctorCommand } from './doctor'
import { runExportCommand } from './export'
import { runHealthCommand } from './health'
import { runImportCommand } from './import'
import { runMediaCommand } from './media'
import { runPodcastsCommand } from './podcasts'
import { runInitCommand, runSecretCommand } from './secret'
import { openTerminal, readPassword } from './terminal'
import { runUpdateCommand } from './update'
import { runUsersCommand } from './users'

/**
 * Runs a command that prints something and ends; `doctor` ends the process with 1 if it found anything wrong,
 * `health` if the server is not ready, `podcasts`, `media` and the imports if they did not end well.
 */
export async function runCommand(
  name: Exclude<CommandName, 'setup' | 'demo'>,
  args: readonly string[],
  config: Config,
) {
  if (name === 'users') return runUsersCommand(args, config, { print: console.log, readPassword })
  if (name === 'podcasts') process.exit((await runPodcastsCommand(args, config, openTerminal())) ? 0 : 1)
  if (name === 'backup') return runBackupCommand(args, config, console.log)
  if (name === 'restore') {
    const { requireNoLitestream } = await import('../upkeep/replica')
    await requireNoLitestream(config.dataFolder)
    return runRestoreCommand(args, config, console.log)
  }
  if (name === 'init') return runInitCommand(args, config, console.log)
  if (name === 'secret') return runSecretCommand(args, config, console.log)
  if (name === 'adopt-podfetch') process.exit((await runAdoptCommand(args, config, console.log)) ? 0 : 1)
  if (name === 'export') return runExportCommand(args, config, console.log)
  if (name === 'media') process.exit((await runMediaCommand(args, config, console.log)) ? 0 : 1)
  if (name === 'health') process.exit((await runHealthCommand(args, config, console.log)) ? 0 : 1)
  if (name === 'update') process.exit(await runUpdateCommand(args, config, console.log))
  if (name === 'import') process.exit((await runImportCommand(args, config, console.log)) ? 0 : 1)
  const { examineProxies, examineReplica, examineTranscription } = await import('../upkeep/doctor/services')
  const found = [
    ...(await examineProxies(config)),
    ...(await examineReplica(config, systemClock())),
    ...(await examineTranscription(config)),
  ]
  process.exit((await runDoctorCommand(args, config, console.log, found)) === 0 ? 0 : 1)
}
