import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { environment } from '../../chaos/server'
import { runExecutable } from '../../support/executable'
import { startFeedHost } from '../../support/feed-host'
import { wholeDumpOf } from '../../support/whole-dump'
import { fill, findBroken, isDownloaded, startLibrary, type Library } from './library'
import { until } from '../../support/programs'
import { runShell, startLitestream, type Place } from './programs'
import type { Report } from '../../support/report'

/** Litestream looks once a second, in two steps: its age is exact to that. */
const STEPS_MS = 2000
const WRITING_MS = 8000

/** Kills a machine for good while people use it, and continues on another one. Media are where both reach them. */
export async function tryTakeOver(report: Report, litestream: string, place: Place, folder: string) {
  const [first, second] = [join(folder, 'first', 'data'), join(folder, 'second', 'data')]
  const mediaOf = (machine: string) => join(folder, place.media ? machine : 'both', 'media')
  for (const data of [first, second]) mkdirSync(data, { recursive: true })
  using host = startFeedHost()
  const check = (name: string, isFine: boolean, detail = '') => report.check(`${place.kind}: ${name}`, isFine, detail)

  const more = { ...place.media, REPLICA_URL: place.url }
  const key = await newLibrary(first, more)
  const library = await startLibrary(first, mediaOf('first'), more)
  const kept = await fill(library, host)
  await until('the episode is downloaded', () => isDownloaded(library, kept))
  const replica = await startLitestream(litestream, first, place)
  const written = await writeFor(library, WRITING_MS)
  const completeUntil = Date.now() - 1000 * (await library.metric('castellan_replica_age_seconds')) - STEPS_MS
  const killedAt = Date.now()
  await Promise.all([library.kill(), replica.kill()])
  rmSync(join(folder, 'first'), { recursive: true })

  const env = { ...environment, ...more, DATA_DIRECTORY: second, PODCAST_DIRECTORY: mediaOf('second') }
  const refused = await runExecutable([], { ...env, PORT: '0' })
  const command = /litestream restore -o \S+ '[^']+'/.exec(refused.stderr)?.[0]
  if (
    !check(
      'an empty folder is refused, with the command that restores',
      refused.code === 1 && command !== undefined,
      refused.stderr,
    )
  )
    return
  const restored = await runShell(command!.replace('litestream', litestream), place.env)
  if (!check('that command restores the database', restored.code === 0, restored.output)) return
  const withoutKey = await runExecutable([], { ...env, PORT: '0' })
  check(
    'without the secret it does not start',
    withoutKey.code === 1 && withoutKey.stderr.includes('SECRET_KEY'),
    withoutKey.stderr,
  )
  const wrongKey = await runExecutable([], {
    ...env,
    PORT: '0',
    SECRET_KEY: key.replace(/./, digit => (digit === '0' ? '1' : '0')),
  })
  check(
    'with another secret it does not start',
    wrongKey.code === 1 && wrongKey.stderr.includes('not the secret'),
    wrongKey.stderr,
  )

  const after = await startLibrary(second, mediaOf('second'), { ...more, SECRET_KEY: key })
  const names = new Set((await after.tags.list()).map(({ name }) => name))
  const lost = written.filter(({ name }) => !names.has(name))
  const early = lost.filter(({ at }) => at < completeUntil)
  check(
    `of ${written.length} acknowledged writes, none that the age of the replica covers is lost`,
    written.length > 50 && early.length === 0,
    early.map(({ name }) => name).join(' '),
  )
  const lostFor = killedAt - Math.min(killedAt, ...lost.map(({ at }) => at))
  console.log(`        ${lost.length} lost, those of the last ${lostFor} ms`)
  const broken = await findBroken(after, kept, host)
  check('apps, feed addresses, private feeds and media go on', broken.length === 0, broken.join(', '))

  await goOn(report, litestream, place, { library: after, data: second, folder, env: { ...env, SECRET_KEY: key } })
}

/** Creates a library where a replica is configured; answers its secret. */
async function newLibrary(data: string, env: Record<string, string>): Promise<string> {
  await runExecutable(['init'], { ...env, DATA_DIRECTORY: data })
  return (await runExecutable(['secret'], { DATA_DIRECTORY: data })).stdout.trim()
}

/** The second machine replicates to the same place, and a third one could continue. */
async function goOn(
  report: Report,
  litestream: string,
  place: Place,
  { library, data, folder, env }: { library: Library; data: string; folder: string; env: Record<string, string> },
) {
  const check = (name: string, isFine: boolean, detail = '') => report.check(`${place.kind}: ${name}`, isFine, detail)
  const replica = await startLitestream(litestream, data, place)
  await writeFor(library, 1500)
  await until('the replica is young', async () => (await library.metric('castellan_replica_age_seconds')) < 3)
  const doctor = await runExecutable(['doctor'], env)
  check('doctor finds the replica whole', /ok +the replica has everything/.test(doctor.stdout), doctor.stdout)
  if (place.leave) {
    await place.leave()
    await library.tags.create({ name: 'while away', color: 'Green' })
    await until('the replica grows old', async () => (await library.metric('castellan_replica_age_seconds')) > 4)
    await place.resume()
    await until('the replica is young again', async () => (await library.metric('castellan_replica_age_seconds')) < 3)
    check('its age says when the bucket is away, and when it is back', true)
  }
  await library.stop()
  await replica.stop()
  const third = join(folder, 'third')
  mkdirSync(third)
  const restored = await runShell(
    `${litestream} restore -integrity-check full -o ${third}/castellan.db '${place.url}'`,
    place.env,
  )
  if (!check('the second machine replicates to the same place', restored.code === 0, restored.output)) return
  const [one, other] = [data, third].map(at => JSON.stringify(withoutLitestream(wholeDumpOf(at))))
  check('every row is in the replica', one === other)
}

/** Every row but those that Litestream makes. */
export const withoutLitestream = (dump: Record<string, string[]>) =>
  Object.fromEntries(Object.entries(dump).filter(([table]) => !table.startsWith('_litestream')))

/** Writes one thing after the other; answers what was acknowledged, and when. */
async function writeFor(library: Library, ms: number) {
  const written: { name: string; at: number }[] = []
  const endAt = performance.now() + ms
  while (performance.now() < endAt) {
    const { name } = await library.tags.create({ name: crypto.randomUUID(), color: 'Green' })
    written.push({ name, at: Date.now() })
    await Bun.sleep(20)
  }
  return written
}
