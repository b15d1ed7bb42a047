import type { Page } from 'playwright-core'
import { median, percentile } from '../../test/support/measure'
import { interactionsOf, layoutShift, painted, vitalsOf, type Vitals } from './vitals'
import { walk } from './walk'

type Report = (name: string, value: string, wanted?: string) => void

const WALKS = 3

/** Walks through the interface several times and reports medians, so that one busy moment does not count. */
export async function measureWalk(openPage: () => Promise<Page>, how: string, report: Report) {
  const worst = walk.map(() => [] as number[])
  const moved = walk.map(() => 0)
  const durations: number[] = []
  const shifts: number[] = []
  for (let round = 0; round < WALKS; round++) {
    const { begun, vitals } = await walkOnce(openPage)
    const stepAt = (moment: number) => begun.findLastIndex(began => began <= moment)
    const longest = walk.map(() => 0)
    for (const { at, ms } of interactionsOf(vitals.events)) {
      longest[stepAt(at)] = Math.max(longest[stepAt(at)]!, ms)
      durations.push(ms)
    }
    longest.forEach((ms, step) => worst[step]!.push(ms))
    for (const { at, value } of vitals.shifts) if (stepAt(at) >= 0) moved[stepAt(at)]! += value / WALKS
    shifts.push(layoutShift(vitals.shifts))
  }
  const slowest = walk.map(({ name }, step) => ({ name, ms: median(worst[step]!) })).toSorted((a, b) => b.ms - a.ms)
  report(`interaction to next paint ${how}, the worst of ${walk.length} steps`, `${slowest[0]!.ms} ms`, '≤ 150 ms')
  for (const { name, ms } of slowest.slice(0, 3)) report(`  ${name}`, `${ms} ms`)
  report('  of all that happened, p98', `${percentile(durations, 0.98)} ms`, '≤ 150 ms')
  report('  and p50', `${median(durations)} ms`)
  report('cumulative layout shift of the walk', Math.max(...shifts).toFixed(4), '< 0.01')
  const most = Math.max(...moved)
  if (most > 0) report(`  most of it: ${walk[moved.indexOf(most)]!.name}`, most.toFixed(4))
}

/** When each step began, in milliseconds of the page, and what the browser measured. */
async function walkOnce(openPage: () => Promise<Page>): Promise<{ begun: number[]; vitals: Vitals }> {
  const page = await openPage()
  await page.locator('.episode').first().waitFor()
  await page.waitForLoadState('networkidle')
  const begun: number[] = []
  for (const { run } of walk) {
    begun.push(await page.evaluate(() => performance.now()))
    await run(page)
    await painted(page)
  }
  // Late content moves what is there.
  await page.waitForLoadState('networkidle')
  const vitals = await vitalsOf(page)
  await page.context().close()
  return { begun, vitals }
}
