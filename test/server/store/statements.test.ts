import { Database, type Statement } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { startTestApp } from '../../support/app'

/** Pages that clients ask for all the time, of a library in which they are empty. */
const hot = [
  '/podcasts',
  '/podcasts/timeline',
  '/podcasts/timeline?favoredOnly=true',
  '/podcasts/timeline?notListened=true',
  '/podcasts/timeline?undatedLast=true&cursor=MS4x',
  '/episodes/yours',
  '/episodes/yours/in-progress',
  '/podcasts/episode/lastwatched',
  '/search?q=lamp',
  '/queue',
  '/tags',
  '/playlist',
  '/playlists',
  '/downloads',
  '/notifications/unread',
  '/bookmarks',
]

type Run = { db: Database; statement: Statement; bound: () => unknown; unbound: () => unknown }

/** Runs `work`, and collects the queries that it makes by their text, with what was bound to them last. */
async function queriesOf(work: () => Promise<unknown>): Promise<Map<string, Run>> {
  const runs = new Map<string, Run>()
  const query = Database.prototype.query
  Database.prototype.query = function (this: Database, sql: string) {
    const statement = query.call(this, sql) as Statement
    const recorded =
      (method: 'all' | 'get') =>
      (...values: never[]) => {
        const bound = () => statement[method](...values)
        // Without values Bun leaves those in place that were bound before.
        const unbound = () => statement[method]()
        if (/^\s*(SELECT|WITH)/i.test(sql)) runs.set(sql, { db: this, statement, bound, unbound })
        return bound()
      }
    return { all: recorded('all'), get: recorded('get'), run: statement.run.bind(statement) }
  } as never
  await work().finally(() => (Database.prototype.query = query))
  return runs
}

/** Least milliseconds of many runs: what else the machine does only adds to it. */
function least(work: () => unknown): number {
  let shortest = Infinity
  for (let turn = 0; turn < 50; turn++) {
    const began = performance.now()
    work()
    shortest = Math.min(shortest, performance.now() - began)
  }
  return shortest
}

async function request(app: Awaited<ReturnType<typeof startTestApp>>) {
  for (const path of hot) expect(`${path} ${(await app.fetch(`/api/v1${path}`)).status}`).toBe(`${path} 200`)
}

test('no query of a page is planned anew when values are bound to it', async () => {
  await using app = await startTestApp()
  const runs = await queriesOf(() => request(app))
  expect(runs.size).toBeGreaterThan(20)
  const looksPlanned = ([sql, { db, bound, unbound }]: [string, Run]) =>
    least(bound) - least(unbound) > least(() => db.prepare(sql).finalize()) / 2
  // One that is planned anew looks so each time; a machine that stumbles does not stumble every time.
  const planned = [...runs].filter(run => [1, 2, 3, 4, 5].every(() => looksPlanned(run)))
  expect(planned.map(([sql]) => sql)).toEqual([])
})

test('the statements of all pages stay prepared', async () => {
  await using app = await startTestApp()
  const first = await queriesOf(() => request(app))
  const second = await queriesOf(() => request(app))
  const anew = [...second].filter(([sql, { statement }]) => first.get(sql)?.statement !== statement)
  expect(anew.map(([sql]) => sql)).toEqual([])
})
