import { afterAll, expect, test } from 'bun:test'
import type { Page, WebSocketRoute } from 'playwright-core'
import { libraryFolder } from '../support/app'
import { barriersIn } from '../support/axe'
import { layersGone, startBrowser } from '../support/browser'
import { rss, silentMp3 } from '../support/builders'
import { startExecutable } from '../support/executable'
import { startFeedHost } from '../support/feed-host'
import { spoken, startSpeechServer } from '../support/speech-server'

const browser = await startBrowser()
afterAll(() => browser.close())

/** A podcast of two episodes, of which Fog is downloaded, and a speech server. */
async function start(env: Record<string, string> = {}) {
  const host = startFeedHost()
  const speech = startSpeechServer()
  const running = await startExecutable({
    DATA_DIRECTORY: libraryFolder(),
    DISK_RESERVE: '0',
    TRANSCRIPTION_URL: speech.origin,
    TRANSCRIPTION_MODEL: 'small',
    ...env,
  })
  const items = ['Fog', 'Lamps'].map(title => ({
    title,
    enclosure: host.file(`/${title}.mp3`, silentMp3(60)),
    duration: '60',
    notes: `<p>About ${title}</p>`,
  }))
  const podcast = await running.api<{ id: string }>('/podcasts/feed', {
    rssFeedUrl: host.feed('/a.xml', rss({ title: 'Lighthouse Radio', items })),
    first_downloads: 1,
  })
  const episodes = () => running.api<{ podcastEpisode: { status: boolean } }[]>(`/podcasts/${podcast.id}/episodes`)
  while (!(await episodes())[0]!.podcastEpisode.status) await Bun.sleep(50)
  const address = `${running.origin}/ui/podcasts/${podcast.id}/episodes`
  return {
    speech,
    running,
    address,
    async open(viewport: { width: number; height: number }): Promise<Page> {
      const page = await browser.newPage({ viewport })
      await page.goto(address)
      await page.getByRole('button', { name: 'Fog', exact: true }).waitFor()
      return page
    },
    async [Symbol.asyncDispose]() {
      await running.stop()
      speech[Symbol.dispose]()
      host.stop()
    },
  }
}

/** Opens the notes of an episode, and in them what there is of its transcript. */
async function openTranscript(page: Page, title: string) {
  await page.getByRole('button', { name: title, exact: true }).click()
  const details = page.locator('.episode-details', { hasText: `About ${title}` })
  await details.getByText('Transcript', { exact: true }).click()
  return details
}

test('a transcript is made while one watches, searched, and deleted again', async () => {
  await using world = await start()
  const page = await world.open({ width: 1440, height: 900 })
  const answer = Promise.withResolvers<Response>()
  world.speech.on(() => answer.promise)

  const notThere = await openTranscript(page, 'Lamps')
  await notThere.getByText('Download the episode to the server to have it transcribed.').waitFor()
  expect(await notThere.getByRole('button', { name: 'Transcribe' }).count()).toBe(0)

  const fog = await openTranscript(page, 'Fog')
  await fog.getByText('The publisher gives no transcript.').waitFor()
  await fog.getByRole('button', { name: 'Transcribe' }).click()
  await fog.getByText('Being transcribed').waitFor()

  const other = await world.open({ width: 1440, height: 900 })
  await other.goto(`${world.running.origin}/ui/info/downloads`)
  const row = other.locator('.download', { hasText: 'Being transcribed' })
  await row.getByText('Fog').waitFor()
  expect(await barriersIn(other)).toEqual([])
  expect(await barriersIn(page)).toEqual([])

  answer.resolve(Response.json(spoken))
  await fog.getByText('Made by small').waitFor()
  expect(await barriersIn(page)).toEqual([])
  await row.waitFor({ state: 'detached' })
  await fog.getByLabel('Search in the transcript').fill('foghorn')
  await fog.getByText('1 found').or(fog.getByRole('status')).first().waitFor()
  expect(await fog.locator('.transcript p').allInnerTexts()).toEqual([expect.stringContaining('The foghorn was loud.')])

  await fog.getByRole('button', { name: 'Transcript' }).click()
  await fog.getByRole('menuitem', { name: 'Delete transcript' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete transcript' }).click()
  await fog.getByText('The publisher gives no transcript.').waitFor()
  await layersGone(page)

  // The menu of the row does the same.
  world.speech.on(() => Response.json(spoken))
  await page.getByRole('button', { name: 'More options for Fog' }).click()
  await page.getByRole('menuitem', { name: 'Transcribe' }).click()
  await fog.getByText('Made by small').waitFor()
  await Promise.all([page.close(), other.close()])
}, 120_000)

test('a transcript that is made while the connection is lost is there once it is back, in lists and in the player', async () => {
  await using world = await start()
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  const sockets: WebSocketRoute[] = []
  const isBack = Promise.withResolvers<void>()
  await page.routeWebSocket(/./, async socket => {
    if (sockets.push(socket) > 1) await isBack.promise
    socket.connectToServer()
  })
  const answer = Promise.withResolvers<Response>()
  world.speech.on(() => answer.promise)
  await page.goto(world.address)
  await page.getByRole('button', { name: 'Play Fog' }).click()
  const fog = await openTranscript(page, 'Fog')
  await fog.getByRole('button', { name: 'Transcribe' }).click()
  await fog.getByText('Being transcribed').waitFor()

  await sockets[0]!.close()
  answer.resolve(Response.json(spoken))
  const list = () => world.running.api<{ items: unknown[] }>('/transcriptions')
  while ((await list()).items.length > 0) await Bun.sleep(50)
  await fog.getByText('Being transcribed').waitFor()
  isBack.resolve()
  await fog.getByText('Made by small').waitFor()
  await page.getByRole('region', { name: 'Player' }).getByRole('button', { name: 'Full screen' }).click()
  const sheet = page.getByRole('dialog', { name: 'Fog' })
  await sheet.getByRole('tab', { name: 'Transcript' }).click()
  await sheet.getByText('Made by small').waitFor()
  await page.close()
}, 120_000)

test('on a phone the player offers a transcript, says why it failed, and follows it when it is there', async () => {
  await using world = await start()
  const page = await world.open({ width: 390, height: 844 })
  world.speech.on(() => Response.json({ error: { message: 'This file is too long for me' } }, { status: 413 }))
  await page.getByRole('button', { name: 'Play Fog' }).click()
  const bar = page.getByRole('region', { name: 'Player' })
  await bar.getByRole('button', { name: 'Pause' }).waitFor()
  await bar.getByRole('button', { name: 'Full screen' }).click()
  const sheet = page.getByRole('dialog', { name: 'Fog' })
  await sheet.getByRole('tab', { name: 'Transcript' }).click()
  await sheet.getByRole('button', { name: 'Transcribe' }).click()
  await sheet.getByText('This file is too long for me').waitFor()
  expect(await barriersIn(page)).toEqual([])

  world.speech.on(() => Response.json(spoken))
  await sheet.getByRole('button', { name: 'Try now' }).click()
  await sheet.getByText('Made by small').waitFor()
  await sheet.getByText('The foghorn was loud.').click()
  await sheet.locator('.transcript .is-sought').getByText('The foghorn was loud.').waitFor()
  // Selected words are copied or played, and stay where they are.
  await sheet
    .locator('.transcript p')
    .first()
    .evaluate(words => getSelection()!.selectAllChildren(words))
  const actions = sheet.getByRole('toolbar', { name: 'Actions' })
  await actions.getByRole('button', { name: 'Copy' }).waitFor()
  await sheet.getByRole('button', { name: 'Follow', exact: true }).waitFor()
  await actions.getByRole('button', { name: 'Play' }).click()
  await sheet.evaluate(() => getSelection()!.removeAllRanges())
  await actions.waitFor({ state: 'detached' })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  await page.close()
}, 120_000)

test('a podcast has its new downloads transcribed, where a speech server is configured', async () => {
  await using world = await start()
  const page = await world.open({ width: 1024, height: 768 })
  await page.getByRole('button', { name: 'More options for Lighthouse Radio' }).click()
  await page.getByRole('menuitem', { name: 'Podcast settings' }).click()
  await page.getByRole('switch', { name: 'Transcribe new downloads' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await page.getByText('Settings saved').waitFor()
  await layersGone(page)
  await page.getByRole('button', { name: 'Download Lamps' }).click()
  const lamps = await openTranscript(page, 'Lamps')
  await lamps.getByText('Made by small').waitFor()
  await page.close()
}, 120_000)

test('without a speech server admins read how to get one, and nothing is offered', async () => {
  await using world = await start({ TRANSCRIPTION_URL: '', TRANSCRIPTION_MODEL: '' })
  const page = await world.open({ width: 390, height: 844 })
  const fog = await openTranscript(page, 'Fog')
  await fog.getByText('name a speech server in the configuration (TRANSCRIPTION_URL)').waitFor()
  expect(await fog.getByRole('button', { name: 'Transcribe' }).count()).toBe(0)
  await page.getByRole('button', { name: 'More options for Lighthouse Radio' }).click()
  await page.getByRole('menuitem', { name: 'Podcast settings' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).waitFor()
  expect(await page.getByRole('switch', { name: 'Transcribe new downloads' }).count()).toBe(0)
  await page.close()
}, 120_000)
