import { afterAll, expect, test } from 'bun:test'
import { startTestApp } from '../support/app'
import { startBrowser } from '../support/browser'
import { settle } from '../support/pages'
import { pages } from '../support/screens'
import en from '../../locales/en.json'

const app = await startTestApp()
const browser = await startBrowser()
afterAll(async () => {
  await browser.close()
  await app[Symbol.asyncDispose]()
})

/** A language whose every text is marked: words without a mark were written by somebody else. */
const marked = Object.fromEntries(Object.entries(en).map(([key, text]) => [key, `⟦${text}⟧`]))

/** Names of programs, variables, paths and systems, and numbers in the browser's own format. */
const untranslated = [
  /\b(?:Castellan|PodFetch|PinePods|Audiobookshelf|Podgrab|AntennaPod|Podcast Addict|Pocket Casts|Apple Podcasts)\b/g,
  /\b(?:gPodder|Kasts|castget|PortCast|OPML|ShelfPlayer|SoundLeaf|Cardo|Plappa|Music Assistant|Claude Code|Cursor|LM Studio)\b/g,
  /\{\w+\}|https?:\S+|\B\/\S+|^(?:linux|darwin) \S+$/g,
  // Two letters in place of a program's picture, and the name of an account.
  /^(?:[A-Z]{2}|admin)$/g,
  // The month, as the browser's language names it.
  /^\p{L}+ \d{4}$/gu,
  /^[\d.,]+\s(?:Byte|[kMG]B|Sek\.|Min\.)$/g,
]

test('no page in another language has words that its texts do not have', async () => {
  const page = await browser.newPage({ locale: 'de-DE', serviceWorkers: 'block' })
  await page.route('**/assets/de-DE-*.json', route => route.fulfill({ json: marked }))
  const origin = app.listen()
  const found: string[] = []
  for (const { name, path } of pages.filter(({ path }) => !path.includes(':'))) {
    await page.goto(`${origin}/ui${path}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await settle(page)
    const words = await page.evaluate(wordsWithoutMark)
    const left = words.map(text => untranslated.reduce((rest, names) => rest.replace(names, ''), text))
    found.push(...left.filter(text => /\p{L}{2}/u.test(text)).map(text => `${name}: ${text}`))
  }
  expect(found).toEqual([])
}, 120_000)

/** The texts of a page, and those for screen readers, without what is marked. */
function wordsWithoutMark(): string[] {
  const texts: string[] = []
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) {
    const parent = walker.currentNode.parentElement
    if (!parent?.closest('script, style, code, kbd, time, [translate=no]'))
      texts.push(walker.currentNode.textContent ?? '')
  }
  for (const element of document.querySelectorAll('*'))
    for (const name of ['aria-label', 'title', 'alt', 'placeholder', 'aria-description'])
      texts.push(element.getAttribute(name) ?? '')
  return texts.map(text => {
    let [rest, before] = [text, '']
    // A marked text may be filled in with another.
    while (rest !== before) [before, rest] = [rest, rest.replace(/⟦[^⟦⟧]*⟧/g, '')]
    return rest.trim()
  })
}
