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
  --version       print the version, its commit and the commit's date
  --help          print this help

Accounts, even while the server is running. Passwords are read from a prompt or from standard input:
${indent(usersUsage)}

Podcasts, even while the server is running:
${indent(podcastsUsage)}

Importing another program's library, even while the server is running:
${indent(importUsage)}

Replacing a PodFetch on this machine, with its media:
${indent(adoptUsage)}

Exporting an account's subscriptions, positions, lists and bookmarks into one archive, even while the server is running:
${indent(exportUsage)}

Moving media files between the folder and a bucket, even while the server is running:
${indent(mediaUsage)}

Backups of the database and the server's secret in one file, without media. The server also makes them on a schedule
(BACKUP_INTERVAL):
${indent(backupUsage)}

A new library, and the server's secret:
${indent(secretUsage)}

Health:
${indent(doctorUsage)}
${indent(healthUsage)}

Variables:
${variables.map(describe).join('\n')}

${secretVariables.slice(0, -1).join(', ')} and ${secretVariables.at(-1)} can also be set with _FILE
appended to the name, to the path of a file that holds the value.

Without BASIC_AUTH, OIDC_AUTH or REVERSE_PROXY Castellan runs in open mode: everybody who can reach it is its
administrator. It then listens only on 127.0.0.1, unless HOST and ALLOW_OPEN say otherwise.
`
