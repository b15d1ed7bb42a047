import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { wholeDumpOf } from '../../support/whole-dump'
import { startLibrary } from './library'
import { runShell, startLitestream, type Place } from './programs'
import type { Report } from '../../support/report'
import { withoutLitestream } from './take-over'

const ROUNDS = 9

/** Kills Castellan, Litestream or both in turn while somebody writes: in the end both databases must be the same. */
export async function tryKills(report: Report, litestream: string, place: Place, folder: string) {
  const check = (name: string, isFine: boolean, detail = '') => report.check(`${place.kind}: ${name}`, isFine, detail)
  const [data, media, elsewhere] = ['data', 'media', 'elsewhere'].map(name => join(folder, name)) as [
    string,
    string,
    string,
  ]
  for (const made of [data, elsewhere]) mkdirSync(made)
  let library = await startLibrary(data, media)
  let replica = await startLitestream(litestream, data, place)

  const acknowledged: string[] = []
  let isOver = false
  async function write() {
    while (!isOver) {
      const made = await library.tags.create({ name: crypto.randomUUID(), color: 'Green' }).catch(() => null)
      if (made) acknowledged.push(made.name)
      else await Bun.sleep(20)
    }
  }
  const writing = write()
  for (let round = 0; round < ROUNDS; round++) {
    await Bun.sleep(300 + round * 100)
    const [killsLibrary, killsReplica] = [round % 3 !== 0, round % 3 !== 1]
    if (killsLibrary) await library.kill()
    if (killsReplica) await replica.kill()
    if (killsLibrary) library = await startLibrary(data, media)
    if (killsReplica) replica = await startLitestream(litestream, data, place)
  }
  isOver = true
  await writing
  const names = new Set((await library.tags.list()).map(({ name }) => name))
  await library.stop()
  await replica.stop()

  const lost = acknowledged.filter(name => !names.has(name))
  check(`of ${acknowledged.length} acknowledged writes between ${ROUNDS} kills none is lost`, lost.length === 0)
  const command = `${litestream} restore -integrity-check full -o ${elsewhere}/castellan.db '${place.url}'`
  const restored = await runShell(command, place.env)
  if (!check('the replica can be restored after that', restored.code === 0, restored.output)) return
  const [one, other] = [data, elsewhere].map(at => JSON.stringify(withoutLitestream(wholeDumpOf(at))))
  check('and has every row', one === other)
}
