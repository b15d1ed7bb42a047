import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Message, Order } from './child'
import { openCorpus } from './corpus'
import type { Found } from './run'
import { targets } from './targets'

const HANG_MS = 20_000
const MAX_SHOWN = 600
const folder = join(import.meta.dir, '../../dist/fuzz')

const { values } = parseArgs({
  args: process.argv.slice(2),
  options: {
    seconds: { type: 'string', default: '60' },
    seed: { type: 'string' },
    target: { type: 'string', multiple: true },
    feeds: { type: 'string' },
    corpus: { type: 'string' },
  },
})
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31))
const names = values.target ?? Object.keys(targets)
const unknown = names.filter(name => !(name in targets))
if (unknown.length > 0) {
  console.error(`There is no target ${unknown}; there are ${Object.keys(targets).join(', ')}`)
  process.exit(2)
}

const corpus = values.corpus ?? null

mkdirSync(folder, { recursive: true })
const seconds = Number(values.seconds) / names.length
console.log(`seed ${seed}, ${Math.round(seconds)} s for each of ${names.join(', ')}`)
let findings = 0
for (const name of names) {
  const { inputs, found } = await fuzz(name, seconds)
  console.log(`${name}: ${inputs} inputs, ${found} findings`)
  findings += found
}
process.exit(findings > 0 ? 1 : 0)

/** A target until its time is over; one that hangs is ended, and goes on with other inputs. */
async function fuzz(name: string, seconds: number) {
  const until = Date.now() + seconds * 1000
  let inputs = 0
  let found = 0
  const report = (finding: Found) => show(name, ++found, finding)
  for (let turn = 0; turn === 0 || Date.now() < until; turn++) {
    const left = Math.max(1, (until - Date.now()) / 1000)
    inputs += await inAProcess(
      {
        name,
        seed: seed + turn * 1_000_000,
        seconds: left,
        folder: values.feeds ?? null,
        // Once: what hangs there would hang again in each turn.
        corpus: turn === 0 ? corpus : null,
        note: join(folder, `${name}.under-way`),
      },
      report,
    )
  }
  return { inputs, found }
}

async function inAProcess(order: Order, report: (finding: Found) => void): Promise<number> {
  let inputs = 0
  let isHanging = false
  const began = Date.now()
  const child = Bun.spawn([process.execPath, join(import.meta.dir, 'child.ts'), JSON.stringify(order)], {
    stdout: 'inherit',
    stderr: 'inherit',
    ipc(message: Message) {
      if ('found' in message) report(message.found)
      else inputs = message.inputs
    },
  })
  const watch = setInterval(() => {
    const beat = Math.max(began, statSync(order.note, { throwIfNoEntry: false })?.mtimeMs ?? 0)
    if (Date.now() - beat < HANG_MS) return
    isHanging = true
    // It may still be able to take what it has started along.
    child.kill('SIGTERM')
    setTimeout(() => child.kill('SIGKILL'), 5000).unref()
  }, 1000)
  const code = await child.exited
  clearInterval(watch)
  if (code !== 0 && !existsSync(order.note)) {
    console.error(`${order.name} does not even begin`)
    process.exit(2)
  }
  if (isHanging || code !== 0) {
    const input: unknown = JSON.parse(readFileSync(order.note, 'utf8'))
    openCorpus(corpus, order.name).keep(input)
    const what = isHanging ? `it hangs for more than ${HANG_MS} ms` : `the process ended with ${code}`
    report({ what, input, detail: null, stack: '' })
  }
  rmSync(order.note, { force: true })
  return inputs
}

function show(name: string, number: number, { what, input, detail, stack }: Found) {
  const text = typeof input === 'string' ? input : JSON.stringify(input, null, 2)
  const file = join(folder, `${name}-${number}.${typeof input === 'string' ? 'txt' : 'json'}`)
  writeFileSync(file, text)
  const shown = JSON.stringify(input)
  console.log(`\n${name}: ${what}`)
  console.log(shown.length > MAX_SHOWN ? `${shown.slice(0, MAX_SHOWN)}… (${shown.length})` : shown)
  if (detail !== null) console.log(JSON.stringify(detail).slice(0, 1500))
  const places = stack
    .split('\n')
    .filter(line => line.includes('/src/'))
    .slice(0, 4)
  if (places.length > 0) console.log(places.join('\n'))
  console.log(`kept in dist/fuzz/${name}-${number}`)
}
