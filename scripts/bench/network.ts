import type { Browser, CDPSession, Page } from 'playwright-core'
import { median } from '../../test/support/measure'
import { observeVitals, painted, vitalsOf } from './vitals'

type Report = (name: string, value: string, wanted?: string) => void
type Load = { largestPaintMs: number; bytes: number; files: number }

const ROUNDS = 5
const viewport = { width: 1280, height: 800 }
const network = { offline: false, latency: 60, downloadThroughput: 20e6 / 8, uploadThroughput: 20e6 / 8 }

/** The home page of a library of 1,000 podcasts over a network of 20 Mbit/s and 60 ms, first and once more. */
export async function measureNetwork(browser: Browser, origin: string, report: Report) {
  const loads: Record<'cold' | 'warm', Load[]> = { cold: [], warm: [] }
  for (let round = 0; round < ROUNDS; round++) {
    const page = await browser.newPage({ viewport, locale: 'en-GB' })
    await observeVitals(page)
    const session = await page.context().newCDPSession(page)
    await session.send('Network.enable')
    await session.send('Network.emulateNetworkConditions', network)
    loads.cold.push(await load(page, session, origin))
    // Browsers write their cache once the page is left.
    await page.goto('about:blank')
    loads.warm.push(await load(page, session, origin))
    await page.context().close()
  }
  const of = (kind: 'cold' | 'warm', what: keyof Load) => median(loads[kind].map(each => each[what]))
  report(
    'home page over 20 Mbit/s and 60 ms, cold: largest paint',
    `${of('cold', 'largestPaintMs').toFixed(0)} ms`,
    '≤ 1,200 ms',
  )
  report('  warm', `${of('warm', 'largestPaintMs').toFixed(0)} ms`, '≤ 500 ms')
  report('  bytes, cold', `${(of('cold', 'bytes') / 1000).toFixed(0)} kB`, '≤ 450 kB')
  report('  bytes, warm', `${(of('warm', 'bytes') / 1000).toFixed(1)} kB`, '≤ 20 kB')
  report('  scripts, styles and texts, cold', `${of('cold', 'files')} files`, '< 30')
}

/** Loads the home page until nothing more is fetched. */
async function load(page: Page, session: CDPSession, origin: string): Promise<Load> {
  const found = { bytes: 0, files: 0 }
  const finished = ({ encodedDataLength }: { encodedDataLength: number }) => void (found.bytes += encodedDataLength)
  const asked = ({ request: { url } }: { request: { url: string } }) =>
    void (found.files += Number(/\/assets\//.test(url)))
  session.on('Network.loadingFinished', finished)
  session.on('Network.requestWillBeSent', asked)
  await page.goto(`${origin}/ui/home/view`)
  await page.locator('.episode').first().waitFor()
  await page.waitForLoadState('networkidle')
  await painted(page)
  session.off('Network.loadingFinished', finished)
  session.off('Network.requestWillBeSent', asked)
  return { ...found, largestPaintMs: (await vitalsOf(page)).largestPaintMs }
}
