import { secretVariables, variables } from '../config'
import { version } from '../platform/version'
import { adoptUsage } from './adopt'
import { backupUsage } from './backup'
import { doctorUsage } from './doctor'
import { exportUsage } from './export'
import { healthUsage } from './health'
import { importUsage } from './import-options'
import { mediaUsage } from './media'
import { podcastsUsage } from './podcasts'
import { secretUsage } from './secret'
import { usersUsage } from './users'

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
       castellan [--config FILE] init|users|podcasts|import|adopt-podfetch|export|media|backup|restore|secret|doctor|health …

  --config FILE   read variables from a file of NAME=value lines; the environment takes precedence
  --version       print the version, its commit and the date of that
  --help          print this help

Accounts, also while the server runs. Passwords are asked for or read from standard input:
${indent(usersUsage)}

Podcasts, also while the server runs:
${indent(podcastsUsage)}

Moving in from another program, also while the server runs:
${indent(importUsage)}

Taking the place of a PodFetch on this machine, with its media:
${indent(adoptUsage)}

Moving out, also while the server runs: subscriptions, positions, lists and bookmarks of an account in one archive:
${indent(exportUsage)}

Media files between the folder and a bucket, also while the server runs:
${indent(mediaUsage)}

Backups of the database and the server's secret in one file, without media. The server also makes them on a schedule, see
BACKUP_INTERVAL:
${indent(backupUsage)}

The server's secret, and a new library where REPLICA_URL is set:
${indent(secretUsage)}

Health:
${indent(doctorUsage)}
${indent(healthUsage)}

Variables:
${variables.map(describe).join('\n')}

${secretVariables.slice(0, -1).join(', ')} and ${secretVariables.at(-1)} can also be given with _FILE at the end of
the name: the path of a file that holds the value.

Without BASIC_AUTH, OIDC_AUTH or REVERSE_PROXY Castellan runs in open mode: everybody who can reach it is its
administrator. So it listens on 127.0.0.1 only, unless HOST says otherwise.
`
