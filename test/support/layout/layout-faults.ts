import { join } from 'node:path'
import type { Page } from 'playwright-core'

let source: string | null = null

async function script(): Promise<string> {
  if (source !== null) return source
  const built = await Bun.build({
    entrypoints: [join(import.meta.dir, 'in-page.ts')],
    target: 'browser',
    format: 'iife',
  })
  return (source = await built.outputs[0]!.text())
}

/**
 * Lists what lies where it should not: controls outside the page, cut off, covered or too close for fingers, text that
 * is cut off, a page that is too wide. One line each, with the rectangle as left, top, width and height.
 */
export const layoutFaultsIn = (page: Page) => ask(page, 'findLayoutFaults')

/** Lists what is chosen and does not look it, and what has no ring in the focus. */
export const stateFaultsIn = (page: Page) => ask(page, 'findStateFaults')

/** Lists what would move although the system asks for less motion. */
export const motionIn = (page: Page) => ask(page, 'findMotion')

async function ask(page: Page, name: 'findLayoutFaults' | 'findStateFaults' | 'findMotion'): Promise<string[]> {
  if (!(await page.evaluate(() => 'findLayoutFaults' in window))) await page.evaluate(await script())
  return page.evaluate(which => window[which](), name)
}
