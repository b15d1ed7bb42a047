import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startBrowser } from '../../../test/support/browser'
import { noise } from '../../../test/support/builders'
import { plantLarge } from '../../../test/support/large-library'
import { withHosts } from '../hosts'
import { measureStreaming } from '../streaming'
import { smallBoard, wholeMachine } from './budget'
import { measureLibrary, type Row } from './measure'

const EPISODES = 200
const env = { PORT: '0', DISK_RESERVE: '0', LOG_FORMAT: 'text', BACKUP_INTERVAL: '0', ALLOWED_NETWORKS: '127.0.0.0/8' }

type Column = { title: string; rows: readonly Row[] }

/**
 * Prints the table of whole libraries of docs/internals/performance.md: of 200,000 and a million episodes unless `args` give
 * other numbers; `board` leaves out the whole machine, for the sizes in docs/install.md. It takes about a quarter of
 * an hour, and 12 GB of room for temporary files.
 */
export async function printTable(castellan: string, args: readonly string[]) {
  const given = args.filter(arg => arg !== 'board').map(Number)
  const sizes = given.length > 0 ? given : [200_000, 1_000_000]
  const folder = mkdtempSync(join(tmpdir(), 'castellan-table-'))
  const board = smallBoard()
  const browser = await startBrowser()
  try {
    const columns: Column[] = []
    for (const size of sizes) {
      const library = join(folder, String(size))
      await plantLarge(library, size / EPISODES, EPISODES)
      for (const budget of args.includes('board') ? [board] : [wholeMachine, board]) {
        const title = `${size.toLocaleString('en')}, ${budget.name}`
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
