import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { libraryFolder } from '../support/app'
import { startBrowser } from '../support/browser'
import { inBucket } from '../support/bucket'
import { rss, wav } from '../support/builders'
import { startExecutable } from '../support/executable'
import { startFeedHost } from '../support/feed-host'
import { startS3Server } from '../support/s3-server'

const host = startFeedHost()
const s3 = await startS3Server()
const browser = await startBrowser()
let running: Awaited<ReturnType<typeof startExecutable>>

beforeAll(async () => {
  const env = { DATA_DIRECTORY: libraryFolder(), DISK_RESERVE: '0', S3_REDIRECT: 'true' }
  running = await startExecutable({ ...env, ...(inBucket(s3) as Record<string, string>) })
  const enclosure = host.file('/tone.wav', wav([[120, 'tone']]), { type: 'audio/wav' })
  const items = [{ title: 'Tone', enclosure, type: 'audio/wav', duration: '120' }]
  await running.api('/podcasts/feed', { rssFeedUrl: host.feed('/feed.xml', rss({ items })) })
  type Timeline = { data: { podcast_episode: { status: boolean } }[] }
  while (!(await running.api<Timeline>('/podcasts/timeline')).data[0]?.podcast_episode.status) await Bun.sleep(50)
})
afterAll(async () => {
  await browser.close()
  await running.stop()
  host.stop()
  s3[Symbol.dispose]()
})

const bar = (page: Page) => page.getByRole('region', { name: 'Player' })
const position = (page: Page) => bar(page).getByRole('slider', { name: 'Position' })
const isRead = ({ method, key }: { method: string; key: string | null }) => method === 'GET' && key !== null
/** Reads by the page, which has no key of the bucket; and by the server. */
const reads = () => {
  const all = s3.requests.filter(isRead)
  const ofPage = all.filter(({ headers }) => !headers.has('authorization'))
  return { ofPage: ofPage.length, ofServer: all.length - ofPage.length }
}

async function play(volume = 100) {
  s3.forgetRequests()
  const page = await browser.newPage()
  await page.addInitScript(volume => localStorage.setItem('player.volume', volume), String(volume))
  const errors: string[] = []
  page.on('console', message => message.type() === 'error' && errors.push(message.text()))
  await page.goto(`${running.origin}/ui/timeline`)
  await page.getByRole('button', { name: 'Play Tone', exact: true }).first().click()
  await hasPassed(page, 0)
  return { page, errors }
}
async function hasPassed(page: Page, seconds: number) {
  while (Number(await position(page).inputValue()) <= seconds) await Bun.sleep(50)
}

test('the page plays from the bucket, and through the server as soon as its amplifier is needed', async () => {
  const { page, errors } = await play()
  expect(reads()).toEqual({ ofPage: expect.any(Number), ofServer: 0 })
  expect(reads().ofPage).toBeGreaterThan(0)

  const before = Number(await position(page).inputValue())
  await bar(page).getByRole('slider', { name: 'Volume' }).fill('200')
  while (reads().ofServer === 0) await Bun.sleep(50)
  await hasPassed(page, before + 1)
  await bar(page).getByRole('button', { name: 'Pause', exact: true }).waitFor()
  expect(errors).toEqual([])
  await page.context().close()
})

test('the page plays through the server from the start if it is to be louder than usual', async () => {
  const { page, errors } = await play(200)
  expect(reads()).toEqual({ ofPage: 0, ofServer: expect.any(Number) })
  expect(errors).toEqual([])
  await page.context().close()
})

test('the page plays through the server if the volume is levelled, with no word of complaint', async () => {
  const choose = (levelVolume: boolean) =>
    fetch(`${running.origin}/api/v1/users/me/skipLengths`, {
      method: 'PUT',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ back: 30, forward: 30, levelVolume }),
    })
  await choose(true)
  const { page, errors } = await play()
  while (reads().ofServer === 0) await Bun.sleep(50)
  await hasPassed(page, Number(await position(page).inputValue()) + 1)
  await bar(page).getByRole('button', { name: 'Pause', exact: true }).waitFor()
  expect(errors).toEqual([])
  await choose(false)
  await page.context().close()
})

test('the page plays through the server if it cannot reach the bucket', async () => {
  const fault = s3.fail(
    { kind: 'refuse', status: 403, code: 'AccessDenied' },
    { when: request => isRead(request) && !request.headers.has('authorization') },
  )
  const { page } = await play()
  expect(fault.met()).toBeGreaterThan(0)
  expect(reads().ofServer).toBeGreaterThan(0)
  fault.off()
  await page.context().close()
})
