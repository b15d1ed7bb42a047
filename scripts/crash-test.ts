import { Database } from 'bun:sqlite'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { noise, rss } from '../test/support/builders'
import { startExecutable } from '../test/support/executable'
import { startFeedHost } from '../test/support/feed-host'
import { startSlowHost } from '../test/support/slow-host'

const SIZE = 50 * 1024 * 1024
const CHUNK = 64 * 1024

export type CrashReport = {
  rounds: number
  /** How many kills came while the download was running. */
  inTheMiddle: number
  requests: number
  isSame: boolean
  mostParts: number
  partsLeft: number
  isIntact: boolean
}

/**
 * Kills the executable without warning in the middle of a download of 50 MB, again and again at random instants, and
 * starts it anew each time; then lets the download end, and looks at what became of the file and the database.
 */
export async function crashRounds(rounds: number, random: () => number = Math.random): Promise<CrashReport> {
  const folder = mkdtempSync(join(tmpdir(), 'castellan-crash-'))
  const bytes = noise(SIZE, 99)
  using host = startFeedHost()
  let pauseMs = (rounds * 450) / (SIZE / CHUNK)
  using slow = await startSlowHost(bytes, () => pauseMs)
  const feed = host.feed(
    '/feed.xml',
    rss({ title: 'Crash', items: [{ title: 'Fifty megabytes', enclosure: slow.address }] }),
  )
  const partial = join(folder, 'podcasts/.partial')
  const file = join(folder, 'podcasts/Crash/Fifty megabytes/Fifty megabytes.mp3')
  const parts = () => (existsSync(partial) ? readdirSync(partial).length : 0)
  let mostParts = 0
  let inTheMiddle = 0

  try {
    for (let round = 0; round < rounds; round++) {
      const running = await startExecutable({ DATA_DIRECTORY: folder, DISK_RESERVE: '0' })
      if (round === 0) await running.api('/podcasts/feed', { rssFeedUrl: feed })
      await Bun.sleep(50 + random() * 400)
      if (parts() > 0) inTheMiddle++
      running.process.kill('SIGKILL')
      await running.process.exited
      mostParts = Math.max(mostParts, parts())
    }
    pauseMs = 0
    await using last = await startExecutable({ DATA_DIRECTORY: folder, DISK_RESERVE: '0' })
    while (!existsSync(file) || parts() > 0) await Bun.sleep(20)
    mostParts = Math.max(mostParts, parts())
    await last.stop()
    const db = new Database(join(folder, 'castellan.db'))
    const integrity = db.query<{ integrity_check: string }, []>('PRAGMA integrity_check').get()
    db.close()
    return {
      rounds,
      inTheMiddle,
      requests: slow.requests(),
      isSame: sha(await Bun.file(file).bytes()) === sha(bytes),
      mostParts,
      partsLeft: parts(),
      isIntact: integrity?.integrity_check === 'ok',
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const sha = (bytes: Uint8Array) => new Bun.CryptoHasher('sha256').update(bytes).digest('hex')

if (import.meta.main) {
  const report = await crashRounds(Number(process.argv[2] ?? 20))
  console.log(report)
  const isGood = report.isSame && report.isIntact && report.mostParts <= 1 && report.partsLeft === 0
  console.log(isGood ? 'nothing was lost' : 'SOMETHING WAS LOST')
  process.exit(isGood ? 0 : 1)
}
