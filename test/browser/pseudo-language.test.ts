import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { startTestApp, withPasswords, type TestApp } from '../support/app'
import { startBrowser } from '../support/browser'
import { rss, silentMp3 } from '../support/builders'
import { summarise, type Fault } from '../support/faults'
import { startFeedHost } from '../support/feed-host'
import { layoutFaultsIn } from '../support/layout/layout-faults'
import { isAt, PHONE, pages, type Places } from '../support/screens'
import { startVisits, type Visits } from '../support/visits'
import { languages } from '../../src/shared/languages'

// A language that nobody speaks: English in Cyrillic letters, a third longer, from right to left. Latin words on a page
// are then texts that no translator can reach.

const letters = 'абцдефгхийклмнопярстужвшыз'
const pseudo = (text: string) => {
  const turned = text.replace(/\{[\w.]+\}|[A-Za-z]/g, part =>
    part.length > 1 ? part : letters[part.toLowerCase().charCodeAt(0) - 97]!,
  )
  return `${turned}${' ююю'.repeat(Math.ceil(text.length / 12))}`
}

const english = (await Bun.file('locales/en.json').json()) as Record<string, string>
const forms = ['zero', 'one', 'two', 'few', 'many', 'other']
const texts = Object.fromEntries(
  Object.entries(english).flatMap(([key, text]) => {
    const base = key.replace(/_other$/, '')
    return base === key
      ? [[key, pseudo(text)]]
      : forms.map(form => [`${base}_${form}`, pseudo(english[`${base}_${form}`] ?? text)])
  }),
)

/** Names of products, formats and people, and what a person types to the letter. */
const names = new Set([
  ...Object.values(languages).flatMap(name => name.split(/[^\p{L}]+/u)),
  ...`Castellan AntennaPod Audiobookshelf PodFetch PortCast OPML gPodder Kodi Jellyfin NFO Pocket Casts Apple Podcasts
    Podcast Addict Kasts castget PinePods Podgrab Nextcloud ntfy Gotify Apprise Discord API URL HTTP Index iTunes MIT
    ShelfPlayer Lissen Plappa Music Assistant Chrome Linux Ctrl Shift Escape Home Mozilla User Agent PIN QR json mcp
    root castellan restore bearer http https localhost com example org`.split(/\s+/),
])

/** Lists visible texts with Latin words that are neither a name nor from the library. */
async function untranslatedIn(page: Page): Promise<string[]> {
  const texts = await page.evaluate(() => {
    const found: string[] = []
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const parent = node.parentElement!
      if (parent.closest('code, pre, kbd, [lang], script, style, .front-door-brand') || !parent.checkVisibility())
        continue
      if (node.textContent!.trim()) found.push(node.textContent!.trim())
    }
    for (const element of document.querySelectorAll('[aria-label], [placeholder], [title]'))
      if (element.checkVisibility() && !element.closest('[lang]:not(html)'))
        for (const name of ['aria-label', 'placeholder', 'title']) found.push(element.getAttribute(name) ?? '')
    return found
  })
  const words = (text: string) => text.replace(/https?:\S+|\S*[/\\@.]\S+/g, ' ').match(/[A-Za-z]{3,}/g) ?? []
  const left = texts.filter(text => words(text).some(word => !names.has(word) && word !== word.toUpperCase()))
  return [...new Set(left)].map(text => `no translator reaches “${text.slice(0, 80)}”`)
}

const { USERNAME, PASSWORD } = withPasswords
const browser = await startBrowser()
const host = startFeedHost()
let app: TestApp
let bare: TestApp
let visits: Visits
beforeAll(async () => {
  app = await startTestApp({ env: withPasswords })
  bare = await startTestApp()
  const origin = app.listen()
  const apis = app.as(USERNAME, PASSWORD)
  const items = [1, 2, 3].map(number => ({
    guid: String(number),
    title: `Ωμέγα, ψι και χι στο τέλος του αλφαβήτου ${number}`,
    enclosure: host.file(`/${number}.mp3`, silentMp3(60)),
    duration: '60',
  }))
  const body = rss({ title: 'Λάμδα', items }).replace('Stories from the coast', 'Σίγμα').replace('Mara Field', 'Δέλτα')
  const podcast = await apis.podcasts.add(host.feed('/feed.xml', body))
  const { data } = await apis.podcasts.episodes(podcast.id, {}, null)
  const episode = data[0]!.podcastEpisode
  await apis.podcasts.favour(podcast.id, true)
  await apis.episodes.like(episode.id, true)
  await apis.tags.create({ name: 'Ταυ', color: 'Green' })
  const playlist = await apis.playlists.create({ name: 'Πι', items: [{ episode: episode.id }] })
  await apis.moves.start({ path: '/nowhere/podcast.db' })
  await app.context.moves.settled()
  const invite = await apis.invites.create({ role: 'user', explicitConsent: false })
  const places: Partial<Places> = { podcast: podcast.id, episode: episode.id, playlist: playlist.id, invite: invite.id }
  const credentials = [USERNAME, PASSWORD] as const
  visits = await startVisits(browser, {
    places,
    member: origin,
    stranger: origin,
    newcomer: bare.listen(),
    credentials,
  })
}, 120_000)
afterAll(async () => {
  await browser.close()
  await app[Symbol.asyncDispose]()
  await bare[Symbol.asyncDispose]()
  host.stop()
})

for (const [width, height] of [
  [390, 844],
  [1440, 900],
] as const)
  test(`at ${width}×${height}, from right to left and a third longer, every page fits, and no text is left in English`, async () => {
    const found: Fault[] = []
    await visits.all(
      pages.filter(screen => isAt(screen, width)),
      { viewport: { width, height }, hasTouch: width < PHONE, language: { code: 'ar', texts } },
      found,
      async page => {
        const direction = await page.evaluate(() => getComputedStyle(document.body).direction)
        const wrong = direction === 'rtl' ? [] : ['the page is not from right to left']
        return [...wrong, ...(await untranslatedIn(page)), ...(await layoutFaultsIn(page))]
      },
    )
    expect(summarise(found)).toEqual([])
  }, 600_000)
