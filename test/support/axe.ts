import axe from 'axe-core'
import type { Page } from 'playwright-core'

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** Lists what keeps people out of the page, one line each; runs in the debugger, so that the page's CSP stays on. */
export async function barriersIn(page: Page): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  const violations = await page.evaluate(async values => {
    const { axe } = window as unknown as { axe: typeof import('axe-core') }
    const found = await axe.run(document, {
      runOnly: { type: 'tag', values },
      resultTypes: ['violations'],
      // Only rules about media in the document and about locked orientation would want files fetched again.
      preload: false,
    })
    return found.violations
  }, tags)
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(
      ({ target, failureSummary = '' }) => `${id}: ${target.join(' ')}: ${failureSummary.replace(/\s+/g, ' ')}`,
    ),
  )
}
