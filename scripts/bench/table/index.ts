import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startBrowser } from '../../../test/support/browser'
import { noise } from '../../../test/support/builders'
import { plantLarge } from '../../../test/support/large-library'
import { withHosts } from '../hosts'
import { readOptions } from '../options'
import { measureStreaming } from '../streaming'
import { boardWithCard, smallBoard, wholeMachine } from './budget'
import { measureLibrary, type Row } from './measure'

const EPISODES = 200
const env = { PORT: '0', DISK_RESERVE: '0', LOG_FORMAT: 'text', BACKUP_INTERVAL: '0', ALLOWED_NETWORKS: '127.0.0.0/8' }

type Column = { title: string; rows: readonly Row[] }

/**
 * Prints the table of whole libraries of docs/internals/performance.md: of 20,000, 200,000 and a million episodes unless
 * `args` give other numbers; `podcasts=5000` spreads them over 5000 podcasts; by default each has 200. `board` leaves out
 * the whole machine, for the sizes in docs/install.md, and `cores` the board; with `card` the board has a disk as slow as
 * a memory card. A million episodes take ten minutes, and 8 GB of room for temporary files.
 */
export async function printTable(castellan: string, args: readonly string[]) {
  const options = readOptions(args)
  const given = options.others.filter(arg => /^\d+$/.test(arg)).map(Number)
  const sizes = given.length > 0 ? given : [20_000, 200_000, 1_000_000]
  const folder = mkdtempSync(join(tmpdir(), 'castellan-table-'))
  const board = options.others.includes('card') ? boardWithCard(folder, smallBoard()) : smallBoard()
  const budgets = [wholeMachine, board].filter(budget => !options.others.includes(budget === board ? 'cores' : 'board'))
  const browser = await startBrowser()
  try {
    const columns: Column[] = []
    for (const size of sizes) {
      const podcasts = options.count('podcasts', size / EPISODES)
      const library = join(folder, String(size))
      const began = performance.now()
      await plantLarge(library, podcasts, Math.round(size / podcasts))
      console.error(`planted in ${((performance.now() - began) / 1000).toFixed(0)} s`)
      for (const budget of budgets) {
        const title = `${size.toLocaleString('en')} of ${podcasts.toLocaleString('en')} podcasts, ${budget.name}`
        console.error(title)
        const data = join(folder, 'data')
        cpSync(library, data, { recursive: true })
        await withHosts(async origins => {
          const needs = { castellan, env: { ...env, DATA_DIRECTORY: data }, budget, origins, browser }
          columns.push({ title, rows: await measureLibrary(needs) })
        })
        rmSync(data, { recursive: true })
      }
      rmSync(library, { recursive: true })
    }
    console.log(tableOf(columns))
    const stream = { ...env, DATA_DIRECTORY: join(folder, 'stream') }
    await measureStreaming(folder, castellan, stream, noise(200 * 1024 * 1024, 4), (name, value, wanted = '') =>
      console.log(`| ${name.trim()} | ${value} | ${wanted} |`),
    )
  } finally {
    await browser.close()
    board.dispose()
    rmSync(folder, { recursive: true, force: true })
  }
}

function tableOf(columns: readonly Column[]): string {
  const [first] = columns
  const lines = first!.rows.map(({ what, wanted }, index) =>
    ['', what, ...columns.map(({ rows }) => rows[index]!.value), wanted ?? '', ''].join(' | ').trim(),
  )
  const titles = ['episodes', ...columns.map(({ title }) => title), 'wanted']
  return [`| ${titles.join(' | ')} |`, `|${' --- |'.repeat(titles.length)}`, ...lines].join('\n')
}
