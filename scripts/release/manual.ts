import { gzipSync } from 'node:zlib'
import { commandTable, options, type CommandEntry } from '../../src/server/cli/help'
import { secretVariables, variables } from '../../src/server/config'
import { site, version } from '../../src/shared/origin'
import type { Entry } from './archives/tar'

/** Writes the manual pages of castellan and its commands, from what `--help` prints; the epoch dates them. */
export function manualPages(epoch: number): Entry[] {
  const date = new Date(epoch * 1000).toISOString().slice(0, 10)
  const pages = [
    { name: 'castellan', text: mainPage(date) },
    ...commandTable().map(entry => ({ name: `castellan-${entry.name}`, text: commandPage(entry, date) })),
  ]
  return pages.map(({ name, text }) => ({
    path: `usr/share/man/man1/${name}.1.gz`,
    content: gzipSync(text, { level: 9 }),
  }))
}

/** Escapes text for roff: no line is a request, and a hyphen can be copied. */
const escape = (text: string) =>
  text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll('…', '...')
    .replace(/^([.'])/gm, '\\&$1')

const head = (name: string, date: string, summary: string) =>
  `.TH ${name.toUpperCase()} 1 ${date} "Castellan ${version}" "Castellan manual"\n.SH NAME\n${escape(name)} \\- ${escape(summary)}\n`

const verbatim = (text: string) => `.nf\n${escape(text)}\n.fi\n`

const item = (term: string, text: string) => `.TP\n.B ${escape(term)}\n${escape(text)}\n`

const files = [
  ['/etc/castellan/castellan.env', 'variables of the packaged service'],
  ['/var/lib/castellan', 'database, covers, backups, secret and media of the packaged service'],
] as const

function mainPage(date: string): string {
  const entries = commandTable()
  return `${head('castellan', date, 'self-hosted podcast manager and player')}.SH SYNOPSIS
.B castellan
[\\-\\-config FILE] [COMMAND ...]
.SH DESCRIPTION
Without a command, Castellan serves its interface at http://127.0.0.1:8000 and keeps everything in one folder.
.SH OPTIONS
${options.map(([name, text]) => item(name, text)).join('')}.SH COMMANDS
${entries.map(({ name, summary }) => item(`castellan-${name}(1)`, summary)).join('')}.SH ENVIRONMENT
${variables.map(one => item(one.name, `${one.meaning}${one.default ? ` (${one.default})` : ''}`)).join('')}.PP
${escape(`${secretVariables.join(', ')} can also be set with _FILE appended to the name, to the path of a file that holds the value.`)}
.SH FILES
${files.map(([path, text]) => item(path, text)).join('')}.SH EXIT STATUS
0 on success, 1 if anything failed.
.SH SEE ALSO
${escape(site)}
`
}

const commandPage = ({ name, summary, usage, example }: CommandEntry, date: string) =>
  `${head(`castellan-${name}`, date, summary)}.SH SYNOPSIS
${verbatim(usage)}.SH EXAMPLE
${verbatim(`castellan ${example}`)}.SH SEE ALSO
.BR castellan (1)
`
