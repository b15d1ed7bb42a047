import { afterAll, expect, test } from 'bun:test'
import { startTestApp } from '../support/app'
import { rss, silentMp3 } from '../support/builders'
import { startBrowser } from '../support/browser'
import { startFeedHost } from '../support/feed-host'
import { settle } from '../support/pages'

const host = startFeedHost()
const browser = await startBrowser()
afterAll(async () => {
  await browser.close()
  host.stop()
})

test('an Arabic title begins where the page begins its lines', async () => {
  await using app = await startTestApp()
  app.prefill(0)
  const items = [{ title: 'حكايات', enclosure: host.file('/a.mp3', silentMp3(60)), duration: '60' }]
  const podcast = await app.podcasts.add(host.feed('/feed.xml', rss({ title: 'أصوات من الزمن', items })))
  for (const width of [390, 1280]) {
    const page = await browser.newPage({ viewport: { width, height: 800 }, serviceWorkers: 'block' })
    for (const path of ['/home/view', '/podcasts', '/timeline', `/podcasts/${podcast.id}/episodes`]) {
      await page.goto(`${app.listen()}/ui${path}`)
      await page
        .getByText(/حكايات|أصوات/)
        .first()
        .waitFor()
      await settle(page)
      expect([width, path, await page.evaluate(textsAtTheEnd)]).toEqual([width, path, []])
    }
    await page.close()
  }
}, 120_000)

/** Texts from right to left that do not begin at the left edge of their element. */
function textsAtTheEnd(): string[] {
  return [...document.querySelectorAll<HTMLElement>('[dir=auto], :has(> bdi)')]
    .filter(element => element.checkVisibility() && /[حأ]/.test(element.textContent))
    .filter(element => element.matches('.start') || getComputedStyle(element).textAlign !== 'center')
    .filter(element => {
      const words = document.createRange()
      words.selectNodeContents(element)
      const [text, box] = [words.getBoundingClientRect(), element.getBoundingClientRect()]
      return text.left - box.left > 20
    })
    .map(({ className, textContent }) => `${className}: ${textContent}`)
}
