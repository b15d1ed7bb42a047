import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ReaderLimits } from '../../../src/server/moving/needs'
import { movesApi } from '../../../src/ui/api/administration'
import { startTestApp, temporaryFolder, withPasswords } from '../../support/app'
import { writeAntennapod } from '../../support/foreign/antennapod'
import { changeForeign } from '../../support/foreign/write'

export const origin = 'https://pods.example'
const PART = 4 * 1024 * 1024

type Moves = ReturnType<typeof movesApi>

/** Starts an application with two people who may do nothing but listen. */
export async function startServer(readerLimits: Partial<ReaderLimits> = {}) {
  const app = await startTestApp({ env: withPasswords, readerLimits })
  const [bob, ann] = [await app.signUp('bob'), await app.signUp('ann')]
  const folder = join(app.folder, 'moving')
  /** Resolves when a move is no longer read. */
  const isRead = async (moves: Moves, id: string) => {
    while (true) {
      const next = app.event('moveChanged', ({ uuid }) => uuid === id)
      const move = await moves.get(id)
      if (move.state !== 'reading') return move
      await next
      app.events.length = 0
    }
  }
  return {
    app,
    bob: bob.moves,
    ann: ann.moves,
    root: app.as('root', 'Sup3rSecret').moves,
    isRead,
    left: () => (existsSync(folder) ? readdirSync(folder) : []),
    async upload(moves: Moves, path: string) {
      const bytes = readFileSync(path)
      const { id } = await moves.start({ name: 'AntennaPod.db', bytes: bytes.length })
      for (let at = 0; at < bytes.length; at += PART)
        await moves.upload(id, at, new Blob([bytes.subarray(at, at + PART)]))
      return id
    },
    [Symbol.asyncDispose]: () => app[Symbol.asyncDispose](),
  }
}

/** A file of AntennaPod that is changed. */
export function changed(sql: string): string {
  const path = writeAntennapod(join(temporaryFolder(), 'AntennaPod.db'), origin)
  changeForeign(path, sql)
  return path
}

/** A list of one feed. */
export function writeList() {
  const path = join(temporaryFolder(), 'list.opml')
  writeFileSync(path, `<opml version="2.0"><body><outline text="A" xmlUrl="${origin}/alpha.xml"/></body></opml>`)
  return path
}

/** A file that takes hours: each of its episodes has every media file. */
export const endless = () =>
  changed(`
    CREATE TABLE items (id, feed, title, pubDate, read); CREATE TABLE media (id, feeditem, download_url, duration, position);
    WITH RECURSIVE r (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM r WHERE x < 200000)
      INSERT INTO items SELECT 1, 1, 't', 0, 0 FROM r;
    INSERT INTO media SELECT 1, 1, 'a', 1, 0 FROM items;
    DROP TABLE FeedItems; DROP TABLE FeedMedia;
    ALTER TABLE items RENAME TO FeedItems; ALTER TABLE media RENAME TO FeedMedia`)
