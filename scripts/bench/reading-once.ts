import { knownAfter } from '../../test/support/known-episodes'
import type { digestFeed } from '../../src/server/feeds/apply/digest'

// `bun reading-once.ts DIGEST FEED GROWN`: prints the ms of processor time in which the function of a checkout reads a
// feed, and then the same feed with one more episode. Garbage counts; the compiling of the first 16 MB does not.

const [module, ...paths] = process.argv.slice(2)
const { digestFeed: digest } = (await import(module!)) as { digestFeed: typeof digestFeed }
const [feed, grown] = (await Promise.all(paths.map(path => Bun.file(path).bytes()))) as [Uint8Array, Uint8Array]
const times = Math.ceil(8e6 / feed.byteLength)
const timesBefore = Math.ceil(16e6 / feed.byteLength)

type Known = ReturnType<typeof knownAfter>
const request = { contentType: '', contentEncoding: '', address: 'https://pod.example/feed.xml', maxBytes: 64e6 }

function read(body: Uint8Array, known: Known): Known {
  const result = digest({ ...request, body, known })
  if (!result.ok) throw new Error(result.reason)
  // As the library lists them: without their texts.
  return knownAfter(result.digest).map(({ id, ...episode }) => ({ ...episode, id, notes: '', extras: null }))
}

function cpuOf(body: Uint8Array, known: Known): number {
  for (let count = 0; count < timesBefore; count++) digest({ ...request, body, known })
  Bun.gc(true)
  const before = process.cpuUsage()
  for (let count = 0; count < times; count++) digest({ ...request, body, known })
  Bun.gc(true)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000 / times
}

const known = read(feed, [])
console.log(JSON.stringify([cpuOf(feed, []), cpuOf(grown, known)]))
