import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDataFolder } from '../../../src/server/data-folder'
import type { Store } from '../../../src/server/store'
import { plantLarge } from '../../../test/support/large-library'
import { casesOf, type Case } from './cases'
import { vary } from './vary'
import { wordsOfTitles } from './words'

const PODCASTS = 1000
const EPISODES = 200
const MEASURE_MS = 100
const MIN_TURNS = 5

/** Plants a library of 200,000 episodes for the lists by rules into a new folder. */
async function plant(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'castellan-smart-'))
  console.error('planting 200,000 episodes')
  await plantLarge(folder, PODCASTS, EPISODES)
  vary(folder)
  return folder
}

/**
 * Prints the processor time of a page of fifty episodes for each rule in each order. `planted`: the data folder of a
 * library that was planted and varied before, which stays.
 */
export async function measureSmartPlaylists(planted?: string) {
  const folder = planted ?? (await plant())
  const { store } = openDataFolder(folder)
  try {
    console.log('| rules | newest | oldest | shortest | longest | by podcast | recently played |')
    console.log(`|${' --- |'.repeat(7)}`)
    for (const [name, cases] of Object.entries(casesOf(Date.now(), wordsOfTitles(folder))))
      console.log(`| ${[name, ...cases.map(one => cpuMs(store, one).toFixed(1))].join(' | ')} |`)
  } finally {
    store.close()
    if (!planted) rmSync(folder, { recursive: true })
  }
}

/** Milliseconds of processor time for finding the ids and reading the rows; a first turn does not count. */
function cpuMs(store: Store, { userId, query }: Case): number {
  const viewer = store.users.find(userId)!
  const page = () => store.smartLists.rowsFor(viewer, store.smartLists.idsFor(viewer, query))
  page()
  const begin = process.cpuUsage()
  const until = performance.now() + MEASURE_MS
  let turns = 0
  for (; turns < MIN_TURNS || performance.now() < until; turns++) page()
  const { user, system } = process.cpuUsage(begin)
  return (user + system) / 1000 / turns
}
