import axe from 'axe-core'
import type { Page } from 'playwright-core'

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** Rules whose result differs between the light and the dark. */
export const colourRules = ['color-contrast', 'link-in-text-block']

/**
 * Lists what keeps people out of the page, one line each; runs in the debugger, so that the page's CSP stays on.
 * `only`: the rules to look at, where all else has been looked at before.
 */
export async function barriersIn(page: Page, only: readonly string[] | null = null): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  const runOnly = only ? { type: 'rule' as const, values: [...only] } : { type: 'tag' as const, values: tags }
  const violations = await page.evaluate(async runOnly => {
    const { axe } = window as unknown as { axe: typeof import('axe-core') }
    const found = await axe.run(document, {
      runOnly,
      // People who speak to the browser say what they see.
      ...(runOnly.type === 'tag' && { rules: { 'label-content-name-mismatch': { enabled: true } } }),
      resultTypes: ['violations'],
      // Only rules about media in the document and about locked orientation would want files fetched again.
      preload: false,
    })
    return found.violations
  }, runOnly)
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(
      ({ target, failureSummary = '' }) => `${id}: ${target.join(' ')}: ${failureSummary.replace(/\s+/g, ' ')}`,
    ),
  )
}
