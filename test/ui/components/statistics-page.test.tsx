import { signal } from '@preact/signals-core'
import { act, fireEvent, render, screen } from '@testing-library/react'
import { expect, test } from 'bun:test'
import { createClient } from '../../../src/ui/api/client'
import { AppProvider } from '../../../src/ui/app-context'
import { StatisticsPage } from '../../../src/ui/pages/info/statistics-page'
import { settled } from '../../support/settled'

const statsOf = (totalListenedSeconds: number) => ({
  from: null,
  to: null,
  listenedPodcasts: 1,
  listenedEpisodes: 1,
  totalListenedSeconds,
  savedSeconds: 0,
  trimmedSeconds: 0,
  measuredSince: null,
  topPodcasts: [],
  activeWeekdays: [],
  days: [],
})

/** Shows the page; returns a function that answers its oldest open request: that for all time, or that for a period. */
function show() {
  const asked: { isEver: boolean; answer: (response: Response) => void }[] = []
  const client = createClient('', {
    fetch: input =>
      new Promise<Response>(answer => {
        const { searchParams } = new URL(String(input instanceof Request ? input.url : input), 'http://host')
        asked.push({ isEver: !searchParams.has('from'), answer })
      }),
  })
  render(
    <AppProvider value={{ client, singleKeys: { areOn: signal(true) } } as never}>
      <StatisticsPage />
    </AppProvider>,
  )
  return async (isEver: boolean, response: Response) => {
    const place = asked.findIndex(one => one.isEver === isEver)
    await act(async () => {
      asked.splice(place, 1)[0]!.answer(response)
      await settled()
    })
  }
}

const years = () => document.querySelectorAll('.listening-year').length

test('the numbers of a period stay with its days until those of the next one are there', async () => {
  const answer = show()
  await answer(true, Response.json(statsOf(600)))
  await answer(false, Response.json(statsOf(120)))
  expect([years(), document.querySelectorAll('.listening-month').length]).toEqual([0, 1])
  fireEvent.click(screen.getByRole('button', { name: 'span.year' }))
  expect(years()).toBe(0)
  await answer(false, Response.json(statsOf(480)))
  expect(years()).toBe(1)
})

test('statistics of all time that cannot be read are said to be so, and asked for again', async () => {
  const answer = show()
  await answer(false, Response.json(statsOf(120)))
  const busy = { errorCode: 'database-busy', message: 'busy', arguments: {} }
  await answer(true, Response.json(busy, { status: 503 }))
  fireEvent.click(screen.getByRole('button', { name: 'try-again' }))
  await answer(false, Response.json(statsOf(120)))
  await answer(true, Response.json(statsOf(600)))
  expect(screen.queryByRole('alert')).toBeNull()
  expect(document.querySelectorAll('.listening-month').length).toBe(1)
})
