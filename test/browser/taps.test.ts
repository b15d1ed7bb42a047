import { afterAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { routes } from '../../src/ui/routes'
import { startBrowser } from '../support/browser'
import { startFeedHost } from '../support/feed-host'
import { createKeyboard, createMouse, createThumb, type Hand } from '../support/hands'
import { LEFT_AT, startEmpty, startListening, type ListeningLibrary } from '../support/listening-library'

// What people do most, counted in presses: by thumb on a phone, by mouse on a wide screen, and by keyboard alone.

type Way = 'thumb' | 'mouse' | 'keyboard'
type Visit = { page: Page; way: Way; hand: Hand; library: ListeningLibrary; go(path: string): Promise<void> }

const ways: readonly Way[] = ['thumb', 'mouse', 'keyboard']
const viewports = { thumb: { width: 390, height: 844 }, mouse: { width: 1440, height: 900 } }

const host = startFeedHost()
const browser = await startBrowser()
afterAll(async () => {
  await browser.close()
  host.stop()
})

const journeys: readonly { name: string; presses: number; run(visit: Visit): Promise<unknown> }[] = [
  {
    name: 'resuming what was left',
    presses: 1,
    async run({ page, hand, go }) {
      await go(routes.home)
      await hand.press(
        main(page)
          .getByRole('button', { name: /^Resume/ })
          .first(),
      )
      await soundsBeyond(page, LEFT_AT)
    },
  },
  {
    name: 'playing the newest episode of a podcast',
    presses: 1,
    async run({ page, way, hand, library, go }) {
      const { app, podcast, begun } = library
      // On a phone the one action is to continue what was begun.
      const total = begun.total_time
      if (way === 'thumb') await app.playback.save({ podcastEpisodeId: begun.episode_id, total, time: total })
      await go(routes.episodes(podcast))
      await hand.press(main(page).getByRole('button', { name: /^Play newest/ }))
      await soundsBeyond(page, 0)
      await playerOf(page).getByText('Evening number 0').first().waitFor()
    },
  },
  {
    name: 'queueing an episode',
    presses: 1,
    async run({ page, way, hand, library, go }) {
      const { app, podcast } = library
      await go(routes.episodes(podcast))
      const row = page.locator('.episode', { hasText: 'Fog signals' })
      if (way === 'thumb') await (hand as ReturnType<typeof createThumb>).swipe(row)
      else {
        if (way === 'mouse') await row.hover()
        await hand.press(row.getByRole('button', { name: /queue/i }))
      }
      await page.getByRole('status').or(page.getByRole('alert')).getByText(/queue/i).first().waitFor()
      expect((await app.queue.find()).items.map(({ podcastEpisode }) => podcastEpisode.name)).toEqual(['Fog signals'])
    },
  },
  {
    name: 'finding an episode by its words',
    presses: 2,
    async run({ page, hand, go }) {
      await go(routes.home)
      await hand.press(control(page, /^Search/))
      await page.getByRole('combobox', { name: 'Search' }).and(page.locator(':focus')).waitFor()
      await hand.type('fog sig')
      await hand.press(page.getByRole('option', { name: /Fog signals/ }).first())
      await page.locator('.episode-notes').getByText('Notes of number 3').waitFor()
    },
  },
  {
    name: 'marking a week as played',
    presses: 3,
    async run({ page, hand, library, go }) {
      await go(routes.timeline)
      // The menu of the day under which an episode of a week ago stands.
      await main(page).getByText('Evening number 7', { exact: true }).scrollIntoViewIfNeeded()
      await hand.press(
        main(page)
          .getByRole('button', { name: /^More options for \w+day/ })
          .last(),
      )
      await hand.press(page.getByRole('menuitem', { name: 'Mark everything above as played' }))
      await page
        .getByText(/marked as played/)
        .first()
        .waitFor()
      const { data } = await library.app.podcasts.episodes(library.podcast, { unlistened: true }, null)
      expect(data.length).toBeLessThan(library.episodes.length - 4)
    },
  },
  {
    name: 'seeing why something failed',
    presses: 1,
    async run({ page, hand, go }) {
      await go(routes.home)
      await hand.press(control(page, /failed/))
      await main(page)
        .getByText(/404|gone/i)
        .first()
        .waitFor()
    },
  },
]

const main = (page: Page) => page.getByRole('main')
const playerOf = (page: Page) => page.getByRole('region', { name: 'Player' })
/** A control of the bars around the page, whatever it is. */
const control = (page: Page, name: RegExp) =>
  page
    .locator('header, nav')
    .getByRole('button', { name })
    .or(page.locator('header, nav').getByRole('link', { name }))
    .or(page.locator('header').getByRole('searchbox', { name }))
    .filter({ visible: true })
    .first()

for (const way of ways)
  for (const { name, presses, run } of journeys)
    test(`${name} by ${way} takes ${presses} presses at most`, async () => {
      const library = await startListening(host)
      await using _ = library.app
      const { page, hand } = await arrive(way)
      const go = (path: string) => arriveAt(page, library.origin, path)
      await run({ page, way, hand, library, go })
      if (way !== 'keyboard') expect(hand.count).toBeLessThanOrEqual(presses)
      await page.context().close()
    }, 120_000)

for (const way of ways)
  test(`subscribing by search from an empty library by ${way} takes 3 presses at most`, async () => {
    const { app, origin } = await startEmpty(host)
    await using _ = app
    const { page, hand } = await arrive(way)
    await arriveAt(page, origin, routes.home)
    const field = main(page)
      .getByRole('combobox')
      .or(main(page).getByRole('searchbox'))
      .or(main(page).getByRole('textbox'))
      .first()
    await hand.press(field)
    await hand.type('lighthouse')
    await hand.press(main(page).getByRole('button', { name: /^Add/ }).first())
    const preview = page.getByRole('dialog').getByRole('button', { name: 'Add podcast' })
    const added = main(page)
      .getByText(/^Added/)
      .or(page.getByRole('heading', { name: 'Lighthouse Radio', level: 1 }))
    await preview.or(added).first().waitFor()
    if (await preview.isVisible()) await hand.press(preview)
    await added.first().waitFor()
    expect((await app.podcasts.list()).map(podcast => podcast.name)).toEqual(['Lighthouse Radio'])
    if (way !== 'keyboard') expect(hand.count).toBeLessThanOrEqual(3)
    await page.context().close()
  }, 120_000)

async function arrive(way: Way) {
  const viewport = viewports[way === 'thumb' ? 'thumb' : 'mouse']
  const context = await browser.newContext({ viewport, hasTouch: way === 'thumb', reducedMotion: 'reduce' })
  const page = await context.newPage()
  page.setDefaultTimeout(60_000)
  await page.addInitScript(() => {
    const play = HTMLMediaElement.prototype.play
    HTMLMediaElement.prototype.play = function () {
      Object.assign(window, { sounding: this })
      return play.call(this)
    }
  })
  const hand = { thumb: createThumb, mouse: createMouse, keyboard: createKeyboard }[way](page)
  return { page, hand }
}

async function arriveAt(page: Page, origin: string, path: string) {
  await page.goto(`${origin}/ui${path}`)
  await page.getByRole('heading', { level: 1 }).first().waitFor({ state: 'attached' })
  await page.waitForFunction(() => !document.querySelector('.skeleton, main [aria-busy=true]'))
}

/** Waits until the sound itself has gone on beyond a second. */
const soundsBeyond = (page: Page, second: number) =>
  page.waitForFunction(wanted => {
    const { sounding } = window as unknown as { sounding?: HTMLMediaElement }
    return sounding && !sounding.paused && sounding.currentTime > wanted
  }, second)
