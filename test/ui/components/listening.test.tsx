import { signal } from '@preact/signals-core'
import { act, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { Router } from 'wouter'
import type { Stats } from '../../../src/shared/api/system'
import { AppProvider } from '../../../src/ui/app-context'
import { csvOf } from '../../../src/ui/pages/info/listening-podcasts'
import { isoOf } from '../../../src/ui/pages/info/listening-days'
import { StatisticsPage } from '../../../src/ui/pages/info/statistics-page'
import { settled } from '../../support/settled'

const HOUR = 3600
const podcast = (podcastName: string, listenedSeconds: number) => ({
  podcastId: podcastName,
  podcastName,
  imageUrl: '',
  listenedSeconds,
  listenedEpisodes: 2,
})
const today = new Date()
/** A day of this month, and one of the month before. */
const days = (now: number, before: number) => [
  { date: isoOf(new Date(today.getFullYear(), today.getMonth() - 1, 1)), listenedSeconds: before },
  { date: isoOf(new Date(today.getFullYear(), today.getMonth(), 1)), listenedSeconds: now },
]
const stats = (over: Partial<Stats> = {}): Stats => ({
  from: null,
  to: null,
  listenedPodcasts: 2,
  listenedEpisodes: 4,
  totalListenedSeconds: 3 * HOUR,
  savedSeconds: 0,
  trimmedSeconds: 0,
  measuredSince: null,
  topPodcasts: [podcast('Fog', 2 * HOUR), podcast('=Lamps, "old"', HOUR)],
  activeWeekdays: [],
  days: days(3 * HOUR, HOUR),
  ...over,
})

/** The files that the page offers to the browser. */
let saved: { name: string; content: Blob }[] = []
const { createObjectURL } = URL
const { click } = HTMLAnchorElement.prototype
beforeEach(() => {
  saved = []
  const contents: Blob[] = []
  URL.createObjectURL = content => {
    contents.push(content as Blob)
    return 'blob:here'
  }
  HTMLAnchorElement.prototype.click = function () {
    saved.push({ name: this.download, content: contents.at(-1)! })
  }
})
afterEach(() => {
  URL.createObjectURL = createObjectURL
  HTMLAnchorElement.prototype.click = click
})

/** The page, the first days that it has asked for, and whether single keys are on. */
async function show(answer = stats()) {
  const asked: string[] = []
  const areOn = signal(true)
  const app = {
    client: {
      async get(_path: string, query: { from?: string }) {
        asked.push(query.from ? isoOf(new Date(query.from)).slice(0, 7) : 'ever')
        return answer
      },
    },
    singleKeys: { areOn },
    pageHeader: { title: signal('') },
    failed(error: unknown) {
      throw error
    },
  }
  render(
    <Router>
      <AppProvider value={app as never}>
        <StatisticsPage />
      </AppProvider>
    </Router>,
  )
  await act(settled)
  return { asked, areOn }
}
const monthOf = (back: number) => isoOf(new Date(today.getFullYear(), today.getMonth() - back, 1)).slice(0, 7)
const press = async (key: string, target: Element = document.body) => {
  fireEvent.keyDown(target, { key })
  await act(settled)
}

test('[ and ] change the period, not beyond now, and not where single keys are off', async () => {
  const { asked, areOn } = await show()
  const seen = () => asked.splice(0).filter(month => month !== 'ever')
  expect(seen()).toEqual([monthOf(0)])
  await press(']')
  expect(seen()).toEqual([])
  await press('[')
  await press('[')
  await press(']')
  expect(seen()).toEqual([monthOf(1), monthOf(2), monthOf(1)])
  const field = document.body.appendChild(document.createElement('input'))
  await press('[', field)
  field.remove()
  areOn.value = false
  await press('[')
  expect(seen()).toEqual([])
})

test.each([
  [HOUR, 'more-than-before.month'],
  [5 * HOUR, 'less-than-before.month'],
])('a month is compared with the one before', async (before, text) => {
  await show(stats({ days: days(3 * HOUR, before) }))
  expect(screen.getByText(/about-a-day/).textContent).toContain(text)
})

test('a month is compared with none where the one before is empty, and there was less than an hour', async () => {
  await show(stats({ days: days(3 * HOUR, 0) }))
  expect(screen.getByText(/about-a-day/).textContent).not.toContain('before')
  document.body.replaceChildren()
  await show(stats({ totalListenedSeconds: HOUR - 1 }))
  expect([screen.queryByText(/about-a-day/), screen.queryByText('picture-to-keep')]).toEqual([null, null])
})

test('podcasts after the seventh are a line below the covers, not a cover of their own', async () => {
  const topPodcasts = Array.from({ length: 9 }, (_, at) => podcast(`Fog ${at}`, (10 - at) * HOUR))
  await show(stats({ topPodcasts }))
  const covers = document.querySelector('.treemap')!
  expect(covers.querySelectorAll('li').length).toBe(7)
  expect(covers.textContent).not.toContain('others-count')
  expect(screen.getByText(/others-count/).textContent).toMatch(/5/)
})

test('the days of one who hears little differ as much as those of one who hears a lot', async () => {
  const colours = async (seconds: number) => {
    const longest = { date: isoOf(new Date(today.getFullYear(), today.getMonth(), 1)), listenedSeconds: seconds }
    document.body.replaceChildren()
    await show(stats({ days: [longest] }))
    return document.querySelectorAll('.listening-day.is-3').length
  }
  expect([await colours(10 * 60), await colours(5 * HOUR)]).toEqual([1, 1])
})

test('the podcasts are saved as CSV, in which no name is a formula', async () => {
  await show()
  fireEvent.click(screen.getByText('show-as-table'))
  fireEvent.click(screen.getByText('save-as-csv'))
  expect(saved[0]!.name).toMatch(/^statistics .+\.csv$/)
  const text = `podcast,episodes,seconds\r\n"Fog",2,7200\r\n"'=Lamps, ""old""",2,3600\r\n`
  expect(await saved[0]!.content.text()).toBe(text)
  expect(await csvOf([]).text()).toBe('podcast,episodes,seconds\r\n')
})

test('the picture is drawn here, and saved under the name of its period', async () => {
  const { toBlob } = HTMLCanvasElement.prototype
  HTMLCanvasElement.prototype.toBlob = done => done(new Blob(['drawn'], { type: 'image/png' }))
  const { asked } = await show()
  const before = asked.length
  await act(async () => void fireEvent.click(screen.getByRole('button', { name: 'save' })))
  await act(settled)
  HTMLCanvasElement.prototype.toBlob = toBlob
  expect(saved.map(({ name, content }) => [name.endsWith('.png'), content.type])).toEqual([[true, 'image/png']])
  expect([saved[0]!.name, asked.length]).toEqual([expect.stringContaining(String(today.getFullYear())), before])
})
