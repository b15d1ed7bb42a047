import { parseArgs } from 'node:util'
import { percentile } from '../support/measure'
import { chaosRounds } from './rounds'

// `bun run build` first. The seed makes the same plan again; when a kill hits is the machine's business.

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '100' }, seed: { type: 'string' }, verbose: { type: 'boolean' } },
})
const seed = values.seed === undefined ? crypto.getRandomValues(new Uint32Array(1))[0]! : Number(values.seed)
console.log(`seed ${seed}`)
const report = await chaosRounds({ rounds: Number(values.rounds), seed, ...(values.verbose && { log: console.log }) })

const { kills, startMs } = report
const rows: [string, string | number][] = [
  ['rounds', `${report.rounds} in ${report.seconds.toFixed(0)} s`],
  ['killed while starting', kills.starting],
  ['killed right after a delicate write', kills.aimed],
  ['killed whenever', kills.whenever],
  ['  of these with downloads under way', kills.downloading],
  [
    'start to answering, p50 and longest',
    `${percentile(startMs, 0.5).toFixed(0)}, ${percentile(startMs, 1).toFixed(0)} ms`,
  ],
  ['writes acknowledged', report.acknowledged],
  ['writes that the kill left unanswered', report.unanswered],
  ['things looked at in the end', report.things],
  ['podcasts, episodes, files', `${report.podcasts}, ${report.episodes}, ${report.files}`],
  ['media compared', `${(report.checkedBytes / 1e6).toFixed(0)} MB`],
  ['backups read', report.backups],
  ['violations', report.violations.length],
]
for (const [name, value] of rows) console.log(`${name.padEnd(40)}${String(value).padStart(22)}`)
if (report.refusals.length > 0) console.log(`refused: ${report.refusals.join(', ')}`)
for (const violation of new Set(report.violations)) console.log(`! ${violation}`)
process.exit(report.violations.length > 0 ? 1 : 0)
