import { expect, test } from 'bun:test'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { refusal, startTestApp, temporaryFolder } from '../../support/app'
import { writeAntennapod } from '../../support/foreign/antennapod'
import { changeForeign } from '../../support/foreign/write'

const origin = 'https://pods.example'

/** Starts an application, and returns how it refuses a file. */
async function startRefusing() {
  const app = await startTestApp()
  return {
    async refused(path: string) {
      const { message } = (await refusal(app.context.moves.start(app.context.admin, path))) as Error
      const folder = join(app.folder, 'moving')
      expect(existsSync(folder) ? readdirSync(folder) : []).toEqual([])
      return message
    },
    [Symbol.asyncDispose]: () => app[Symbol.asyncDispose](),
  }
}

/** A file of AntennaPod whose table of favourites is another one. */
function withFavourites(sql: string): string {
  const path = writeAntennapod(join(temporaryFolder(), 'AntennaPod.db'), origin)
  changeForeign(path, `DROP TABLE Favorites; ${sql}`)
  return path
}

const formula = 'hex(zeroblob(9000))'
const twoRows = 'INSERT INTO Favorites (id, feeditem) VALUES (1, 1), (2, 2)'

test.each([
  ['computed when read', `bomb TEXT AS (${formula}) VIRTUAL); ${twoRows}`],
  ['stored', `bomb TEXT AS (${formula}) STORED)`],
  ['in a strict table', `bomb TEXT AS (${formula}) VIRTUAL NOT NULL) STRICT`],
])('a column that is a formula is refused before it is computed: %s', async (_, column) => {
  await using world = await startRefusing()
  const path = withFavourites(`CREATE TABLE Favorites (id INTEGER PRIMARY KEY, feeditem INTEGER, ${column}`)
  expect(await world.refused(path)).toContain('The column bomb of the table Favorites is a formula.')
})
