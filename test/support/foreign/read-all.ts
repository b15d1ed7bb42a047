import { readFileSync } from 'node:fs'
import { readSource } from '../../../src/server/moving/read-source'
import { createSecondThread } from '../../../src/server/second-thread'
import { createWriteLock } from '../../../src/server/store/write-lock'

/** Reads a file as a move does, and prints the number of its items and the peak of the memory in MB. */
const [path, folder] = process.argv.slice(2) as [string, string]
const newThread = () => createSecondThread(`${folder}/none.db`, createWriteLock())
const open = await readSource(newThread, { path, from: null, now: Date.now(), isChecked: false })
let items = 0
for await (const _ of open.items()) items++
const peak = /VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]
console.log(JSON.stringify({ items, peakMb: Number(peak) / 1024 }))
await open.close()
