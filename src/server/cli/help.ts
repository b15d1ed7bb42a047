import { secretVariables, variables } from '../config'
import { version } from '../platform/version'
import { backupUsage } from './backup'
import { doctorUsage } from './doctor'
import { importUsage } from './import-options'
import { usersUsage } from './user-options'

const indent = (usage: string) =>
  usage
    .split('\n')
    .map(line => `  ${line}`)
    .join('\n')

const describe = ({ name, default: value, meaning }: (typeof variables)[number]) =>
  `  ${name.padEnd(28)}${meaning}${value ? ` (${value})` : ''}`

/** Returns what `castellan --help` prints: commands, and every variable with its default in parentheses. */
export const helpText = () => `Castellan ${version}: a self-hosted podcast manager and player

Usage: castellan [--config FILE]
       castellan [--config FILE] users|import|backup|restore|doctor …

  --config FILE   read variables from a file of NAME=value lines; the environment takes precedence
  --version       print the version
  --help          print this help

Accounts, also while the server runs. Passwords are asked for or read from standard input:
${indent(usersUsage)}

Moving in from another program, also while the server runs:
${indent(importUsage)}

Backups of the database and the server's secret in one file, without media. The server also makes them itself, see
BACKUP_INTERVAL:
${indent(backupUsage)}

Health:
${indent(doctorUsage)}

Variables:
${variables.map(describe).join('\n')}

${secretVariables.slice(0, -1).join(', ')} and ${secretVariables.at(-1)} can also be given with _FILE at the end of
the name: the path of a file that holds the value.

Without BASIC_AUTH, OIDC_AUTH or REVERSE_PROXY Castellan runs in open mode: everybody who can reach it is its
administrator. So it listens on 127.0.0.1 only, unless HOST says otherwise.
`
