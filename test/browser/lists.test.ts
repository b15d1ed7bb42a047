import { afterAll, expect, test } from 'bun:test'
import { libraryFolder } from '../support/app'
import { startBrowser } from '../support/browser'
import { rss, silentMp3 } from '../support/builders'
import { startExecutable } from '../support/executable'
import { startFeedHost } from '../support/feed-host'

const browser = await startBrowser()
afterAll(() => browser.close())

type Row = { podcastEpisode: { id: string; episode_id: string; name: string }; podcastHistoryItem: unknown }

const dates: Record<string, string> = { Fog: '2020-03-20', Lamps: '2020-03-10', Ropes: '2020-02-10' }

/** A library of one podcast: two episodes of March and one of February, long ago. */
async function begin(title = 'Lighthouse Radio') {
  const host = startFeedHost()
  const running = await startExecutable({ DATA_DIRECTORY: libraryFolder(), DISK_RESERVE: '0' })
  const items = Object.entries(dates).map(([title, date]) => ({
    title,
    date: new Date(`${date}T12:00:00Z`).toUTCString(),
    enclosure: host.file(`/${title}.mp3`, silentMp3(60)),
    duration: '60',
  }))
  const feed = host.feed('/a.xml', rss({ title, items }))
  const podcast = await running.api<{ id: string }>('/podcasts/feed', { rssFeedUrl: feed })
  const rows = await running.api<Row[]>(`/podcasts/${podcast.id}/episodes`)
  const episode = (name: string) => rows.find(row => row.podcastEpisode.name === name)!.podcastEpisode
  const page = await browser.newPage({ viewport: { width: 390, height: 844 }, hasTouch: true })
  const end = async () => {
    await page.close()
    await running.stop()
    host[Symbol.dispose]()
  }
  return { running, podcast, episode, page, [Symbol.asyncDispose]: end }
}

test('the timeline marks everything above a heading as played in two taps, takes it back, and queues a month', async () => {
  await using here = await begin()
  const { page, running } = here
  await page.goto(`${running.origin}/ui/timeline`)
  await page.getByRole('heading', { level: 3, name: 'March 2020 2 episodes · 2 min' }).waitFor()
  await page.getByRole('button', { name: 'More options for February 2020' }).tap()
  await page.getByRole('menuitem', { name: 'Mark everything above as played' }).tap()
  await page.getByText('2 episodes marked as played').waitFor()
  await page.getByRole('button', { name: 'Not played' }).tap()
  await page.getByRole('heading', { name: /^March 2020/ }).waitFor({ state: 'detached' })
  await page.getByRole('heading', { name: 'February 2020 1 episode · 1 min' }).waitFor()
  await page.getByRole('button', { name: 'Undo' }).tap()
  await page.getByRole('heading', { name: /^March 2020/ }).waitFor()

  await page.getByRole('button', { name: 'More options for March 2020' }).tap()
  expect(await page.getByRole('menuitem', { name: 'Mark everything above as played' }).count()).toBe(0)
  await page.getByRole('menuitem', { name: 'Add all to queue' }).tap()
  await page.getByText('2 episodes added to the queue').waitFor()
  const { items } = await running.api<{ items: Row[] }>('/queue')
  expect(items.map(item => item.podcastEpisode.name)).toEqual(['Fog', 'Lamps'])
}, 120_000)

test('a row shows its whole length beside a long name, and marks without words stand beside the title', async () => {
  await using here = await begin('The Remarkably Long Name of a Podcast by the Committee for the Sea')
  const { page, running, podcast, episode } = here
  await running.api('/podcasts/episodes/batch/new', { episodes: [episode('Fog').id], isNew: true })
  await page.goto(`${running.origin}/ui/timeline`)
  const facts = page.locator('.episode', { hasText: 'Fog' }).locator('.episode-facts')
  const isCut = (part: string) =>
    facts.locator(part).evaluate(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
  await facts.waitFor()
  expect([
    await isCut('.fact-list > .fact:first-child > .truncate'),
    await isCut('.episode-short > .truncate'),
  ]).toEqual([true, false])

  await page.setViewportSize({ width: 1280, height: 800 })
  await page.goto(`${running.origin}/ui/podcasts/${podcast.id}/episodes`)
  const middleOf = (part: string) =>
    page
      .locator('.episode', { hasText: 'Fog' })
      .locator(part)
      .evaluate(element => {
        const { top, bottom } = element.getBoundingClientRect()
        return Math.round((top + bottom) / 2)
      })
  await page.getByRole('button', { name: 'Fog', exact: true }).waitFor()
  expect(Math.abs((await middleOf('h3')) - (await middleOf('.new-dot')))).toBeLessThanOrEqual(2)
}, 120_000)

test('what is in progress goes on with one tap on the home page', async () => {
  await using here = await begin()
  const { page, running, episode } = here
  await running.api('/podcasts/episode', { podcastEpisodeId: episode('Lamps').episode_id, time: 20, total: 60 })
  await page.goto(`${running.origin}/ui/home/view`)
  await page.getByRole('button', { name: 'Resume · 1 min left' }).tap()
  await page.getByRole('button', { name: 'Pause · 1 min left' }).waitFor()
}, 120_000)

test('a bookmark is found again, plays from its moment, and comes back after it was removed', async () => {
  await using here = await begin()
  const { page, running, episode } = here
  await running.api('/bookmarks', { episode: episode('Fog').id, time: 30, note: 'the lamp' })
  await page.goto(`${running.origin}/ui/episodes/liked`)
  await page.getByText('Episodes that you like are listed here.').waitFor()
  await page.getByRole('link', { name: 'Bookmarked 1' }).tap()
  await page.getByRole('button', { name: 'Play from 00:30: the lamp' }).tap()
  await page.getByRole('region', { name: 'Player' }).getByText('Fog').first().waitFor()
  await page.getByRole('button', { name: 'More options for the bookmark at 00:30' }).tap()
  await page.getByRole('menuitem', { name: 'Delete bookmark' }).tap()
  await page.getByText('No bookmarks yet.').waitFor()
  await page.getByRole('button', { name: 'Undo' }).tap()
  await page.getByRole('link', { name: 'the lamp' }).waitFor()
}, 120_000)

test('bookmarks are saved as Markdown, all of them or those of one episode', async () => {
  await using here = await begin()
  const { page, running, episode } = here
  await running.api('/bookmarks', { episode: episode('Fog').id, time: 30, note: 'the lamp' })
  await running.api('/bookmarks', { episode: episode('Lamps').id, time: 5 })
  await page.goto(`${running.origin}/ui/episodes/bookmarked`)
  const saved = async (press: () => Promise<void>) => {
    const download = page.waitForEvent('download')
    await press()
    const file = await download
    expect(file.suggestedFilename()).toBe('bookmarks.md')
    return Bun.file(await file.path()).text()
  }
  const all = await saved(() => page.getByRole('button', { name: 'Save as Markdown' }).tap())
  expect(all).toContain('## Lamps')
  expect(all).toContain(`/episodes/${episode('Fog').id}?t=30) the lamp`)
  await page.getByRole('button', { name: 'More options for the bookmark at 00:30' }).tap()
  const one = await saved(() => page.getByRole('menuitem', { name: 'Save the bookmarks of this episode' }).tap())
  expect(one).toContain('## Fog')
  expect(one).not.toContain('## Lamps')
}, 120_000)

test('a playlist is played from the list of playlists in one tap, its first episode first', async () => {
  await using here = await begin()
  const { page, running, episode } = here
  const items = ['Lamps', 'Fog'].map(name => ({ episode: episode(name).id }))
  await running.api('/playlist', { name: 'On the train', items })
  await page.goto(`${running.origin}/ui/home/playlist`)
  await page.getByRole('button', { name: 'Play On the train' }).tap()
  await page.getByRole('region', { name: 'Player' }).getByText('Lamps').first().waitFor()
  await page.getByText('1 more in the queue').waitFor()
  // The list begins with it from now on.
  const hero = page.getByRole('region', { name: 'On the train' })
  await page.reload()
  await hero.getByText('episode 1 of 2').waitFor()
  await hero.getByText(/^2 episodes · 2 min left, ends about/).waitFor()
  await hero.getByRole('button', { name: 'Continue' }).waitFor()
  const queue = await running.api<{ items: Row[] }>('/queue')
  expect(queue.items.map(item => item.podcastEpisode.name)).toEqual(['Fog'])
}, 120_000)

test('the page and the menu of playlists read the episodes of the one that is edited, deleted or added to', async () => {
  await using here = await begin()
  const { page, running, episode } = here
  const asked: string[] = []
  page.on('request', request => asked.push(new URL(request.url()).pathname))
  const { id } = await running.api<{ id: string }>('/playlist', {
    name: 'On the train',
    items: [{ episode: episode('Lamps').id }],
  })
  const namesIn = async (list: string) =>
    (await running.api<{ items: Row[] }>(`/playlist/${list}`)).items.map(item => item.podcastEpisode.name)

  await page.goto(`${running.origin}/ui/timeline`)
  const pick = async (name: string) => {
    await page.getByRole('button', { name: `More options for ${name}` }).tap()
    await page.getByRole('menuitem', { name: 'Add to a playlist' }).tap()
    await page.getByRole('dialog', { name: 'Add to a playlist' }).waitFor()
  }
  await pick('Fog')
  await page.getByRole('button', { name: 'On the train 1 episode' }).tap()
  await page.getByText('Added to On the train').waitFor()
  expect(await namesIn(id)).toEqual(['Lamps', 'Fog'])
  await pick('Lamps')
  expect(await page.getByRole('button', { name: 'On the train Already in it' }).isDisabled()).toBe(true)

  asked.length = 0
  await page.goto(`${running.origin}/ui/home/playlist`)
  await page.getByText('2 episodes · 2 min').waitFor()
  expect(asked.filter(path => path.startsWith('/api/v1/playlist')).toSorted()).toEqual([
    '/api/v1/playlists',
    '/api/v1/playlists/suggestions',
  ])
  // Three short episodes are a walk, until somebody hides it.
  await page.getByRole('button', { name: 'Short for the walk 3 episodes · 3 min' }).tap()
  await page.getByRole('dialog').getByText('Ropes').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Hide', exact: true }).tap()
  await page.getByRole('button', { name: 'Show suggestions' }).waitFor()
  const choose = async (entry: string) => {
    await page.getByRole('button', { name: 'More options for On the train' }).tap()
    await page.getByRole('menuitem', { name: entry }).tap()
  }
  await choose('Edit')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Continue' }).tap()
  await dialog.getByText('Lamps').waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await choose('Delete')
  await page.getByText('Playlist deleted').waitFor()
  await page.getByRole('button', { name: 'Undo' }).tap()
  await page.getByText('2 episodes · 2 min').waitFor()
  const [back] = await running.api<{ id: string }[]>('/playlists')
  expect(await namesIn(back!.id)).toEqual(['Lamps', 'Fog'])
}, 120_000)

test('on a phone the order of a podcast says which one is on, by its name and by its look', async () => {
  await using here = await begin()
  const { page, running } = here
  await page.goto(`${running.origin}/ui/podcasts`)
  await page
    .getByRole('link', { name: /Lighthouse Radio/ })
    .first()
    .tap()
  const order = page.getByRole('button', { name: /^Order: / })
  const look = async () => [
    await order.getAttribute('aria-label'),
    await order.evaluate(button =>
      getComputedStyle(button).backgroundColor === 'rgba(0, 0, 0, 0)' ? 'plain' : 'filled',
    ),
  ]
  await order.waitFor()
  expect(await look()).toEqual(['Order: Newest first', 'plain'])
  await order.tap()
  await page.getByRole('button', { name: 'Order: Oldest first' }).waitFor()
  expect(await look()).toEqual(['Order: Oldest first', 'filled'])
}, 120_000)

test('an episode leaves what is to be continued by its menu, and undo brings it back', async () => {
  await using here = await begin()
  const { page, running, podcast, episode } = here
  for (const name of ['Fog', 'Lamps'])
    await running.api('/podcasts/episode', { podcastEpisodeId: episode(name).episode_id, time: 20, total: 60 })
  await page.goto(`${running.origin}/ui/home`)
  const card = (name: string) => page.locator('.hero-card').getByRole('link', { name })
  await card('Fog').waitFor()
  await card('Lamps').waitFor()

  await page.goto(`${running.origin}/ui/podcasts/${podcast.id}/episodes`)
  await page.getByRole('button', { name: 'More options for Fog' }).tap()
  await page.getByRole('menuitem', { name: 'Remove from Continue listening' }).tap()
  await page.getByText('Removed from Continue listening').waitFor()
  const left = await running.api<{ podcastEpisode: { name: string } }[]>('/podcasts/episode/lastwatched')
  expect(left.map(({ podcastEpisode }) => podcastEpisode.name)).toEqual(['Lamps'])
  await page.getByRole('button', { name: 'Undo' }).tap()
  await page.getByText('Removed from Continue listening').waitFor({ state: 'detached' })
  // Nobody can go on with what was not begun.
  await page.getByRole('button', { name: 'More options for Ropes' }).tap()
  await page.getByRole('menuitem', { name: 'Mark as played' }).waitFor()
  expect(await page.getByRole('menuitem', { name: 'Remove from Continue listening' }).count()).toBe(0)
  await page.goto(`${running.origin}/ui/home`)
  await card('Fog').waitFor()
}, 120_000)

test('the rows of a playlist are put in order by keyboard, by mouse and by finger, and each move is saved', async () => {
  await using here = await begin()
  const { page, running, episode } = here
  const items = ['Lamps', 'Fog', 'Ropes'].map(name => ({ episode: episode(name).id }))
  const { id } = await running.api<{ id: string }>('/playlist', { name: 'On the train', items })
  const saved = async () =>
    (await running.api<{ items: Row[] }>(`/playlist/${id}`)).items.map(item => item.podcastEpisode.name).join(' ')
  const move = () =>
    page.waitForResponse(answer => answer.request().method() === 'PUT' && answer.url().includes('/episode/'))
  await page.goto(`${running.origin}/ui/home/playlist/${id}`)
  const grip = (name: string) => page.getByRole('button', { name: `Move ${name}` })
  const middle = async (name: string) => {
    const { x, y, width, height } = (await grip(name).boundingBox())!
    return { x: x + width / 2, y: y + height / 2 }
  }
  await grip('Lamps').focus()
  const first = move()
  await page.keyboard.press('Space')
  await page.getByText('Lamps is now at place 1 of 3.').waitFor({ state: 'attached' })
  await page.keyboard.press('ArrowDown')
  await page.getByText('Lamps is now at place 2 of 3.').waitFor({ state: 'attached' })
  await page.keyboard.press('Space')
  await first
  expect(await saved()).toBe('Fog Lamps Ropes')
  expect(await grip('Lamps').evaluate(element => element === document.activeElement)).toBe(true)

  const second = move()
  const [from, to] = [await middle('Ropes'), await middle('Fog')]
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  for (const share of [0.2, 0.6, 1]) await page.mouse.move(from.x, from.y + (to.y - from.y) * share)
  await page.mouse.up()
  await second
  expect(await saved()).toBe('Ropes Fog Lamps')
  expect(await page.locator('.episode-open').allTextContents()).toEqual(['Ropes', 'Fog', 'Lamps'])

  const third = move()
  const touch = await page.context().newCDPSession(page)
  const finger = (type: 'touchStart' | 'touchMove' | 'touchEnd', points: { x: number; y: number }[]) =>
    touch.send('Input.dispatchTouchEvent', { type, touchPoints: points })
  const [top, low] = [await middle('Ropes'), await middle('Lamps')]
  await finger('touchStart', [top])
  await page.getByText('Ropes is now at place 1 of 3.').waitFor({ state: 'attached' })
  for (const share of [0.3, 0.7, 1]) await finger('touchMove', [{ x: top.x, y: top.y + (low.y - top.y) * share }])
  await page.getByText('Ropes is now at place 3 of 3.').waitFor({ state: 'attached' })
  await finger('touchEnd', [])
  await third
  expect(await saved()).toBe('Fog Lamps Ropes')
}, 120_000)
