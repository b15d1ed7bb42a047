import { playHistory, type Tally } from '../../test/support/feed-oracle'

// `bun run oracle [FROM] [TO]`: plays histories of feeds and prints, by what the publisher did, how many listings became
// a second row (twins), another episode's row (merged), or no row (lost).

const [from = 1, to = 350] = process.argv.slice(2).map(Number)
const tallies = new Map<string, Tally>()
for (let seed = from; seed <= to; seed++) playHistory(seed, 12, tallies)

console.log(`${'event'.padEnd(24)}${['listed', 'twins', 'merged', 'lost'].map(name => name.padStart(9)).join('')}`)
const sum: Tally = { listed: 0, twins: 0, merged: 0, lost: 0 }
const print = (name: string, { listed, twins, merged, lost }: Tally) =>
  console.log(`${name.padEnd(24)}${[listed, twins, merged, lost].map(count => String(count).padStart(9)).join('')}`)
for (const [event, tally] of [...tallies].toSorted(([one], [other]) => one.localeCompare(other))) {
  print(event, tally)
  for (const key of ['listed', 'twins', 'merged', 'lost'] as const) sum[key] += tally[key]
}
print('all', sum)
