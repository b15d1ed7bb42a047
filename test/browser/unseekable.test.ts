import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { EpisodeWrapper } from '../../src/shared/api/episode'
import type { EpisodeHistory } from '../../src/shared/api/history'
import { temporaryFolder } from '../support/app'
import { startBrowser } from '../support/browser'
import { rss, silentMp3 } from '../support/builders'
import { startExecutable } from '../support/executable'
import { startFeedHost } from '../support/feed-host'
import { freePort } from '../support/ports'

const host = startFeedHost()
const browser = await startBrowser()
const env = { DATA_DIRECTORY: temporaryFolder(), DISK_RESERVE: '0', PORT: String(freePort()) }
const file = silentMp3(600)
let running: Awaited<ReturnType<typeof startExecutable>>
let eid: string

/** Sends a file from its start and without its length, whatever part is asked for. */
const stream = () =>
  new Response(new ReadableStream({ start: controller => controller.enqueue(file.subarray(0, 2_000_000)) }), {
    headers: { 'Content-Type': 'audio/mpeg' },
  })

beforeAll(async () => {
  running = await startExecutable(env)
  await fetch(`${running.origin}/api/v1/settings`, {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json' },
    body: '{"podcastPrefill":0}',
  })
  const items = [{ title: 'Fog', enclosure: host.on('/fog.mp3', stream), duration: '600' }]
  const { id } = await running.api<{ id: string }>('/podcasts/feed', {
    rssFeedUrl: host.feed('/feed.xml', rss({ items })),
  })
  const [{ podcastEpisode }] = await running.api<[EpisodeWrapper]>(`/podcasts/${id}/episodes`)
  eid = podcastEpisode.episode_id
  await running.api('/podcasts/episode', { podcastEpisodeId: eid, time: 300, total: 600 })
})
afterAll(async () => {
  await browser.close()
  await running.stop()
  host.stop()
})

test('an episode that its host sends only from its start says so, and keeps the saved position', async () => {
  const page = await browser.newPage()
  page.setDefaultTimeout(60_000)
  await page.goto(`${running.origin}/ui/timeline`)
  await page
    .getByRole('button', { name: /(Play|Resume|Continue) Fog/ })
    .first()
    .click()
  await page.getByText('The host sends this episode only from its start').waitFor()
  const position = async () => (await running.api<EpisodeHistory>(`/podcasts/episode/${eid}`)).position
  expect(await position()).toBe(300)
  await page.close()
  expect(await position()).toBe(300)
})
