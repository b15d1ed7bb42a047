import type { Page } from 'playwright-core'

// Inter is wider than the fonts of the browser's package, and near to what Apple's and Google's systems write with.

const folder = Bun.resolveSync('@fontsource-variable/inter/package.json', import.meta.dir).replace('package.json', '')
const subsets = { latin: 'U+0000-00FF, U+0131, U+0152-0153, U+2000-206F, U+20AC, U+2212', 'latin-ext': 'U+0100-02BA' }

type Fonts = readonly (readonly [data: string, unicodeRange: string])[]
let fonts: Promise<Fonts> | null = null
const readFonts = () =>
  (fonts ??= Promise.all(
    Object.entries(subsets).map(async ([name, range]) => {
      const bytes = await Bun.file(`${folder}files/inter-${name}-wght-normal.woff2`).bytes()
      return [bytes.toBase64(), range] as const
    }),
  ))

/** Runs in a page, whose CSP forbids no font that is made of bytes. */
function load(fonts: Fonts) {
  for (const [data, unicodeRange] of fonts) {
    const bytes = Uint8Array.from(atob(data), letter => letter.charCodeAt(0))
    document.fonts.add(new FontFace('Inter', bytes.buffer, { weight: '100 900', unicodeRange }))
  }
}

/** Has a page write with Inter while `look` looks at it. */
export async function withInter<T>(page: Page, look: () => Promise<T>): Promise<T> {
  if (!(await page.evaluate(() => [...document.fonts].some(({ family }) => family === 'Inter'))))
    await page.evaluate(load, await readFonts())
  await page.evaluate(async () => {
    document.documentElement.style.setProperty('--font', 'Inter, sans-serif')
    await document.fonts.ready
  })
  const seen = await look()
  await page.evaluate(() => void document.documentElement.style.removeProperty('--font'))
  return seen
}

/** Has a page write with Inter from its next document on. */
export async function beginWithInter(page: Page) {
  await page.addInitScript(load, await readFonts())
  await page.addInitScript(() => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(":root { --font: Inter, 'Noto Sans', sans-serif }")
    document.adoptedStyleSheets = [sheet]
  })
}
