import { readFileSync } from 'node:fs'
import { createMoveTasks, ITEMS_AT_ONCE } from '../../../src/server/moving/tasks'
import { collectGarbage } from '../../../src/server/platform/engine'

/** Reads a file as the reader of a move does, and prints the number of its items and the peak of the memory in MB. */
const { openMove, readItems } = createMoveTasks()
const opened = await openMove({ path: process.argv[2]!, from: null, now: Date.now(), isChecked: false }, 1)
if ('refused' in opened) throw new Error(opened.refused.message)
let items = 0
for (let isEnd = false; !isEnd;) {
  const some = await readItems(null, 2)
  if ('refused' in some) throw new Error(some.refused.message)
  items += some.items.length
  isEnd = some.isEnd
  collectGarbage(ITEMS_AT_ONCE * 8000)
}
const peak = /VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]
console.log(JSON.stringify({ items, peakMb: Number(peak) / 1024 }))
