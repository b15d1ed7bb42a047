import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { goodPassword } from '../support/app'
import { startBrowser } from '../support/browser'
import { startClipLibrary } from '../support/clip-library'
import { listen } from '../support/listen'
import { toneAdts, toneM4a, toneMp3 } from '../support/tones'

const browser = await startBrowser()
let library: Awaited<ReturnType<typeof startClipLibrary>>
let origin: string

beforeAll(async () => {
  library = await startClipLibrary({ title: 'Fog', file: toneMp3(60) })
  const { store, indexer } = library.app.context
  const row = store.episodes.findByEid(library.eid)!
  const segments = Array.from({ length: 12 }, (_, index) => ({
    startMs: index * 5000,
    endMs: (index + 1) * 5000,
    speaker: 'Mara',
    text: `Sentence number ${index}.`,
  }))
  store.documents.addGenerated(
    row.id,
    { language: 'en', type: 'text/vtt', body: Buffer.from('WEBVTT'), segments, model: null },
    1,
  )
  await indexer.run()
  origin = library.app.listen()
}, 120_000)
afterAll(async () => {
  await browser.close()
  await library[Symbol.asyncDispose]()
})

/** Numbers of pitches as they are heard, one for each tenth of a second: which, and for how many tenths. */
function runsOf(heard: readonly (number | null)[]): [number, number][] {
  const runs: [number, number][] = []
  for (const pitch of heard) {
    const last = runs.at(-1)
    if (pitch === null) continue
    if (last?.[0] === pitch) last[1]++
    else runs.push([pitch, 1])
  }
  return runs
}

test.each([
  ['MP3', 'mp3', 'audio/mpeg', toneMp3(12)],
  ['MP3 whose frames use bits of those before', 'mp3', 'audio/mpeg', toneMp3(12, { back: 400 })],
  [
    'MP3 of several bit rates with check sums',
    'mp3',
    'audio/mpeg',
    toneMp3(12, { rates: [3, 5, 9, 4], back: 300, hasCheck: true }),
  ],
  ['bare AAC', 'aac', 'audio/aac', toneAdts(12)],
  ['AAC in MP4', 'm4a', 'audio/mp4', toneM4a(12)],
  ['AAC in MP4 with its tables in front', 'm4a', 'audio/mp4', toneM4a(12, { inChunk: 7, soundLast: true, wide: true })],
])(
  'a browser hears the passage, and nothing else, in a clip of %s',
  async (_, extension, type, file) => {
    await using own = await startClipLibrary({ file, type, extension })
    const clip = await own.anna.clips.cut(own.episode, 4.5, 8)
    const page = await browser.newPage()
    await page.goto('about:blank')
    const { seconds, heard } = await listen(page, new Uint8Array(await clip.arrayBuffer()))
    await page.close()
    // A frame more at each end, and at most a tenth of a second of nothing before the first.
    expect(seconds).toBeGreaterThanOrEqual(3.5)
    expect(seconds).toBeLessThan(3.65)
    // The second half of second 4, seconds 5, 6 and 7; each second has the pitch of its number by three.
    const runs = runsOf(heard)
    expect(runs.map(([pitch]) => pitch)).toEqual([1, 2, 0, 1])
    const wanted = [5, 10, 10, 10]
    for (const [index, [, tenths]] of runs.entries()) expect(Math.abs(tenths - wanted[index]!)).toBeLessThanOrEqual(1)
  },
  120_000,
)

async function openPlayer(size: { width: number; height: number }): Promise<Page> {
  const context = await browser.newContext({
    viewport: size,
    acceptDownloads: true,
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  const page = await context.newPage()
  await page.goto(`${origin}/ui/podcasts/${library.podcast}/episodes`)
  await page.getByLabel('Username').fill('anna')
  await page.getByLabel('Password').fill(goodPassword)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('button', { name: 'Play Fog' }).first().click()
  await page
    .getByRole('region', { name: 'Player' })
    .getByRole('button', { name: /^Full screen|^Player: / })
    .filter({ visible: true })
    .first()
    .click()
  await page.getByRole('button', { name: 'Share', exact: true }).click()
  await page.getByRole('dialog', { name: 'Share' }).waitFor()
  return page
}

test('a passage is chosen by its lines, heard, saved, and shown to a stranger until its owner ends it', async () => {
  const page = await openPlayer({ width: 1440, height: 900 })
  const dialog = page.getByRole('dialog', { name: 'Share' })
  await dialog.getByRole('button', { name: 'Passage' }).click()
  const line = (number: number) => dialog.getByRole('button', { name: `Sentence number ${number}.` })
  await line(3).click()
  await line(3).click()
  await line(4).click()
  expect(await dialog.getByRole('group', { name: 'Start' }).getByRole('status').innerText()).toBe('00:15')
  expect(await dialog.getByRole('group', { name: 'End' }).getByRole('status').innerText()).toBe('00:25')
  await dialog.getByRole('button', { name: 'Copy text' }).click()
  const text = await page.evaluate(() => navigator.clipboard.readText())
  expect(text).toBe(
    `“Sentence number 3. Sentence number 4.”\nFog – Lighthouse (00:15–00:25)\n${origin}/ui/podcasts/${library.podcast}/episodes/${library.episode}?t=15`,
  )

  await dialog.getByRole('button', { name: 'Listen to clip' }).click()
  const audio = dialog.getByLabel('Preview of the clip')
  await audio.evaluate((element: HTMLAudioElement) =>
    element.readyState >= 1 ? null : new Promise(resolve => element.addEventListener('loadedmetadata', resolve)),
  )
  expect(await audio.evaluate((element: HTMLAudioElement) => element.duration)).toBeCloseTo(10, 0)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Save clip' }).click(),
  ])
  expect(download.suggestedFilename()).toBe('Fog (00-15_00-25).mp3')

  await dialog.getByText('Public page').click()
  await dialog.getByLabel('Title').fill('Asleep at the lamp')
  await dialog.getByRole('button', { name: 'Make page' }).click()
  const url = await dialog.getByLabel('Address of the page').inputValue()
  expect(url).toStartWith(`${origin}/clip/`)

  const stranger = await (await browser.newContext({ viewport: { width: 390, height: 844 } })).newPage()
  const complaints: string[] = []
  stranger.on('console', message => complaints.push(message.text()))
  await stranger.goto(url)
  await stranger.getByRole('heading', { name: 'Asleep at the lamp' }).waitFor()
  await stranger.getByText('Sentence number 3. Sentence number 4.').waitFor()
  const sound = stranger.locator('audio')
  await sound.evaluate((element: HTMLAudioElement) => element.play())
  expect(await sound.evaluate((element: HTMLAudioElement) => element.duration)).toBeCloseTo(10, 0)
  expect(complaints).toEqual([])

  await page.goto(`${origin}/ui/profile`)
  const row = page.getByRole('row', { name: /Asleep at the lamp/ })
  await row.getByRole('button', { name: /^End/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'End now' }).click()
  await page.getByText('Nothing of yours is public.').waitFor()
  expect((await stranger.goto(url))!.status()).toBe(404)
  await stranger.context().close()
  await page.context().close()
}, 120_000)

for (const [width, height] of [
  [390, 844],
  [844, 390],
] as const)
  test(`what shares a passage is in view at ${width} × ${height}, wherever its dialog is scrolled to`, async () => {
    const page = await openPlayer({ width, height })
    const dialog = page.getByRole('dialog', { name: 'Share' })
    const isInView = async (name: string) => {
      const box = (await dialog.getByRole('button', { name }).boundingBox())!
      return box.y >= 0 && box.y + box.height <= height
    }
    await dialog.getByRole('button', { name: 'Passage' }).click()
    await dialog.getByRole('button', { name: 'Sentence number 2.' }).waitFor()
    expect(await isInView('Copy link')).toBe(true)
    await dialog.getByText('Public page').click()
    await dialog.getByRole('button', { name: 'Make page' }).waitFor()
    await dialog.getByRole('button', { name: 'Sentence number 2.' }).scrollIntoViewIfNeeded()
    expect(await isInView('Make page')).toBe(true)
    await page.context().close()
  }, 120_000)

test('on a phone a passage is set by taps while it plays, and moved by seconds', async () => {
  const page = await openPlayer({ width: 390, height: 844 })
  const dialog = page.getByRole('dialog', { name: 'Share' })
  await dialog.getByRole('button', { name: 'Passage' }).click()
  const border = (name: string) => dialog.getByRole('group', { name })
  const timeOf = async (name: string) => border(name).getByRole('status').innerText()
  await dialog.getByRole('button', { name: 'Sentence number 2.' }).click()
  expect(await timeOf('End')).toBe('00:15')
  await border('End').getByRole('button', { name: 'One second later' }).click()
  expect(await timeOf('End')).toBe('00:16')
  await border('End').getByRole('button', { name: 'A tenth of a second later' }).click()
  expect(await timeOf('End')).toBe('00:16.1')
  await border('End').getByRole('button', { name: 'A tenth of a second earlier' }).click()
  expect(await timeOf('End')).toBe('00:16')
  // The chosen lines come into sight, whatever moved the borders.
  for (let second = 0; second < 30; second++)
    await border('Start').getByRole('button', { name: 'One second later' }).click()
  const list = dialog.getByRole('group', { name: 'Lines of the transcript' })
  const isInSight = (number: number) =>
    list.evaluate((box, text) => {
      const line = [...box.children].find(one => one.textContent!.includes(text))!.getBoundingClientRect()
      const frame = box.getBoundingClientRect()
      return line.top >= frame.top && line.bottom <= frame.bottom
    }, `Sentence number ${number}.`)
  await border('End').getByRole('button', { name: 'One second later' }).click({ clickCount: 10 })
  const chosen = await list.locator('[aria-pressed=true]').first().innerText()
  expect(await isInSight(Number(/number (\d+)/.exec(chosen)![1]))).toBe(true)
  await border('End').getByRole('button', { name: 'Now' }).click()
  expect(await timeOf('End')).not.toBe('00:16')
  await page.context().close()
}, 120_000)
