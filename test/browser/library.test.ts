import { afterAll, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { basic, goodPassword, libraryFolder, temporaryFolder } from '../support/app'
import { layersGone, startBrowser } from '../support/browser'
import { rss, silentMp3 } from '../support/builders'
import { startExecutable } from '../support/executable'
import { startFeedHost } from '../support/feed-host'
import { hostileMedia } from '../support/hostile-media'

const browser = await startBrowser()
afterAll(() => browser.close())

type Running = Awaited<ReturnType<typeof startExecutable>>

/** A call of the API that is no GET and no POST. */
const put = (running: Running, path: string, body: unknown) =>
  fetch(`${running.origin}/api/v1${path}`, {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 }).waitFor()

test('favourite, filter, tag, a playlist by keyboard alone, and what is queued begins when an episode ends', async () => {
  using host = startFeedHost()
  await using running = await startExecutable({ DATA_DIRECTORY: libraryFolder(), DISK_RESERVE: '0' })
  await put(running, '/settings', { podcastPrefill: 0 })
  const items = ['Fog', 'Lamps', 'Ropes'].map((title, index) => ({
    title,
    enclosure: host.file(`/${title}.mp3`, silentMp3(3 + index)),
    duration: String(3 + index),
  }))
  await running.api('/podcasts/feed', { rssFeedUrl: host.feed('/a.xml', rss({ title: 'Lighthouse Radio', items })) })
  await running.api('/podcasts/feed', { rssFeedUrl: host.feed('/b.xml', rss({ title: 'The Slow Kitchen' })) })
  const page = await browser.newPage()
  await page.goto(`${running.origin}/ui/podcasts`)
  await page.getByRole('button', { name: /Lighthouse Radio.*favourites|favourites.*Lighthouse Radio/i }).click()
  await page.getByRole('link', { name: 'Favourites' }).click()
  await heading(page, 'Favourites')
  await page.getByText('Lighthouse Radio').first().waitFor()
  expect(await page.getByText('The Slow Kitchen').count()).toBe(0)

  await page.getByRole('link', { name: 'Tags' }).click()
  await page.getByPlaceholder('New tag').fill('Evening')
  await page.keyboard.press('Enter')
  await page.getByLabel('Name of the tag Evening').fill('Night')
  await page.keyboard.press('Tab')
  await page.getByLabel('Name of the tag Night').waitFor()
  await page.getByRole('link', { name: 'All subscriptions' }).click()
  await page.getByRole('link', { name: 'Lighthouse Radio' }).first().click()
  await page.getByRole('button', { name: 'More options for Lighthouse Radio' }).click()
  await page.getByRole('menuitem', { name: 'Tags…' }).click()
  await page.getByLabel('Night').check()
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('button', { name: 'More Lighthouse Radio' }).click()
  await page.getByRole('link', { name: 'Night' }).click()
  await heading(page, 'All subscriptions')
  await page.getByText('Lighthouse Radio').first().waitFor()
  expect(await page.getByText('The Slow Kitchen').count()).toBe(0)

  await page.goto(`${running.origin}/ui/home/playlist`)
  const add = page.getByRole('button', { name: 'Add new' })
  await add.focus()
  await page.keyboard.press('Enter')
  // The wizard's field takes the focus once its page is there.
  await page.locator('.wizard input:focus').waitFor()
  await page.keyboard.type('To sleep')
  await page.keyboard.press('Enter')
  await page.getByText('2 of 3: Episodes').waitFor()
  for (const title of ['Lamps', 'Fog']) {
    await page.getByLabel('Search episodes').focus()
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type(title)
    await page.getByRole('button', { name: `Add ${title}` }).focus()
    await page.keyboard.press('Enter')
  }
  // By space and arrows the second becomes the first.
  await page.getByRole('button', { name: 'Move Fog', exact: true }).focus()
  await page.keyboard.press('Space')
  await page.getByText('Fog is now at place 2 of 2.').waitFor({ state: 'attached' })
  // No hand is so fast: an arrow in the same instant comes before the list has measured its places, and does nothing.
  const moved = page.getByText('Fog is now at place 1 of 2.')
  while ((await moved.count()) === 0) await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Space')
  await page.getByText('Fog was dropped at place 1.').waitFor({ state: 'attached' })
  await page.getByRole('button', { name: 'Continue' }).focus()
  await page.keyboard.press('Enter')
  await page.getByText('“To sleep” with 2 episodes.').waitFor()
  await page.getByRole('button', { name: 'Create playlist' }).focus()
  await page.keyboard.press('Enter')
  await page.getByText('Playlist created').waitFor()
  await page.getByRole('link', { name: 'To sleep' }).click()
  await heading(page, 'To sleep')
  await page.locator('.episode-open').nth(1).waitFor()
  expect(await page.locator('.episode-open').allInnerTexts()).toEqual(['Fog', 'Lamps'])

  // The first plays to its end, the queue goes on, and ends as well.
  await page.getByRole('button', { name: 'Play', exact: true }).click()
  const playing = page.locator('.player-title')
  await playing.getByText('Fog').waitFor()
  await playing.getByText('Lamps').waitFor({ timeout: 20_000 })
  await page.waitForFunction(
    () => Number(document.querySelector('.player input[type=range]')?.getAttribute('value')) > 0,
  )
  const id = page.url().split('/').at(-1)
  const { items: heard } = await running.api<{ items: { podcastHistoryItem: { finished: boolean } }[] }>(
    `/playlist/${id}`,
  )
  expect(heard[0]).toMatchObject({ podcastHistoryItem: { finished: true } })
  await page.close()
}, 120_000)

test('an import of 300 feeds goes on when the page is closed and the server is started anew', async () => {
  using host = startFeedHost()
  const env = { DATA_DIRECTORY: libraryFolder(), DISK_RESERVE: '0' }
  const outlines = Array.from({ length: 300 }, (_, index) => {
    const path = `/${index}.xml`
    if (index % 15 !== 7) host.on(path, async () => new Response(rss({ title: `Podcast ${index}`, items: [{}] })))
    return `<outline text="Podcast ${index}" xmlUrl="${host.origin}${path}"/>`
  })
  const content = `<opml version="2.0"><body>${outlines.join('')}</body></opml>`
  const context = await browser.newContext()
  let jobId: string
  {
    await using running = await startExecutable(env)
    await put(running, '/settings', { podcastPrefill: 0 })
    const page = await context.newPage()
    await page.goto(`${running.origin}/ui/settings/opml`)
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'all.opml', mimeType: 'text/x-opml', buffer: Buffer.from(content) })
    await page.getByText('300 feeds found').waitFor()
    await page.getByRole('button', { name: 'Import 300 podcasts' }).click()
    await page.getByRole('heading', { name: 'Importing' }).waitFor()
    const [job] = await running.api<{ id: string }[]>('/jobs')
    jobId = job!.id
    await page.close()
    for (;;) {
      const { done } = await running.api<{ done: number }>(`/jobs/${jobId}`)
      if (done > 20) break
      await Bun.sleep(10)
    }
    running.process.kill('SIGKILL')
    await running.process.exited
  }
  await using running = await startExecutable(env)
  const page = await context.newPage()
  await page.goto(`${running.origin}/ui/settings/opml`)
  await page.getByText('300 of 300 done, 20 failed').waitFor({ timeout: 60_000 })
  await page.getByText('20 feeds could not be added').first().waitFor()
  expect(await running.api<unknown[]>('/podcasts')).toHaveLength(280)
  // The missing feed is there now: trying again adds the rest.
  for (let index = 0; index < 300; index++)
    host.on(`/${index}.xml`, async () => new Response(rss({ title: `Podcast ${index}`, items: [{}] })))
  await page.getByRole('button', { name: 'Retry failed ones' }).click()
  await page.getByText('20 of 20 done, 0 failed').waitFor({ timeout: 30_000 })
  await context.close()
}, 120_000)

test('a cleanup is shown before it is run, and a notice comes to one browser and not to the other', async () => {
  using host = startFeedHost()
  const env = {
    DATA_DIRECTORY: libraryFolder(),
    DISK_RESERVE: '0',
    BASIC_AUTH: 'true',
    USERNAME: 'root',
    PASSWORD: 'Sup3rSecret',
  }
  await using running = await startExecutable(env)
  const headers = { 'Content-Type': 'application/json', Authorization: basic('root', 'Sup3rSecret') }
  const call = async (method: string, path: string, body: unknown, as: Record<string, string> = headers) =>
    (await fetch(`${running.origin}/api/v1${path}`, { method, headers: as, body: JSON.stringify(body) }))
      .json()
      .catch(() => null)
  await call('PUT', '/settings', { podcastPrefill: 0, keepLast: 1 })
  const items = ['Fog', 'Lamps'].map(title => ({
    guid: title,
    title,
    enclosure: host.file(`/${title}.mp3`, silentMp3(3)),
  }))
  const podcast = (await call('POST', '/podcasts/feed', { rssFeedUrl: host.feed('/a.xml', rss({ items })) })) as {
    id: string
  }
  for (const username of ['fan', 'other']) {
    const { id: inviteId } = (await call('POST', '/invites', {})) as { id: string }
    await call('POST', '/users/', { username, password: goodPassword, inviteId })
  }
  const fan = { ...headers, Authorization: basic('fan', goodPassword) }
  await call('PUT', '/podcasts/favored', { id: podcast.id, favored: true }, fan)
  const open = async (name: string, password: string) => {
    const page = await (await browser.newContext()).newPage()
    await page.goto(`${running.origin}/ui/`)
    await page.getByLabel('Username').fill(name)
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('button', { name: '0 notifications' }).waitFor()
    return page
  }
  const [fans, others, admins] = [
    await open('fan', goodPassword),
    await open('other', goodPassword),
    await open('root', 'Sup3rSecret'),
  ]
  await admins.goto(`${running.origin}/ui/podcasts/${podcast.id}/episodes`)
  await admins.getByRole('button', { name: 'Download Fog' }).click()
  // It was asked for by hand: whoever favours the podcast hears nothing of it.
  await admins.getByRole('button', { name: '1 notification' }).click()
  await admins.getByText('Episode now available').waitFor()
  await admins.getByRole('button', { name: 'Dismiss' }).click()
  await admins.getByText('no notifications').waitFor()
  for (const page of [fans, others]) expect(await page.getByRole('button', { name: '0 notifications' }).count()).toBe(1)

  host.feed('/a.xml', rss({ items: [{ title: 'Ropes', guid: 'Ropes' }, ...items] }))
  await call('PUT', '/settings', { autoDownload: false })
  await call('POST', `/podcasts/${podcast.id}/refresh`, {})
  await fans.getByRole('button', { name: '1 notification' }).click()
  await fans.getByRole('link', { name: 'New episode ·' }).waitFor()
  expect(await others.getByRole('button', { name: '0 notifications' }).count()).toBe(1)

  await admins.keyboard.press('Escape')
  await admins.getByRole('button', { name: 'Download Lamps' }).click()
  await admins.getByRole('button', { name: '2 notifications' }).waitFor()
  await layersGone(admins)
  await admins.goto(`${running.origin}/ui/settings/retention`)
  await admins.getByRole('button', { name: 'Run cleanup…' }).click()
  const dialog = admins.getByRole('dialog')
  await dialog.getByText('Lamps').waitFor()
  expect(await dialog.getByText('Fog').count()).toBe(0)
  await dialog.getByRole('button', { name: /^Delete 1 file \(/ }).click()
  await admins.getByText(/1 file deleted, .* freed/).waitFor()
  // A plain user has settings of their own, and learns who decides on the rest.
  await others.goto(`${running.origin}/ui/settings`)
  await others.getByRole('heading', { level: 1, name: 'Playback' }).waitFor()
  const list = others.getByRole('navigation', { name: 'Settings' })
  // The new episodes of a podcast are queued from here, too.
  await list.getByRole('link', { name: 'New episodes and queue' }).click()
  const place = others.getByLabel('Lighthouse Radio')
  await place.selectOption('At the end of the queue')
  await others.reload()
  expect(await place.inputValue()).toBe('end')
  await list.getByRole('link', { name: 'Playback' }).click()
  const seconds = await others.getByLabel('Skip back').locator('option').allInnerTexts()
  expect(seconds).toEqual(['10 sec', '15 sec', '30 sec', '45 sec', '1 min'])
  expect(await list.getByRole('link').allTextContents()).toEqual([
    'Playback',
    'New episodes and queue',
    'Notifications',
    'Apps and devices',
    'Import from another app',
    'OPML',
    'gPodder',
  ])
  await list.getByText('set by the admin of this server, root.').waitFor()
  await others.goto(`${running.origin}/ui/settings/retention`)
  await others.getByText('You are not an admin').waitFor()
  expect(await others.getByRole('switch').count()).toBe(0)
  await others.getByRole('link', { name: 'Back to your settings' }).click()
  await others.getByRole('heading', { level: 1, name: 'Playback' }).waitFor()

  // Without the server the page can be read, and its controls say that they do nothing now.
  const speed = others.getByLabel('Speed')
  await speed.selectOption('1.5×')
  await running.stop()
  await others.getByText('You’re offline. Settings need the server.').waitFor()
  expect([await speed.isDisabled(), await speed.evaluate(one => getComputedStyle(one).opacity)]).toEqual([true, '0.45'])
}, 120_000)

test('naming is changed with a preview, and what is here is renamed and plays on', async () => {
  using host = startFeedHost()
  const folder = temporaryFolder()
  await using running = await startExecutable({ DATA_DIRECTORY: folder, DISK_RESERVE: '0' })
  const chapters = JSON.stringify({
    chapters: [
      { startTime: 0, title: 'Hello' },
      { startTime: 5, title: 'The storm' },
    ],
  })
  host.on('/chapters.json', () => new Response(chapters))
  const items = [
    {
      title: 'Fog: one',
      enclosure: host.file('/fog.mp3', silentMp3(30)),
      date: 'Sun, 01 Mar 2026 05:00:00 GMT',
      extra: `<podcast:chapters url="${host.origin}/chapters.json" type="application/json+chapters"/>`,
    },
  ]
  const { id } = await running.api<{ id: string }>('/podcasts/feed', {
    rssFeedUrl: host.feed('/a.xml', rss({ title: 'Lighthouse Radio', items })),
  })
  const page = await browser.newPage()
  await page.goto(`${running.origin}/ui/podcasts/${id}/episodes`)
  await page.getByRole('img', { name: 'On the server' }).waitFor()
  await page.goto(`${running.origin}/ui/settings/naming`)
  await page.getByText('Lighthouse Radio/Fog- one/Fog- one.mp3').waitFor()
  const format = page.getByLabel('File name of an episode')
  await format.fill('{titel}')
  await page.getByRole('alert').getByText('{titel} is not a variable.').waitFor()
  await format.fill('{date} ')
  await page
    .getByRole('group', { name: 'Insert a variable' })
    .nth(1)
    .getByRole('button', { name: '{episodeTitle}' })
    .click()
  await page.getByLabel('All files in the podcast’s folder').check()
  await page.getByText('Lighthouse Radio/2026-03-01 Fog- one.mp3').waitFor()
  await page.getByRole('button', { name: 'Rename the file' }).click()
  const dialog = page.getByRole('dialog', { name: 'Rename one file?' })
  await dialog.getByText('Lighthouse Radio/2026-03-01 Fog- one.mp3').waitFor()
  await dialog.getByRole('button', { name: 'Rename the file' }).click()
  await page.getByText('1 file renamed').waitFor()
  expect(existsSync(join(folder, 'podcasts/Lighthouse Radio/2026-03-01 Fog- one.mp3'))).toBe(true)

  // It plays from its new name, from a chapter on.
  await page.goto(`${running.origin}/ui/podcasts/${id}/episodes`)
  await page.getByRole('button', { name: 'Fog: one', exact: true }).click()
  await page.getByRole('button', { name: 'Play from 00:05: The storm' }).click()
  await page.waitForFunction(() => /00:0[6-9]/.test(document.querySelector('.player-time')?.textContent ?? ''))

  // A speed of its own is there at the next playing, and marking all as played can be taken back.
  await page.getByRole('button', { name: 'More options for Lighthouse Radio' }).click()
  await page.getByRole('menuitem', { name: 'Your settings' }).click()
  await page.getByLabel('Speed', { exact: true }).selectOption('2')
  await page.getByText('Settings saved').waitFor()
  await page.reload()
  await page.getByRole('region', { name: 'Player' }).getByText('2×').waitFor()
  await page.getByRole('button', { name: 'More options for Lighthouse Radio' }).click()
  await page.getByRole('menuitem', { name: 'Mark all as played' }).click()
  await page.locator('.episode.is-finished').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.locator('.episode:not(.is-finished)').waitFor()
}, 120_000)

test('over a page, keys and notices belong to what lies there; a hit leads to where it was said', async () => {
  using host = startFeedHost()
  await using running = await startExecutable({ DATA_DIRECTORY: libraryFolder(), DISK_RESERVE: '0' })
  await put(running, '/settings', { podcastPrefill: 0 })
  const lines = Array.from({ length: 40 }, (_, second) => {
    const time = (at: number) => `00:00:${String(at).padStart(2, '0')}.000`
    return `${time(second)} --> ${time(second + 1)}\nSentence ${second} about ${second === 21 ? 'whales' : 'lamps'}`
  })
  host.on('/t.vtt', () => new Response(`WEBVTT\n\n${lines.join('\n\n')}`))
  const items = ['Fog', 'Lamps'].map(title => ({
    title,
    enclosure: host.file(`/${title}.mp3`, silentMp3(60)),
    duration: '60',
    extra: `<podcast:transcript url="${host.origin}/t.vtt" type="text/vtt"/>`,
  }))
  const podcast = await running.api<{ id: string }>('/podcasts/feed', {
    rssFeedUrl: host.feed('/a.xml', rss({ title: 'Lighthouse Radio', items })),
  })
  const page = await browser.newPage()
  await page.goto(`${running.origin}/ui/podcasts/${podcast.id}/episodes`)

  // Nothing plays yet, and what is queued can be seen all the same.
  await page.getByRole('button', { name: 'More options for Fog' }).click()
  await page.getByRole('menuitem', { name: 'Add to queue' }).click()
  await page.getByRole('button', { name: /^Queue/ }).click()
  const dock = page.getByRole('complementary', { name: 'Queue' })
  await dock.getByRole('button', { name: 'More options for the queue' }).click()
  await dock.getByRole('menuitem', { name: 'Clear the queue' }).click()
  await page.locator('.toast', { hasText: 'Queue cleared' }).getByRole('button', { name: 'Undo' }).click()
  await dock.getByText('Fog').waitFor()
  await dock.getByRole('button', { name: 'Hide the queue' }).click()
  const dialog = page.getByRole('dialog')

  await page.getByRole('button', { name: 'Play Lamps' }).click()
  await page.getByRole('button', { name: 'Pause Lamps' }).waitFor()
  await page.getByRole('button', { name: 'More options for Fog' }).click()
  await page.getByRole('menuitem', { name: 'Add to a playlist…' }).click()
  await dialog.getByRole('button', { name: 'New playlist' }).click()
  await page.getByLabel('Name').fill('Evening')
  await page.keyboard.press('Enter')
  await page.getByText('2 of 3: Episodes').waitFor()
  await page.keyboard.type('llkk')
  expect(await page.getByLabel('Search episodes').inputValue()).toBe('llkk')
  expect(await page.locator('.player .player-time').first().innerText()).toMatch(/^00:0/)
  await dialog.getByText('Fog').waitFor()
  await dialog.getByRole('button', { name: 'Close', exact: true }).click()

  // The transcript follows along until its reader scrolls away; a timer says what is left of it.
  await page.getByRole('button', { name: 'Full screen', exact: true }).click()
  await dialog.getByRole('tab', { name: 'Transcript' }).click()
  await dialog.getByRole('button', { name: 'Forward 30 seconds' }).click()
  await dialog
    .locator('.transcript .is-sought')
    .getByText(/Sentence 3\d/)
    .waitFor()
  await dialog.locator('.transcript').dispatchEvent('wheel')
  await dialog.getByRole('button', { name: 'Follow', exact: true }).click()
  await dialog.getByRole('button', { name: 'Follow', exact: true }).waitFor({ state: 'detached' })
  await dialog.getByRole('button', { name: 'Sleep timer' }).click()
  await dialog.getByRole('menuitemradio', { name: '15 min' }).click()
  await dialog.getByText('15 min').waitFor()
  await page.keyboard.press('Escape')

  const list = await running.api<{ podcastEpisode: { id: string } }[]>(`/podcasts/${podcast.id}/episodes`)
  const { id } = list[1]!.podcastEpisode
  await running.api(`/podcasts/episodes/${id}/transcript`)
  await layersGone(page)
  await page.goto(`${running.origin}/ui/podcasts/search`)
  await page.getByRole('combobox', { name: 'Search' }).fill('whales')
  await page.getByRole('option', { name: /00:21/ }).first().waitFor()
  await page.reload()
  await page.getByRole('option', { name: /00:21/ }).first().click()
  await page.locator('.transcript .is-sought').getByText('Sentence 21 about whales').waitFor()
  expect(new URL(page.url()).search).toBe('?t=21')
  await page.close()
}, 120_000)

test('without room on the disk a download waits and says why, where it was asked for and in the queue', async () => {
  using host = startFeedHost()
  await using running = await startExecutable({ DATA_DIRECTORY: libraryFolder(), DISK_RESERVE: '100000000' })
  await put(running, '/settings', { podcastPrefill: 0 })
  const items = [{ title: 'Fog', enclosure: host.file('/fog.mp3', silentMp3(3)) }]
  await running.api('/podcasts/feed', { rssFeedUrl: host.feed('/a.xml', rss({ items })) })
  const page = await browser.newPage()
  await page.goto(`${running.origin}/ui/timeline`)
  await page.getByRole('button', { name: 'Download Fog' }).click()
  await page.getByText('The server’s disk is full. The download resumes').waitFor()
  await page.getByRole('button', { name: 'The download of Fog is waiting. Cancel download' }).waitFor()
  await page.goto(`${running.origin}/ui/info/downloads`)
  await page.getByText(/resumes when there is room\. Next try/).waitFor()
  await page.close()
})

test('a file whose chapters were not read says so where they would be', async () => {
  using host = startFeedHost()
  await using running = await startExecutable({ DATA_DIRECTORY: libraryFolder(), DISK_RESERVE: '0' })
  const bytes = hostileMedia['an MP3 of 600,000 chapters']!.make()
  const items = [{ title: 'Fog', enclosure: host.file('/fog.mp3', bytes) }]
  await running.api('/podcasts/feed', { rssFeedUrl: host.feed('/a.xml', rss({ items })) })
  const page = await browser.newPage()
  await page.goto(`${running.origin}/ui/timeline`)
  await page.getByRole('img', { name: 'On the server' }).waitFor()
  await page.reload()
  await page.getByRole('button', { name: 'Fog', exact: true }).click()
  await page.getByText('It plays without chapters').waitFor()
  await page.close()
})
