import { expect, test } from 'bun:test'
import { cpSync, existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { runPodcastsCommand } from '../../../src/server/cli/podcasts'
import { readConfig } from '../../../src/server/config'
import { openDataFolder } from '../../../src/server/data-folder'
import { lockDataFolder } from '../../../src/server/platform/instance-lock'
import { executable } from '../../support/executable'
import { refusal, startTestApp, temporaryFolder } from '../../support/app'
import { rss, silentMp3, type ItemSpec } from '../../support/builders'
import { startFeedHost, type FeedHost } from '../../support/feed-host'

type Someone = { columns?: number; answer?: boolean; env?: Record<string, string> }

/** A library without podcasts, which no server has open. */
async function startLibrary() {
  const folder = temporaryFolder()
  const app = await startTestApp({ folder })
  app.prefill(0)
  await app[Symbol.asyncDispose]()
  return folder
}

/** Runs the command as somebody does who answers every question, or none where nobody is there. */
async function run(folder: string, args: readonly string[], { columns, answer, env = {} }: Someone = {}) {
  const lines: string[] = []
  const asked: string[] = []
  const confirm = async (question: string) => (asked.push(question), answer!)
  const isDone = await runPodcastsCommand(args, readConfig({ DATA_DIRECTORY: folder, ...env }), {
    print: line => void lines.push(line),
    columns: columns ?? null,
    confirm: answer === undefined ? null : confirm,
  })
  return { isDone, text: lines.join('\n'), asked }
}

const refused = async (folder: string, ...args: string[]) => ((await refusal(run(folder, args))) as Error).message

const feed = (host: FeedHost, path: string, title: string, items: ItemSpec[] = [{}]) =>
  host.feed(path, rss({ title, items }))

/** A library with a podcast of some files; `pathsIn` says where these are in a copy of it. */
async function withFiles(host: FeedHost, count = 3) {
  const folder = temporaryFolder()
  await using app = await startTestApp({ folder })
  app.prefill(count)
  const numbers = Array.from({ length: count }, (_, index) => index + 1)
  const items = numbers.map(number => ({ enclosure: host.file(`/${number}.mp3`, silentMp3(1 + (number % 3))) }))
  const address = feed(host, '/feed.xml', 'Lighthouse Radio', items)
  await app.podcasts.add(address)
  await Promise.all(numbers.map(id => app.event('downloadFinished', event => event.episodeId === id)))
  await app.context.downloads.settled()
  app.prefill(0)
  const relative = app.context.store.episodes.filesOf(1).map(({ file_path }) => file_path)
  const pathsIn = (copy: string) => relative.map(path => join(copy, 'podcasts', path))
  return { folder, address, pathsIn, filesIn: (copy: string) => pathsIn(copy).filter(path => existsSync(path)).length }
}

/** A lock as a running server has it. */
const pretendServer = (folder: string) => lockDataFolder(join(folder, 'castellan.lock'))

test('podcasts are added one by one, and one that fails keeps no other from being added', async () => {
  using host = startFeedHost()
  const folder = await startLibrary()
  const first = feed(host, '/a.xml', 'Lighthouse Radio', [{}, {}])
  const { isDone, text } = await run(folder, [
    'add',
    first,
    first,
    `${host.origin}/gone.xml`,
    'no address',
    feed(host, '/b.xml', 'Harbour'),
  ])
  expect(isDone).toBe(false)
  expect(text.replaceAll(host.origin, '')).toBe(`Added Lighthouse Radio (2 episodes).
/a.xml: The podcast Lighthouse Radio is already in the library
/gone.xml: The host answered 404
no address: This is not an address such as https://example.com/feed.xml
Added Harbour (1 episode).`)
  expect((await run(folder, ['add', feed(host, '/c.xml', 'Third')])).isDone).toBe(true)
})

test('what an account may not do in the interface it may not do here, and several accounts need a name', async () => {
  using host = startFeedHost()
  const folder = await startLibrary()
  const app = await startTestApp({ folder })
  await app.signUp('alice')
  await app[Symbol.asyncDispose]()
  const [one, two] = [feed(host, '/a.xml', 'One'), feed(host, '/b.xml', 'Two')]
  expect(await refused(folder, 'add', one)).toStartWith('Name the account with --user, one of')
  expect(await refused(folder, 'add', one, '--user', 'nobody')).toStartWith('There is no account "nobody"')
  // A private address is for admins.
  const alone = await run(folder, ['add', one, '--user', 'alice'], { env: { USER_PODCAST_LIMIT: '1' } })
  expect([alone.isDone, alone.text]).toEqual([false, `${one}: This address may not be reached from here`])
  const env = { USER_PODCAST_LIMIT: '1', ALLOWED_NETWORKS: '127.0.0.0/8' }
  const { isDone, text } = await run(folder, ['add', one, two, '--user', 'alice'], { env })
  expect(isDone).toBe(false)
  expect(text).toBe(`Added One (1 episode).\n${two}: You have added 1 podcasts and may add no more than 1`)
})

test('a password in an address is used and printed nowhere', async () => {
  using host = startFeedHost()
  const folder = await startLibrary()
  const address = host.on('/feed.xml', request =>
    request.headers.get('authorization') === `Basic ${btoa('mara:s3a')}`
      ? new Response(rss({ items: [{}] }))
      : new Response('no', { status: 401 }),
  )
  const wrong = await run(folder, ['add', address.replace('//', '//mara:wr0ng@'), 'mara:s3a@'])
  const right = await run(folder, ['add', address.replace('//', '//mara:s3a@')])
  const again = await run(folder, ['add', address.replace('//', '//mara:s3a@')])
  const list = await run(folder, ['list', '--json'])
  expect([wrong.isDone, right.isDone, again.isDone]).toEqual([false, true, false])
  expect(again.text).toBe(`${address}: The podcast Lighthouse Radio is already in the library`)
  const missing = await refused(folder, 'remove', address.replace('//', '//mara:s3a@').replace('feed', 'other'))
  expect(`${wrong.text}${right.text}${again.text}${list.text}${missing}`).not.toMatch(/mara|s3a|wr0ng/)
})

test('the list is a table as wide as the terminal, without what a title would do to it', async () => {
  using host = startFeedHost()
  const { folder } = await withFiles(host)
  const bad = feed(host, '/bad.xml', 'A podcast \u202ewith a very long title')
  await run(folder, ['add', bad, feed(host, '/wide.xml', '日本語ポッドキャストの長い題名')])
  host.on('/bad.xml', () => new Response('no', { status: 503 }))
  await run(folder, ['refresh', bad])
  const lines = async (columns?: number) =>
    (await run(folder, ['list'], { ...(columns && { columns }) })).text.replaceAll(
      /\d{4}-\d\d-\d\d \d\d:\d\d/g,
      '<time>',
    )
  expect(await lines(70)).toBe(`title              episodes  files     size  feed     checked (UTC)
A podcast  with …         1      0      0 B  failing  <time>
Lighthouse Radio          3      3  96.3 kB  ok       <time>
日本語ポッドキャ…         1      0      0 B  ok       <time>

Feeds that could not be read:
  A podcast  with a very long title: The host answered 503`)
  expect(await lines()).toContain('日本語ポッドキャストの長い題名')
})

test('the list as JSON has the names of the API', async () => {
  using host = startFeedHost()
  const folder = await startLibrary()
  expect((await run(folder, ['list'])).text).toStartWith('There are no podcasts yet')
  expect((await run(folder, ['list', '--json'])).text).toBe('[]')
  const address = feed(host, '/a.xml', 'Lighthouse Radio')
  await run(folder, ['add', address])
  const listed = JSON.parse((await run(folder, ['list', '--json'])).text) as Record<string, unknown>[]
  await using app = await startTestApp({ folder })
  const [shown] = await app.podcasts.list()
  const whole = (await app.podcasts.find(shown!.id)) as unknown as Record<string, unknown>
  expect(Object.keys(listed[0]!)).toHaveLength(12)
  expect(listed).toEqual([Object.fromEntries(Object.keys(listed[0]!).map(key => [key, whole[key]]))])
})

test('a refresh says what each feed brought, of one podcast, several or all', async () => {
  using host = startFeedHost()
  const folder = await startLibrary()
  const [one, two] = [feed(host, '/a.xml', 'One'), feed(host, '/b.xml', 'Two')]
  await run(folder, ['add', one, two, feed(host, '/c.xml', 'Three')])
  host.requests.length = 0
  feed(host, '/a.xml', 'One', [{ guid: 'x' }, { guid: 'y' }, { guid: 'guid-0' }])
  host.on('/b.xml', () => new Response('no', { status: 410 }))
  expect(await run(folder, ['refresh', 'one'])).toMatchObject({ isDone: true, text: 'One: 2 new episodes' })
  expect(host.requests.map(({ path }) => path)).toEqual(['/a.xml'])
  const all = await run(folder, ['refresh'])
  expect(all.isDone).toBe(false)
  expect(all.text).toBe(`One: nothing new
Two: failed: The host answered 410
Three: nothing new
3 feeds checked, 1 failed.`)
  // A feed that is gone is asked again, once somebody wants that.
  feed(host, '/b.xml', 'Two', [{ guid: 'z' }, { guid: 'guid-0' }])
  const both = await run(folder, ['refresh', two, 'THREE', 'two'])
  expect(both).toMatchObject({
    isDone: true,
    text: 'Two: 1 new episode\nThree: nothing new\n2 feeds checked, 0 failed.',
  })
})

test('a podcast that is switched off is not refreshed, one without automatic updates is', async () => {
  using host = startFeedHost()
  const folder = await startLibrary()
  await run(folder, ['add', feed(host, '/a.xml', 'One')])
  const change = (what: (store: ReturnType<typeof openDataFolder>['store']) => void) => {
    const { store } = openDataFolder(folder)
    what(store)
    store.close()
  }
  change(store => store.settings.edit({ autoUpdate: false }))
  host.requests.length = 0
  expect((await run(folder, ['refresh'])).text).toBe('One: nothing new')
  expect(host.requests).toHaveLength(1)
  change(store => store.podcasts.setActive(1, false, 0))
  expect(await refused(folder, 'refresh', 'One')).toBe('One is switched off. Switch it on in its settings first.')
  expect((await run(folder, ['refresh'])).text).toBe('There are no feeds to check.')
})

test('a running server makes the refresh, and tells the pages', async () => {
  using host = startFeedHost()
  const folder = await startLibrary()
  await run(folder, ['add', feed(host, '/a.xml', 'One')])
  host.requests.length = 0
  const unlock = pretendServer(folder)
  await using app = await startTestApp({ folder })
  const refresh = async () => {
    const work = run(folder, ['refresh', 'One'])
    while (app.context.store.podcasts.asked().length === 0) await Bun.sleep(10)
    await app.context.refresh.refreshAsked()
    return (await work).text
  }
  expect(await refresh()).toBe('One: nothing new')
  expect(await app.event('refreshedPodcast')).toMatchObject({ result: 'unchanged' })
  feed(host, '/a.xml', 'One', [{ guid: 'x' }, { guid: 'guid-0' }])
  expect(await refresh()).toBe('One: 1 new episode')
  expect(host.requests).toHaveLength(2)
  unlock()
})

test('a refresh that the server did not get to is made when it has stopped', async () => {
  using host = startFeedHost()
  const folder = await startLibrary()
  await run(folder, ['add', feed(host, '/a.xml', 'One')])
  const unlock = pretendServer(folder)
  const { store } = openDataFolder(folder)
  const work = run(folder, ['refresh'])
  while (store.podcasts.asked().length === 0) await Bun.sleep(10)
  unlock()
  expect(await work).toMatchObject({ isDone: true, text: 'One: nothing new' })
  expect(store.podcasts.asked()).toEqual([])
  store.close()
})

test('a running server leaves a feed alone that is being added', async () => {
  using host = startFeedHost()
  const folder = await startLibrary()
  const items = Array.from({ length: 3000 }, (_, index) => ({ guid: `guid-${index}` }))
  const address = feed(host, '/a.xml', 'One', items)
  await using app = await startTestApp({ folder })
  const work = run(folder, ['add', address])
  while (!app.context.store.podcasts.findByFeed(address)) await Bun.sleep(1)
  expect(app.context.store.podcasts.findByFeed(address)!.fetched_whole_at).toBe(null)
  await app.refreshDue()
  expect((await work).text).toBe('Added One (3000 episodes).')
  expect(host.requestsTo('/a.xml')).toHaveLength(1)
})

test('a podcast is removed when somebody says yes, with its files', async () => {
  using host = startFeedHost()
  const { folder, filesIn, address } = await withFiles(host)
  const question = 'Remove Lighthouse Radio with 3 episodes and 3 files (96.3 kB)?'
  expect(await refused(folder, 'remove', 'lighthouse radio')).toBe(
    `This needs confirmation. ${question} If so, add --yes`,
  )
  const no = await run(folder, ['remove', address], { answer: false })
  expect(no).toEqual({ isDone: false, text: 'Nothing was removed.', asked: [question] })
  expect(filesIn(folder)).toBe(3)
  const yes = await run(folder, ['remove', address], { answer: true })
  expect(yes).toMatchObject({ isDone: true, text: 'Removed Lighthouse Radio with 3 files (96.3 kB).' })
  expect(filesIn(folder)).toBe(0)
  expect((await run(folder, ['list', '--json'])).text).toBe('[]')
})

test('files that stay are found when the podcast is added again', async () => {
  using host = startFeedHost()
  const { folder, filesIn, address } = await withFiles(host)
  const { isDone, text } = await run(folder, ['remove', 'Lighthouse Radio', '--keep-files', '--yes'])
  expect([isDone, text]).toEqual([true, 'Removed Lighthouse Radio. Its 3 files (96.3 kB) stay.'])
  expect(filesIn(folder)).toBe(3)
  await run(folder, ['add', address])
  expect(JSON.parse((await run(folder, ['list', '--json'])).text)).toMatchObject([{ downloaded_count: 3 }])
})

test('a title that several podcasts have is refused with their ids, and one that none has with those like it', async () => {
  using host = startFeedHost()
  const folder = await startLibrary()
  await run(folder, ['add', feed(host, '/a.xml', 'Fog'), feed(host, '/b.xml', 'FOG'), feed(host, '/c.xml', 'Foghorn')])
  const listed = JSON.parse((await run(folder, ['list', '--json'])).text) as { id: string; rssfeed: string }[]
  const line = (path: string, title: string) =>
    `\n  ${listed.find(({ rssfeed }) => rssfeed.endsWith(path))!.id}  ${title}, ${host.origin}${path}`
  expect(await refused(folder, 'remove', 'fog', '--yes')).toBe(
    `2 podcasts have the title "fog". Name one by its id:${line('/b.xml', 'FOG')}${line('/a.xml', 'Fog')}`,
  )
  expect(await refused(folder, 'refresh', 'horn')).toBe(
    `There is no podcast "horn". Perhaps you mean:${line('/c.xml', 'Foghorn')}`,
  )
  expect(await refused(folder, 'refresh', 'Fjord')).toBe('There is no podcast "Fjord".')
  expect(await refused(folder, 'remove', '', '--yes')).toBe('There is no podcast "".')
  const second = listed.find(({ rssfeed }) => rssfeed.endsWith('/b.xml'))!.id
  expect((await run(folder, ['remove', second, '--yes'])).text).toBe('Removed FOG with 0 files (0 B).')
})

test('a download of the running server ends with its podcast, and leaves no file', async () => {
  using host = startFeedHost()
  const folder = temporaryFolder()
  await using app = await startTestApp({ folder })
  const bytes = silentMp3(2)
  const { promise: isSent, resolve: send } = Promise.withResolvers<void>()
  const { promise: isAsked, resolve: ask } = Promise.withResolvers<void>()
  const enclosure = host.on('/a.mp3', async () => {
    ask()
    await isSent
    return new Response(bytes as BodyInit, { headers: { 'Content-Type': 'audio/mpeg' } })
  })
  app.prefill(1)
  await app.podcasts.add(feed(host, '/feed.xml', 'Fog', [{ enclosure }]))
  await isAsked
  const unlock = pretendServer(folder)
  expect((await run(folder, ['remove', 'Fog', '--yes'])).isDone).toBe(true)
  send()
  await app.context.downloads.settled()
  unlock()
  const left = readdirSync(join(folder, 'podcasts'), { recursive: true, withFileTypes: true })
  expect(left.filter(entry => entry.isFile()).map(({ name }) => name)).toEqual(['.castellan'])
  expect(await app.podcasts.list()).toEqual([])
})

test('nothing is removed while the server renames files', async () => {
  using host = startFeedHost()
  const { folder, filesIn } = await withFiles(host)
  const { store } = openDataFolder(folder)
  const item = { feedUrl: '', title: 'x', tags: [], episodeId: 1, targetPath: 'x', withMetadata: false }
  store.jobs.add(store.users.list()[0]!.id, 'rename', [item], Date.now())
  store.close()
  const unlock = pretendServer(folder)
  expect(await refused(folder, 'remove', 'Lighthouse Radio', '--yes')).toContain('The server is renaming files')
  expect(filesIn(folder)).toBe(3)
  unlock()
  expect((await run(folder, ['remove', 'Lighthouse Radio', '--yes'])).isDone).toBe(true)
})

test('a removal that is killed leaves a whole podcast, or none and no file of it', async () => {
  using host = startFeedHost()
  const whole = await withFiles(host, 24)
  for (const instant of [24, 23, 12, 1]) {
    const folder = join(temporaryFolder(), 'copy')
    cpSync(whole.folder, folder, { recursive: true })
    const child = Bun.spawn([executable, 'podcasts', 'remove', 'Lighthouse Radio', '--yes'], {
      env: { ...process.env, DATA_DIRECTORY: folder },
      stdout: 'ignore',
      stderr: 'inherit',
    })
    const { store } = openDataFolder(folder)
    const isThere = () => store.podcasts.find(1) !== null
    while (child.exitCode === null && (isThere() || whole.filesIn(folder) > instant)) await Bun.sleep(0)
    child.kill('SIGKILL')
    await child.exited
    expect(isThere() ? whole.filesIn(folder) : 24).toBe(24)
    store.close()
    await using app = await startTestApp({ folder })
    await app.context.downloads.recover()
    await app.context.removals.run()
    expect([(await app.podcasts.list()).length, whole.filesIn(folder)]).toEqual([0, 0])
  }
}, 120_000)

test('options of another command are refused, and so is what is missing or too much', async () => {
  const folder = await startLibrary()
  for (const [line, reason] of [
    ['', 'podcasts needs a command'],
    ['eat', 'podcasts has no command "eat"'],
    ['list Fog', 'Unexpected "Fog"'],
    ['add', 'add needs the address of a feed'],
    ['remove', 'remove needs a podcast'],
    ['remove Fog Horn', 'Unexpected "Horn". Titles with spaces need quotes.'],
    ['list --yes', 'list has no --yes'],
    ['refresh --user x', 'refresh has no --user'],
  ] as const)
    expect(await refused(folder, ...line.split(' ').filter(Boolean))).toBe(reason)
  expect(await refused(temporaryFolder(), 'list')).toStartWith('No database at')
})

test("a feed that refuses Castellan's name is added under another one", async () => {
  using host = startFeedHost()
  const folder = await startLibrary()
  const address = host.on('/refusing.xml', ({ headers }) =>
    headers.get('user-agent') === 'Mozilla/5.0'
      ? new Response(rss({ title: 'Walls', items: [{}] }))
      : new Response('', { status: 403 }),
  )
  const refusedByName = await run(folder, ['add', address])
  expect([refusedByName.isDone, refusedByName.text]).toEqual([false, expect.stringContaining('The host answered 403')])
  const odd = await run(folder, ['add', address, '--user-agent', 'ä'])
  expect([odd.isDone, odd.text]).toEqual([false, expect.stringContaining('userAgent: plain ASCII')])
  expect((await run(folder, ['add', address, '--user-agent', 'Mozilla/5.0'])).text).toBe('Added Walls (1 episode).')
})
