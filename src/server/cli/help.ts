import { secretVariables, variables } from '../config'
import { version } from '../platform/version'
import { adoptUsage } from './adopt'
import type { CommandName } from './arguments'
import { backupUsage, restoreUsage } from './backup'
import { doctorUsage } from './doctor'
import { exportUsage } from './export'
import { healthUsage } from './health'
import { importUsage } from './import-options'
import { mediaUsage } from './media'
import { podcastsUsage } from './podcasts'
import { initUsage, secretUsage } from './secret'
import { updateUsage } from './update'
import { setupUsage } from './setup'
import { usersUsage } from './users'

type CommandHelp = { usage: string; example: string }

const demoUsage = `castellan demo    (reads HOST, PORT, SUB_DIRECTORY, SERVER_URL and TLS_CERT; stores nothing)`

const commands: Record<CommandName, CommandHelp> = {
  demo: { usage: demoUsage, example: 'demo' },
  setup: { usage: setupUsage, example: '--config castellan.env setup' },
  users: { usage: usersUsage, example: 'users add mara --role uploader' },
  podcasts: { usage: podcastsUsage, example: 'podcasts add https://example.com/feed.xml' },
  import: { usage: importUsage, example: 'import ~/gPodder/Database --user mara --dry-run' },
  'adopt-podfetch': { usage: adoptUsage, example: 'adopt-podfetch /srv/podfetch --dry-run' },
  export: { usage: exportUsage, example: 'export --user mara --files /mnt/mara.zip' },
  media: { usage: mediaUsage, example: 'media move --to s3' },
  backup: { usage: backupUsage, example: 'backup /mnt/backups' },
  restore: { usage: restoreUsage, example: 'restore /mnt/backups/castellan-manual-20260501T031500Z.db' },
  init: { usage: initUsage, example: '--config castellan.env init' },
  secret: { usage: secretUsage, example: 'secret /mnt/backups/castellan-manual-20260501T031500Z.db' },
  doctor: { usage: doctorUsage, example: 'doctor --repair' },
  health: { usage: healthUsage, example: '--config castellan.env health' },
  update: { usage: updateUsage, example: 'update --check' },
}

/** The commands of the whole help, in its order. */
const sections: readonly { title: string; names: readonly CommandName[] }[] = [
  { title: 'First steps: asks how people sign in, who the admin is, and where things are', names: ['setup'] },
  {
    title: 'Accounts, even while the server is running. Passwords are read from a prompt or from standard input',
    names: ['users'],
  },
  { title: 'Podcasts, even while the server is running', names: ['podcasts'] },
  { title: "Importing another program's library, even while the server is running", names: ['import'] },
  { title: 'Replacing a PodFetch on this machine, with its media', names: ['adopt-podfetch'] },
  {
    title:
      "Exporting an account's subscriptions, positions, lists and bookmarks into one archive, even while the server is running",
    names: ['export'],
  },
  {
    title: 'Moving media files between the folder and a bucket, even while the server is running',
    names: ['media'],
  },
  {
    title: `Backups of the database and the server's secret in one file, without media. The server also makes them on a schedule
(BACKUP_INTERVAL)`,
    names: ['backup', 'restore'],
  },
  { title: "A new library, and the server's secret", names: ['init', 'secret'] },
  { title: 'A library of invented podcasts to look at, read-only; it starts over every hour', names: ['demo'] },
  { title: 'Health', names: ['doctor', 'health', 'update'] },
]

/** Options before a command. */
export const options = [
  ['--config FILE', 'read variables from a file of NAME=value lines; the environment takes precedence'],
  ['--version', "print the version, its commit and the commit's date"],
  ['--licenses', 'print the licences of everything in this executable'],
  ['--help', 'print this help; after a command, that of the command'],
] as const

export type CommandEntry = CommandHelp & { name: CommandName; summary: string }

/** Lists the commands in the order of the help, for manual pages and completions. */
export const commandTable = (): CommandEntry[] =>
  sections.flatMap(({ title, names }) =>
    names.map(name => ({ name, summary: title.split(/[,.:]/)[0]!, ...commands[name] })),
  )

/** The width of a terminal that nobody has made wider. */
const MAX_WIDTH = 80

/** Folds lines that a terminal would break, and continues them below the column where their text begins. */
function fold(line: string): string[] {
  const [column = ''] =
    /^ *(?:[A-Z\d_]+|--[a-z-]+(?: [A-Z]+)?) {2,}/.exec(line) ?? /^ *(?=castellan )/.exec(line) ?? /^ */.exec(line)!
  const hang = /^ *castellan /.test(line) ? column.length + 4 : column.length
  const lines: string[] = []
  // A remark in parentheses is moved as a whole if it then fits.
  const start = line.length > MAX_WIDTH && line.endsWith(')') ? line.indexOf('  (') : -1
  const parts = start === -1 ? [line] : [line.slice(0, start).trimEnd(), ' '.repeat(hang) + line.slice(start).trim()]
  for (const part of parts) {
    let left = part
    while (left.length > MAX_WIDTH) {
      const at = left.lastIndexOf(' ', MAX_WIDTH)
      if (at <= hang) break
      lines.push(left.slice(0, at).trimEnd())
      left = `${' '.repeat(hang)}${left.slice(at + 1)}`
    }
    lines.push(left)
  }
  return lines
}

const folded = (text: string) => text.split('\n').flatMap(fold).join('\n')

const indent = (usage: string) =>
  usage
    .split('\n')
    .map(line => `  ${line}`)
    .join('\n')

const describeSection = ({ title, names }: (typeof sections)[number]) =>
  [`${title}:`, ...names.map(name => indent(commands[name].usage))].join('\n')

const describe = ({ name, default: value, meaning }: (typeof variables)[number]) =>
  `  ${name.padEnd(28)}${meaning}${value ? ` (${value})` : ''}`

/** Returns what `castellan COMMAND --help` prints: its section's title, usage and an example. */
export function commandHelp(name: CommandName): string {
  const { title } = sections.find(({ names }) => names.includes(name))!
  const { usage, example } = commands[name]
  return folded(`${title}:
${indent(usage)}

Example:
  castellan ${example}

--config FILE reads variables from a file. castellan --help lists the variables and the other commands.
`)
}

/** Returns what `castellan --help` prints: commands, and every variable with its default in parentheses. */
export const helpText = () =>
  folded(`Castellan ${version}: a self-hosted podcast manager and player

Usage: castellan [--config FILE]
       castellan [--config FILE] COMMAND …    (castellan COMMAND --help explains one)

${options.map(([name, meaning]) => `  ${name.padEnd(16)}${meaning}`).join('\n')}

${sections.map(describeSection).join('\n\n')}

Variables:
${variables.map(describe).join('\n')}

${secretVariables.slice(0, -1).join(', ')} and ${secretVariables.at(-1)} can also be set with _FILE
appended to the name, to the path of a file that holds the value.

Without BASIC_AUTH, OIDC_AUTH or REVERSE_PROXY Castellan runs in open mode: everybody who can reach it is its
administrator. It then listens only on 127.0.0.1, unless HOST and ALLOW_OPEN say otherwise.
`)
