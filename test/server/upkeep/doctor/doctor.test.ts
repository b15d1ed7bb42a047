import { expect, test } from 'bun:test'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { runDoctorCommand } from '../../../../src/server/cli/doctor'
import { runInitCommand } from '../../../../src/server/cli/secret'
import { readConfig } from '../../../../src/server/config'
import { lockDataFolder } from '../../../../src/server/platform/instance-lock'
import { workKinds } from '../../../../src/shared/api/job'
import { refusal, startTestApp, temporaryFolder, withPasswords } from '../../../support/app'
import { rss, silentMp3 } from '../../../support/builders'
import { startFeedHost } from '../../../support/feed-host'

/** Plants a library with two downloaded episodes. */
async function plant(secondTitle = 'Two') {
  const host = startFeedHost()
  const folder = temporaryFolder()
  const app = await startTestApp({ env: withPasswords, folder })
  app.prefill(2)
  const root = app.as('root', 'Sup3rSecret')
  const items = ['One', secondTitle].map((title, at) => ({ title, enclosure: host.file(`/${at}.mp3`, silentMp3(2)) }))
  const podcast = await root.podcasts.add(host.feed('/fog.xml', rss({ title: 'Fog', items })))
  app.context.downloads.pump()
  await app.context.downloads.settled()
  await app.context.backups.create('manual')
  const { config, store } = app.context
  const doctor = async (...args: string[]) => {
    const lines: string[] = []
    const left = await runDoctorCommand(args, config, line => lines.push(line))
    return { left, text: lines.join('\n') }
  }
  let isStopped = false
  async function stop() {
    if (!isStopped) await app[Symbol.asyncDispose]()
    isStopped = true
  }
  return {
    app,
    root,
    podcast,
    config,
    doctor,
    files: () => store.health.files().map(({ file_path }) => join(config.podcastFolder, file_path)),
    stop,
    [Symbol.asyncDispose]: async () => {
      await stop()
      host[Symbol.dispose]()
    },
  }
}

test('a library in order has no problem, and looking at it changes nothing', async () => {
  await using here = await plant()
  const { left, text } = await here.doctor()
  expect(text).toMatch(/database is intact[^]*all 2 media files of the media folder are there/)
  expect(text).not.toMatch(/PROBLEM|warning/)
  expect(left).toBe(0)
})

test('files that are gone or cut short are named, and count as not downloaded once that is repaired', async () => {
  await using here = await plant()
  const [one, two] = here.files()
  rmSync(one!)
  truncateSync(two!, 100)
  const seen = await here.doctor()
  expect(seen.text).toMatch(/PROBLEM {2}files are gone: Fog\/[^]*PROBLEM {2}files are shorter than recorded: Fog\//)
  expect([seen.left, here.files().length]).toEqual([2, 2])
  expect((await here.doctor('--repair')).left).toBe(0)
  expect(here.files()).toEqual([])
  expect((await here.doctor()).text).not.toContain('PROBLEM')
})

test('files that an older backup knows nothing of are found again; foreign ones are left alone', async () => {
  await using here = await plant()
  const { store } = here.app.context
  const before = here.files()
  for (const { id } of store.health.files()) store.episodes.dropFile(id)
  const foreign = join(dirname(before[0]!), '..', 'mine.txt')
  writeFileSync(foreign, 'mine')
  expect((await here.doctor()).text).toContain('files of episodes are not recorded as downloaded')
  const repaired = await here.doctor('--repair')
  expect(repaired.text).toContain('files belong to no episode, and are left alone: Fog/mine.txt')
  expect(here.files().sort()).toEqual(before.sort())
  expect(existsSync(foreign)).toBe(true)
  const { data } = await here.root.podcasts.episodes(here.podcast.id, {}, null)
  expect(data.every(({ podcastEpisode }) => podcastEpisode.status)).toBe(true)
})

test('a file that is found again gets the type of its extension, whatever else is in its name', async () => {
  await using here = await plant('Q#1?')
  const { store } = here.app.context
  const file = store.health.files().find(({ file_path }) => file_path.includes('Q'))
  const { id, file_path } = file!
  const video = file_path.replace(/\.mp3$/, '.MP4')
  renameSync(join(here.config.podcastFolder, file_path), join(here.config.podcastFolder, video))
  store.episodes.dropFile(id)
  expect((await here.doctor('--repair')).text).toContain('recorded as downloaded')
  expect(store.episodes.find(id)).toMatchObject({ file_path: video, file_type: 'video/mp4' })
})

test('unfinished files and covers that belong to nothing are deleted', async () => {
  await using here = await plant()
  const part = join(here.config.podcastFolder, '.partial', 'nobody.part')
  writeFileSync(part, 'half')
  const cover = join(here.config.dataFolder, 'covers', 'ab', 'abcdef')
  mkdirSync(dirname(cover), { recursive: true })
  writeFileSync(cover, 'a picture')
  expect((await here.doctor()).text).toMatch(
    /1 unfinished file belongs to no download[^]*1 cover belongs to no podcast/,
  )
  await here.doctor('--repair')
  expect([existsSync(part), existsSync(cover)]).toEqual([false, false])
})

test('a damaged index is emptied, and filled again', async () => {
  await using here = await plant('Zyxwvutsr')
  const { config, root, app } = here
  await app.context.indexer.run()
  const search = async (api: typeof root) => (await api.search.find({ q: 'Zyxwvutsr' }, null)).data.episodes.length
  expect(await search(root)).toBe(1)
  await here.stop()
  const path = join(config.dataFolder, 'castellan.db')
  const bytes = readFileSync(path)
  // In small letters it stands in the index alone.
  for (let at = bytes.indexOf('zyxwvutsr'); at !== -1; at = bytes.indexOf('zyxwvutsr', at + 1))
    bytes.fill(0xff, at - 6, at)
  writeFileSync(path, bytes)

  expect((await here.doctor()).text).toContain('PROBLEM  the search index is damaged')
  expect((await here.doctor('--repair')).left).toBe(0)
  await using again = await startTestApp({ env: withPasswords, folder: config.dataFolder })
  await again.context.indexer.run()
  expect(await search(again.as('root', 'Sup3rSecret'))).toBe(1)
})

test('a secret that others may read is closed, one that is lost is a problem', async () => {
  await using here = await plant()
  const secret = join(here.config.dataFolder, 'secret.key')
  chmodSync(secret, 0o644)
  expect((await here.doctor()).text).toContain('can be read by others')
  expect((await here.doctor('--repair')).text).toContain('only its owner can read it now')
  rmSync(secret)
  expect(await here.doctor()).toMatchObject({ left: 1, text: expect.stringContaining('castellan restore ') as string })
})

test('nothing is repaired while the server runs, and unknown options are refused', async () => {
  await using here = await plant()
  const unlock = lockDataFolder(join(here.config.dataFolder, 'castellan.lock'))
  expect(here.doctor('--repair')).rejects.toThrow(/Stop it before/)
  expect((await here.doctor()).left).toBe(0)
  unlock()
  expect(here.doctor('--rapair')).rejects.toThrow(/no option/)
})

test('a media share that is not mounted pauses downloads and lets nothing be deleted or forgotten, until it is back', async () => {
  await using here = await plant()
  const { app, root, podcast, config } = here
  const { store, downloads, retention } = app.context
  const away = `${config.podcastFolder}-away`
  renameSync(config.podcastFolder, away)
  mkdirSync(config.podcastFolder)
  const absent = { code: 'media-folder-absent', status: 503 }
  const { data } = await root.podcasts.episodes(podcast.id, {}, null)
  const { podcastEpisode } = data[0]!

  expect(await refusal(root.episodes.removeDownload(podcastEpisode.episode_id))).toMatchObject(absent)
  expect(await refusal(root.client.post(`/podcasts/${podcast.id}/episodes/resync-files`))).toMatchObject(absent)
  expect(await refusal(root.podcasts.remove(podcast.id, true))).toMatchObject(absent)
  expect(await refusal(retention.sweep())).toMatchObject({ code: 'media-folder-absent' })
  await retention.sweepIfWanted()
  expect(await here.doctor()).toMatchObject({ left: 1, text: expect.stringContaining('not mounted') as string })
  expect((await here.doctor('--repair')).left).toBe(1)
  expect(here.files().length).toBe(2)
  // It is played from its host meanwhile.
  const headers = { Authorization: root.authorization! }
  expect((await app.fetch(`/media/${podcastEpisode.episode_id}`, { headers })).status).toBe(200)

  store.episodes.dropFile(store.health.files()[0]!.id)
  await root.podcasts.downloadAll(podcast.id)
  await downloads.settled()
  expect(here.files().length).toBe(1)
  expect(readdirSync(config.podcastFolder)).toEqual([])
  rmSync(config.podcastFolder, { recursive: true })
  renameSync(away, config.podcastFolder)
  downloads.pump()
  await downloads.settled()
  expect(here.files().length).toBe(2)
})

test('a media folder that is missing is told apart from one that cannot be used', async () => {
  await using here = await plant()
  const { config } = here
  const folder = config.podcastFolder
  const wrongWith = async (podcastFolder: string) => {
    const lines: string[] = []
    await runDoctorCommand([], { ...config, podcastFolder }, line => lines.push(line))
    return lines.filter(line => line.includes('PODCAST_DIRECTORY')).join('\n')
  }
  expect(await wrongWith(folder)).toContain('is writable')
  expect(await wrongWith(join(folder, 'nowhere'))).toContain(`${join(folder, 'nowhere')} does not exist`)
  writeFileSync(join(folder, 'file'), '')
  expect(await wrongWith(join(folder, 'file/below'))).toContain('is not writable (ENOTDIR)')
})

test('work that was set aside is told in words, of whatever kind it is', async () => {
  await using here = await plant()
  const { begunWork } = here.app.context.store
  for (const kind of workKinds) begunWork.begin({ kind, key: kind, label: kind === 'index' ? '' : 'Fog', deaths: 0 }, 1)
  begunWork.countDeaths(1, 2)
  const { text } = await here.doctor()
  const told = [...text.matchAll(/set aside, since the server stopped twice while (.*) \(castellan/g)].map(
    ([, words]) => words,
  )
  expect(new Set(told).size).toBe(workKinds.length)
  expect(told).toContain('reading the kept file "Fog"')
  expect(told).toContain('filling the search index')
  expect(told).toContain('making a scheduled backup')
})

test('a library that no server has opened yet has no account, which is no problem', async () => {
  const folder = temporaryFolder()
  const config = readConfig({ DATA_DIRECTORY: folder })
  runInitCommand([], config, () => undefined)
  const lines: string[] = []
  await runDoctorCommand([], config, line => lines.push(line))
  expect(lines).toContain('ok       there is no account yet: the first start creates the admin')
  expect(lines.filter(line => line.startsWith('PROBLEM'))).toEqual([
    `PROBLEM  PODCAST_DIRECTORY: ${config.podcastFolder} does not exist: mount its disk, or start the server, which creates it`,
  ])
})
