import type { Config } from '../config'
import type { CommandName } from './arguments'
import { runBackupCommand, runRestoreCommand } from './backup'
import { runDoctorCommand } from './doctor'
import { runImportCommand } from './import'
import { readPassword } from './terminal'
import { runUsersCommand } from './users'

/**
 * Runs a command that prints something and ends; `doctor` ends the process with 1 if it found anything wrong, `import` if
 * it did not end well.
 */
export async function runCommand(name: CommandName, args: readonly string[], config: Config) {
  if (name === 'users') return runUsersCommand(args, config, { print: console.log, readPassword })
  if (name === 'backup') return runBackupCommand(args, config, console.log)
  if (name === 'restore') return runRestoreCommand(args, config, console.log)
  if (name === 'import') process.exit((await runImportCommand(args, config, console.log)) ? 0 : 1)
  process.exit(runDoctorCommand(args, config, console.log) === 0 ? 0 : 1)
}
