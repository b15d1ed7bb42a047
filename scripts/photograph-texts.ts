import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { startBrowser } from '../test/support/browser'
import { startExecutable } from '../test/support/executable'
import type { Fault } from '../test/support/faults'
import { layers } from '../test/support/layers'
import { isAt, pages, PHONE, type Screen } from '../test/support/screens'
import { plantSmallLibrary, startLibraryHosts } from '../test/support/small-library'
import { startVisits } from '../test/support/visits'

/** A place in a picture, in its pixels. */
type Tag = { key: string; position: { x: number; y: number; width: number; height: number } }
export type Picture = { file: string; tags: readonly Tag[] }

// Each text arrives with its number in signs that the page takes out again.
const [zero, one] = ['\u200B', '\u00AD']
const DIGITS = 12

/** Marks every text with its number, in the order of the keys. */
export const markTexts = (texts: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(texts).map(([key, text], index) => {
      const digits = index.toString(2).padStart(DIGITS, '0')
      return [key, text + digits.replaceAll('0', zero).replaceAll('1', one)]
    }),
  )

/** Reads the numbers of the texts that something shown is made of. */
export const marksIn = (shown: string): number[] =>
  [...shown.matchAll(/[\u200B\u00AD]{12}/g)].map(([marks]) =>
    Number.parseInt(marks.replaceAll(zero, '0').replaceAll(one, '1'), 2),
  )

const account = { BASIC_AUTH: 'true', USERNAME: 'root', PASSWORD: 'Sup3rSecret' }
const sizes = [
  { width: 1440, height: 1200, hasTouch: false },
  { width: 390, height: 1200, hasTouch: true },
]

/**
 * Photographs the screens and layers into a folder, a phone's only where wider screens have none. Returns the pictures
 * with the keys of the texts that they show, and what went wrong.
 */
export async function photographTexts(texts: Record<string, string>, folder: string) {
  rmSync(folder, { recursive: true, force: true })
  const data = mkdtempSync(join(tmpdir(), 'castellan-texts-'))
  const env = { DISK_RESERVE: '0', ALLOWED_NETWORKS: '127.0.0.0/8' }
  const keys = Object.keys(texts)
  using hosts = await startLibraryHosts()
  await using full = await startExecutable({ ...env, ...account, DATA_DIRECTORY: join(data, 'full') })
  await using bare = await startExecutable({ ...env, DATA_DIRECTORY: join(data, 'bare') })
  const browser = await startBrowser()
  const pictures: Picture[] = []
  const found: Fault[] = []
  try {
    const { origin } = full
    const { USERNAME, PASSWORD } = account
    const authorization = `Basic ${btoa(`${USERNAME}:${PASSWORD}`)}`
    const visits = await startVisits(browser, {
      places: await plantSmallLibrary(hosts, origin, authorization),
      member: origin,
      stranger: origin,
      newcomer: bare.origin,
      credentials: [USERNAME, PASSWORD],
    })
    // English is part of the first load, so its texts take the place of another language's.
    const language = { code: 'da', texts: markTexts(texts) }
    for (const { width, height, hasTouch } of sizes) {
      let name = ''
      const named = ({ open, ...screen }: Screen): Screen => ({
        ...screen,
        async open(page, places) {
          name = screen.name
          await open?.(page, places)
        },
      })
      const wanted = [...pages, ...layers].filter(
        screen => isAt(screen, width) && (width >= PHONE || screen.below !== undefined),
      )
      const looking = { viewport: { width, height }, hasTouch, language, prepare }
      await visits.all(wanted.map(named), looking, found, async page => {
        const file = `${name}.png`
        await Bun.write(join(folder, file), await page.screenshot({ animations: 'disabled' }))
        pictures.push({ file, tags: await tagsIn(page, keys) })
        return []
      })
    }
  } finally {
    await browser.close()
    rmSync(data, { recursive: true, force: true })
  }
  return { pictures, found }
}

type Marked = { marks: string; plain: string }
declare global {
  interface Window {
    /** Marks by node, and by element and attribute, with the text that was left without them. */
    textMarks: WeakMap<Node, Map<string, Marked>>
  }
}

/** Takes the marks out of a document as they arrive, since some have a width, and remembers where they were. */
function takeMarks() {
  const named = ['aria-label', 'placeholder', 'title']
  window.textMarks = new WeakMap()
  const take = (node: Node, name: string, text: string | null, write: (plain: string) => void) => {
    const known = window.textMarks.get(node) ?? new Map<string, Marked>()
    if (text === null || known.get(name)?.plain === text) return
    const marks = text.replace(/[^\u200B\u00AD]/g, '')
    const plain = text.replace(/[\u200B\u00AD]/g, '')
    window.textMarks.set(node, known.set(name, { marks, plain }))
    if (marks !== '') write(plain)
  }
  const look = (node: Node) => {
    if (node instanceof Text) take(node, '', node.data, plain => (node.data = plain))
    if (!(node instanceof Element)) return
    for (const name of named) take(node, name, node.getAttribute(name), plain => node.setAttribute(name, plain))
    for (const child of node.childNodes) look(child)
  }
  const observer = new MutationObserver(changes => {
    for (const { type, target, addedNodes } of changes)
      (type === 'childList' ? [...addedNodes] : [target]).forEach(look)
  })
  observer.observe(document, {
    subtree: true,
    childList: true,
    characterData: true,
    attributeFilter: named,
  })
}

/** Formats dates and numbers as English ones, whatever the language. */
function formatAsEnglish() {
  for (const name of ['DateTimeFormat', 'NumberFormat', 'RelativeTimeFormat', 'ListFormat']) {
    const english = (type: object, [, ...more]: unknown[]) =>
      Reflect.construct(type as new () => object, ['en-GB', ...more]) as object
    const type = Reflect.get(Intl, name) as new () => object
    Reflect.set(Intl, name, new Proxy(type, { construct: english, apply: (of, _, given) => english(of, given) }))
  }
}

const prepared = new WeakSet<Page>()

/** Loads the page once more, with what takes the marks out. */
async function prepare(page: Page) {
  if (prepared.has(page)) return
  prepared.add(page)
  await page.addInitScript(takeMarks)
  await page.addInitScript(formatAsEnglish)
  await page.reload()
  await page.locator('h1').first().waitFor({ state: 'attached' })
}

/** Lists the texts that are shown on top, or that name something shown, with their boxes. */
async function tagsIn(page: Page, keys: readonly string[]): Promise<Tag[]> {
  const shown = await page.evaluate(() => {
    const found: { marks: string; position: Tag['position'] }[] = []
    const add = (node: Node, element: Element, { x, y, width, height }: DOMRect) => {
      const marks = [...(window.textMarks.get(node)?.values() ?? [])].map(one => one.marks).join('')
      if (marks === '' || width === 0 || height === 0 || !element.checkVisibility()) return
      const top = document.elementFromPoint(x + width / 2, y + height / 2)
      if (!top || !(element.contains(top) || top.contains(element))) return
      const round = Math.round
      found.push({ marks, position: { x: round(x), y: round(y), width: round(width), height: round(height) } })
    }
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT)
    while (walker.nextNode()) {
      const node = walker.currentNode
      if (node instanceof Element) add(node, node, node.getBoundingClientRect())
      else {
        const range = document.createRange()
        range.selectNodeContents(node)
        add(node, node.parentElement!, range.getBoundingClientRect())
      }
    }
    return found
  })
  const tags = shown.flatMap(({ marks, position }) => marksIn(marks).map(index => ({ key: keys[index], position })))
  const known = tags.filter((tag): tag is Tag => tag.key !== undefined)
  return [...new Map(known.map(tag => [tag.key, tag])).values()]
}
