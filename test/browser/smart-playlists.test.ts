import { afterAll, expect, test } from 'bun:test'
import { libraryFolder } from '../support/app'
import { layersGone, startBrowser } from '../support/browser'
import { rss, silentMp3 } from '../support/builders'
import { startExecutable } from '../support/executable'
import { startFeedHost } from '../support/feed-host'

const browser = await startBrowser()
afterAll(() => browser.close())

type Row = { podcastEpisode: { id: string; episode_id: string; name: string } }

const lengths: Record<string, number> = { Fog: 300, Lamps: 1200, Ropes: 5400 }

/** A library of one podcast with three episodes of different lengths. */
async function begin(viewport: { width: number; height: number }) {
  const host = startFeedHost()
  const running = await startExecutable({ DATA_DIRECTORY: libraryFolder(), DISK_RESERVE: '0' })
  // Downloads would tell the real lengths.
  const settings = { autoDownload: false, podcastPrefill: 0 }
  await fetch(`${running.origin}/api/v1/settings`, {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(settings),
  })
  const items = Object.entries(lengths).map(([title, seconds], index) => ({
    title,
    date: new Date(Date.UTC(2020, 2, 20 - index)).toUTCString(),
    enclosure: host.file(`/${title}.mp3`, silentMp3(60)),
    duration: String(seconds),
  }))
  const feed = host.feed('/a.xml', rss({ title: 'Lighthouse Radio', items }))
  const podcast = await running.api<{ id: string }>('/podcasts/feed', { rssFeedUrl: feed })
  const rows = await running.api<Row[]>(`/podcasts/${podcast.id}/episodes`)
  const episode = (name: string) => rows.find(row => row.podcastEpisode.name === name)!.podcastEpisode
  const page = await browser.newPage({ viewport, hasTouch: viewport.width < 768 })
  const end = async () => {
    await page.close()
    await running.stop()
    host[Symbol.dispose]()
  }
  return { running, podcast, episode, page, [Symbol.asyncDispose]: end }
}

test.each([
  ['wide', { width: 1440, height: 900 }],
  ['on a phone', { width: 390, height: 844 }],
])(
  'a playlist by rules is made from a template, previewed while it is edited, and follows what is played, %s',
  async (_, viewport) => {
    await using here = await begin(viewport)
    const { page, running, episode } = here
    await page.goto(`${running.origin}/ui/home/playlist`)
    await page.getByRole('button', { name: 'Add new' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Short ones')
    await page.getByRole('radio', { name: /By rules/ }).check()
    await page.keyboard.press('Enter')

    const dialog = page.getByRole('dialog')
    await page.locator('.wizard-progress:focus', { hasText: '2 of 3' }).waitFor()
    // The dialog grows with the first answer, and a press is lost if its button moves meanwhile.
    await dialog.getByText('Matching episodes: 3').waitFor()
    await dialog.getByRole('button', { name: 'Fresh and short' }).click()
    await dialog.getByText('Nothing matches at the moment.').waitFor()
    await dialog.getByRole('button', { name: 'Remove rule 2' }).click()
    await dialog.getByText('Matching episodes: 2').waitFor()
    const rule = dialog.getByRole('group', { name: 'Rule 2' })
    await rule.getByRole('spinbutton').fill('10')
    await dialog.getByText('Matching episodes: 1').waitFor()
    await rule.getByRole('spinbutton').fill('60')
    await dialog.getByText('Matching episodes: 2').waitFor()

    // A rule that does not say enough goes no further.
    await dialog.getByRole('button', { name: 'Add a rule' }).click()
    await dialog.getByRole('group', { name: 'Rule 3' }).getByLabel('What the rule is about').selectOption('Title')
    await dialog.getByText('Complete the rules to see what matches.').waitFor()
    expect(await dialog.getByRole('button', { name: 'Continue' }).isDisabled()).toBe(true)
    await dialog.getByRole('group', { name: 'Rule 3' }).getByLabel('Comparison').selectOption('does not contain')
    await dialog.getByRole('textbox', { name: 'words' }).fill('ropes')
    await dialog.getByText('Matching episodes: 2').waitFor()
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await dialog.getByText('“Short ones” fills itself by its rules.').waitFor()
    await dialog.getByRole('button', { name: 'Create playlist' }).click()
    await page.getByText('Playlist created').waitFor()

    await page.getByRole('link', { name: 'Short ones' }).click()
    await page.locator('.episode', { hasText: 'Fog' }).waitFor()
    await page.locator('.rules-note').getByText('Fills itself').waitFor()
    const played = { podcastEpisodeId: episode('Fog').episode_id, time: 300, total: 300, finished: true }
    await running.api('/podcasts/episode', played)
    await page.locator('.episode', { hasText: 'Fog' }).waitFor({ state: 'detached' })
    expect(await page.locator('.episode', { hasText: 'Lamps' }).count()).toBe(1)

    // It can be edited later, with the rules that it has.
    await page.getByRole('button', { name: 'Edit Short ones' }).click()
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await dialog.getByRole('button', { name: 'Remove rule 2' }).click()
    await dialog.getByText('Matching episodes: 1').waitFor()
    await dialog.getByRole('textbox', { name: 'words' }).fill('lamps')
    await dialog.getByText('Matching episodes: 1').waitFor()
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await dialog.getByRole('button', { name: 'Update playlist' }).click()
    await page.getByText('Playlist updated').waitFor()
    await page.locator('.episode', { hasText: 'Ropes' }).waitFor()
    await layersGone(page)
    await page.reload()
    await page.locator('.episode', { hasText: 'Ropes' }).waitFor()
    expect(await page.locator('.episode', { hasText: 'Lamps' }).count()).toBe(0)
  },
  120_000,
)

test('rules are not lost to a template or to another kind, and a number that is none goes no further', async () => {
  await using here = await begin({ width: 1440, height: 900 })
  const { page, running } = here
  await page.goto(`${running.origin}/ui/home/playlist`)
  await page.getByRole('button', { name: 'Add new' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Short ones')
  await dialog.getByRole('radio', { name: /By rules/ }).check()
  await dialog.getByRole('button', { name: 'Continue' }).click()
  const limit = dialog.getByRole('spinbutton', { name: 'Most episodes in the list' })
  await limit.fill('7')

  await dialog.getByRole('button', { name: 'Fresh and short' }).click()
  expect(await limit.inputValue()).toBe('50')
  await dialog.getByRole('status').getByRole('button', { name: 'Undo' }).click()
  expect(await limit.inputValue()).toBe('7')

  await dialog.getByRole('button', { name: 'Back' }).click()
  await dialog.getByRole('radio', { name: /Chosen/ }).check()
  await dialog.getByRole('radio', { name: /By rules/ }).check()
  await dialog.getByRole('button', { name: 'Continue' }).click()
  expect(await limit.inputValue()).toBe('7')

  // A template over a template loses nothing, so nothing is said.
  await dialog.getByRole('button', { name: 'Fresh and short' }).click()
  await dialog.getByRole('button', { name: 'Back' }).click()
  await dialog.getByText('has replaced your rules').waitFor({ state: 'detached' })
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await dialog.getByRole('button', { name: 'Bedtime' }).click()
  await dialog.getByRole('group', { name: 'Rule 4' }).waitFor()
  expect(await dialog.getByRole('button', { name: 'Undo' }).count()).toBe(0)

  await limit.fill('9999')
  await dialog.getByRole('button', { name: 'Continue' }).click()
  expect(await limit.evaluate((input: HTMLInputElement) => input.matches(':focus:invalid'))).toBe(true)
  await limit.fill('9')
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await dialog.getByText('“Short ones” fills itself by its rules.').waitFor()
}, 120_000)
