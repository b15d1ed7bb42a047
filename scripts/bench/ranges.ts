// Reads ranges of 64 KB over eight connections: at random places, as players that seek do, or each connection one after
// the other from a random place on, as phones do that fetch in pieces. In a process of its own, so that nothing but the
// server differs. Prints MB/s.

import { argv } from 'node:process'

const [address = '', size = '0', requests = '0', headers = '{}', order = 'random'] = argv.slice(2)
const RANGE = 64 * 1024
const more = JSON.parse(headers) as Record<string, string>
let left = Number(requests)

async function read(seed: number) {
  let state = seed
  const next = () => (state = (state * 48_271) % 2_147_483_647) % (Number(size) - RANGE)
  let from = next()
  while (left-- > 0) {
    const response = await fetch(address, { headers: { ...more, Range: `bytes=${from}-${from + RANGE - 1}` } })
    const body = await response.arrayBuffer()
    if (response.status !== 206 || body.byteLength !== RANGE)
      throw new Error(`${response.status}, ${body.byteLength} bytes`)
    from = order === 'random' || from + 2 * RANGE > Number(size) ? next() : from + RANGE
  }
}

const began = performance.now()
await Promise.all(Array.from({ length: 8 }, (_, index) => read(index + 1)))
console.log((Number(requests) * RANGE) / 1e6 / ((performance.now() - began) / 1000))
process.exit(0)
