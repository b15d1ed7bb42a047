import type { Config } from '../config'
import type { CommandName } from './arguments'
import { runBackupCommand, runRestoreCommand } from './backup'
import { runDoctorCommand } from './doctor'
import { readPassword } from './terminal'
import { runUsersCommand } from './users'

/** Runs a command that prints something and ends; `doctor` ends the process with 1 if it found anything wrong. */
export async function runCommand(name: CommandName, args: readonly string[], config: Config) {
  if (name === 'users') return runUsersCommand(args, config, { print: console.log, readPassword })
  if (name === 'backup') return runBackupCommand(args, config, console.log)
  if (name === 'restore') return runRestoreCommand(args, config, console.log)
  process.exit(runDoctorCommand(args, config, console.log) === 0 ? 0 : 1)
}
