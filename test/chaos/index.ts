import { parseArgs } from 'node:util'
import { percentile } from '../support/measure'
import { movingRounds } from './moving'
import { chaosRounds } from './rounds'
import { transcribingRounds } from './transcribing'

// `bun run build` first. `--storage s3` keeps media in a bucket, of versitygw where it is installed; `--replica` lets
// Litestream copy the database, and loses the data folder now and then; `--move 5000` kills nothing but a move of so
// many files, `--transcribe 20` nothing but the transcribing of so many. The seed makes the same plan again; when a
// kill hits is the machine's business.

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '100' },
    seed: { type: 'string' },
    storage: { type: 'string', default: 'folder' },
    replica: { type: 'boolean', default: false },
    move: { type: 'string' },
    transcribe: { type: 'string' },
    kills: { type: 'string', default: '10' },
    verbose: { type: 'boolean' },
  },
})
const seed = values.seed === undefined ? crypto.getRandomValues(new Uint32Array(1))[0]! : Number(values.seed)
console.log(`seed ${seed}`)
if (values.move !== undefined) {
  const violations = await movingRounds({
    files: Number(values.move),
    kills: Number(values.kills),
    seed,
    log: console.log,
  })
  for (const violation of violations.slice(0, 20)) console.log(`! ${violation}`)
  console.log(`violations: ${violations.length}`)
  process.exit(violations.length > 0 ? 1 : 0)
}
if (values.transcribe !== undefined) {
  const files = Number(values.transcribe)
  const { violations, ...counts } = await transcribingRounds({
    files,
    kills: Number(values.kills),
    seed,
    log: console.log,
  })
  for (const violation of violations.slice(0, 20)) console.log(`! ${violation}`)
  console.log(
    Object.entries({ files, ...counts, violations: violations.length })
      .map(pair => pair.join(': '))
      .join('\n'),
  )
  process.exit(violations.length > 0 ? 1 : 0)
}
const report = await chaosRounds({
  rounds: Number(values.rounds),
  seed,
  storage: values.storage === 's3' ? 's3' : 'folder',
  withReplica: values.replica,
  ...(values.verbose && { log: console.log }),
})

const { kills, startMs, lagMs } = report
const rows: [string, string | number][] = [
  ['rounds', `${report.rounds} in ${report.seconds.toFixed(0)} s`],
  ['killed while starting', kills.starting],
  ['killed right after a delicate write', kills.aimed],
  ['killed whenever', kills.whenever],
  ['  of these with downloads under way', kills.downloading],
  ['machines lost and restored', kills.wiped],
  ...(lagMs.length > 0
    ? ([
        ['  age of the copy, longest', `${Math.max(...lagMs).toFixed(0)} ms`],
        ['  files stored since then, deleted', report.lostFiles],
      ] as [string, string | number][])
    : []),
  [
    'start to answering, p50 and longest',
    `${percentile(startMs, 0.5).toFixed(0)}, ${percentile(startMs, 1).toFixed(0)} ms`,
  ],
  ['writes acknowledged', report.acknowledged],
  ['writes that the kill left unanswered', report.unanswered],
  ['removed: podcasts, large ones, accounts, moves', report.removed.join(', ')],
  ['things looked at in the end', report.things],
  ['podcasts, episodes, files', `${report.podcasts}, ${report.episodes}, ${report.files}`],
  ['media compared', `${(report.checkedBytes / 1e6).toFixed(0)} MB`],
  ['backups read', report.backups],
  ['violations', report.violations.length],
]
for (const [name, value] of rows) console.log(`${name.padEnd(50)}${String(value).padStart(22)}`)
if (report.refusals.length > 0) console.log(`refused: ${report.refusals.join(', ')}`)
for (const violation of new Set(report.violations)) console.log(`! ${violation}`)
process.exit(report.violations.length > 0 ? 1 : 0)
