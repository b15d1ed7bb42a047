import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { startClock, startTestApp, type TestApp } from '../support/app'
import { rss, silentMp3 } from '../support/builders'
import { startBrowser } from '../support/browser'
import { MINUTE, settled } from '../support/downloads'
import { startFeedHost } from '../support/feed-host'
import { settle } from '../support/pages'

const host = startFeedHost()
const browser = await startBrowser()
let app: TestApp
let origin: string
let podcast: { id: string }
beforeAll(async () => {
  const clock = startClock()
  app = await startTestApp({ now: clock })
  origin = app.listen()
  app.prefill(0)
  const enclosure = (name: string) => host.file(`/${name}.mp3`, silentMp3(60))
  host.on('/gone.mp3', () => new Response('', { status: 404 }))
  const items = [
    {
      title: 'Gone',
      enclosure: `${host.origin}/gone.mp3`,
      duration: '60',
      extra: '<itunes:episode>24</itunes:episode>',
    },
    { title: 'Fog', enclosure: enclosure('fog'), duration: '60', extra: '<itunes:episode>23</itunes:episode>' },
  ]
  podcast = await app.podcasts.add(host.feed('/feed.xml', rss({ title: 'Lighthouse Radio', items })))
  const { data } = await app.podcasts.episodes(podcast.id, {}, null)
  const gone = data.find(({ podcastEpisode }) => podcastEpisode.name === 'Gone')!
  await app.episodes.download(gone.podcastEpisode.episode_id)
  for (let attempt = 1; attempt < 3; attempt++) {
    await settled(app, 'waiting')
    app.events.length = 0
    clock.advance(attempt * MINUTE)
    app.context.downloads.pump()
  }
  await settled(app, 'failed')
})
afterAll(async () => {
  await browser.close()
  await app[Symbol.asyncDispose]()
  host.stop()
})

const openPhone = (width: number) => browser.newPage({ viewport: { width, height: 800 }, hasTouch: true })

/** Texts that end with an ellipsis. */
const cutIn = (page: Page, within: string) =>
  page.evaluate(
    selector =>
      [...document.querySelectorAll<HTMLElement>(`${selector} *`)]
        .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1)
        .filter(element => getComputedStyle(element).textOverflow === 'ellipsis' && element.checkVisibility())
        .map(({ textContent }) => textContent),
    within,
  )

test('on the narrowest phones the title of a page is whole, beside the sign of a failed download', async () => {
  for (const width of [320, 360]) {
    const page = await openPhone(width)
    await page.goto(`${origin}/ui/podcasts`)
    await page.getByRole('heading', { level: 1, name: 'All subscriptions' }).waitFor()

    const sign = page.getByRole('link', { name: '1 download failed. See why' })
    await sign.waitFor()
    expect([width, await cutIn(page, '.top-bar')]).toEqual([width, []])
    await sign.tap()
    await page.getByRole('heading', { level: 1, name: 'Downloads' }).waitFor()
    await page.goto(`${origin}/ui/podcasts`)
    await page.getByRole('button', { name: 'Sort by' }).tap()
    await page.getByRole('menuitem', { name: 'Check all for new episodes' }).waitFor()
    await page.close()
  }
}, 120_000)

test('with letters twice as large a phone shows a row, a title and a button to their ends', async () => {
  const page = await openPhone(390)
  for (const path of ['/podcasts', '/timeline', `/podcasts/${podcast.id}/episodes`]) {
    await page.goto(`${origin}/ui${path}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.evaluate(() => void (document.documentElement.style.fontSize = '200%'))
    await settle(page)
    expect([path, await cutIn(page, '#root')]).toEqual([path, []])
  }
  await page.close()
}, 120_000)
