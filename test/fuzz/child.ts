import { openCorpus } from './corpus'
import { run, type Found } from './run'
import { targets } from './targets'

export type Order = {
  name: string
  seed: number
  seconds: number
  folder: string | null
  corpus: string | null
  note: string
}
export type Message = { found: Found } | { inputs: number }

// One target, in a process of its own: what hangs there is ended from outside.
const { name, corpus, ...options } = JSON.parse(process.argv[2]!) as Order
const target = await targets[name]!(options.folder)
process.on('SIGTERM', () => void target.stop?.().finally(() => process.exit(1)))
const inputs = await run(target, {
  ...options,
  corpus: openCorpus(corpus, name),
  report: found => process.send!({ found } satisfies Message),
})
await target.stop?.()
process.send!({ inputs } satisfies Message)
process.disconnect!()
process.exit(0)
