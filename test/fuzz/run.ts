import fc from 'fast-check'
import { writeFileSync } from 'node:fs'
import type { openCorpus } from './corpus'
import { minimise } from './minimise'
import { Finding, type Target } from './target'

const SLOW_MS = 300
/** Kept when it takes so much longer than any input before, and no less than this. */
const SLOWER = 1.5
const MIN_KEPT_MS = 20

export type Found = { what: string; input: unknown; detail: unknown; stack: string }
export type Outcome = { inputs: number; found: Found[] }

type Options = {
  seed: number
  seconds: number
  /** The file that holds the input under way: all that is known of a process that hangs. */
  note: string
  corpus: ReturnType<typeof openCorpus>
  report: (found: Found) => void
}

/** Tries inputs until the time is over, and reports each defect once, by the smallest input that shows it. */
export async function run(target: Target, { seed, seconds, note, corpus, report }: Options): Promise<number> {
  const until = performance.now() + seconds * 1000
  const known = new Set<string>()
  let inputs = 0
  let slowestMs = MIN_KEPT_MS

  async function wrongWith(input: unknown): Promise<unknown> {
    inputs++
    writeFileSync(note, JSON.stringify(input))
    try {
      const ms = await inTime(target, input)
      if (ms > SLOWER * slowestMs) corpus.keep(input)
      slowestMs = Math.max(slowestMs, ms)
      return null
    } catch (error) {
      return error
    }
  }
  const property = fc.asyncProperty(target.inputs, async input => {
    const wrong = await wrongWith(input)
    if (wrong !== null && !known.has(kindOf(wrong))) throw wrong
  })

  for (const input of corpus.inputs()) {
    const wrong = await wrongWith(input)
    if (wrong === null || known.has(kindOf(wrong))) continue
    known.add(kindOf(wrong))
    report(foundBy(wrong, input))
  }
  for (let round = 0; performance.now() < until; round++) {
    const result = await fc.check(property, {
      seed: seed + round,
      numRuns: 10_000,
      interruptAfterTimeLimit: Math.max(1, until - performance.now()),
      markInterruptAsFailure: false,
    })
    if (!result.failed || !result.counterexample) continue
    const wrong = result.errorInstance
    const kind = kindOf(wrong)
    known.add(kind)
    const [shrunk] = result.counterexample
    let smallest = wrong
    const input = await minimise(shrunk, target.texts ?? [], async smaller => {
      const again = await wrongWith(smaller)
      if (again === null || kindOf(again) !== kind) return false
      smallest = again
      return true
    })
    corpus.keep(input)
    report(foundBy(smallest, input))
  }
  await target.finish?.().catch((wrong: unknown) => report(foundBy(wrong, null)))
  return inputs
}

function foundBy(wrong: unknown, input: unknown): Found {
  const detail = wrong instanceof Finding ? wrong.detail : null
  return { what: kindOf(wrong), input, detail, stack: wrong instanceof Error ? (wrong.stack ?? '') : String(wrong) }
}

/** Tries a slow input again, since the machine may have been busy with something else; gives its milliseconds. */
async function inTime({ check, slowMs = SLOW_MS }: Target, input: unknown): Promise<number> {
  const times: number[] = []
  do {
    const began = performance.now()
    await check(input)
    times.push(performance.now() - began)
  } while (times.length < 3 && times.at(-1)! > slowMs)
  const fastest = Math.min(...times)
  if (fastest > slowMs) throw new Finding('an input took too long', `${Math.round(fastest)} ms`)
  return fastest
}

/** Names a defect: by its sentence, and for a stray exception by the place where it was thrown. */
function kindOf(wrong: unknown): string {
  if (wrong instanceof Finding) return wrong.message
  if (!(wrong instanceof Error)) return String(wrong)
  const from = /(src\/[\w./-]+:\d+)/.exec(wrong.stack ?? '')?.[1] ?? ''
  return `${wrong.name}: ${wrong.message.replace(/\d+/g, '0').slice(0, 200)} ${from}`.trim()
}
