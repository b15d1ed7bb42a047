import { variables } from '../config'
import { version } from '../platform/version'
import { backupUsage } from './backup'
import { doctorUsage } from './doctor'
import { usersUsage } from './user-options'

const indented = (usage: string) =>
  usage
    .split('\n')
    .map(line => `  ${line}`)
    .join('\n')

export const helpText = () => `Castellan ${version}: a self-hosted podcast manager and player

Usage: castellan [--config FILE]
       castellan [--config FILE] users|backup|restore|doctor …

  --config FILE   read variables from a file of NAME=value lines; the environment comes first
  --version       print the version
  --help          print this help

Accounts, also while the server runs; passwords are typed, or read from standard input:
${indented(usersUsage)}

Backups: the database and the server's secret in one file, without media; also on a schedule (BACKUP_INTERVAL)
${indented(backupUsage)}

Health:
${indented(doctorUsage)}

Variables:
${variables.map(({ name, default: value, meaning }) => `  ${name.padEnd(28)}${meaning}${value ? ` (${value})` : ''}`).join('\n')}

PASSWORD_FILE and API_KEY_FILE name a file that contains the value of PASSWORD or API_KEY.

Without BASIC_AUTH, OIDC_AUTH or REVERSE_PROXY Castellan runs in open mode: everyone who can reach it is its
administrator. It therefore listens on 127.0.0.1 alone, unless HOST says otherwise.
`
