import { signal } from '@preact/signals-core'
import { act, fireEvent, render, screen } from '@testing-library/react'
import { expect, test } from 'bun:test'
import { createClient } from '../../../src/ui/api/client'
import { AppProvider } from '../../../src/ui/app-context'
import { MoveInTab } from '../../../src/ui/pages/settings/move-in/move-in-tab'
import { MovePodcasts } from '../../../src/ui/pages/settings/move-in/move-report'
import { settled } from '../../support/settled'

const busy = () => Response.json({ errorCode: 'database-busy', message: 'busy', arguments: {} }, { status: 503 })

/** Shows a part of the page. `broken`: the paths that the server can't answer at the moment; `answers`: those of others. */
async function show(part: React.ReactNode) {
  const broken = new Set<string>()
  const answers = new Map<string, unknown>()
  const client = createClient('', {
    fetch: async input => {
      const { pathname } = new URL(String(input instanceof Request ? input.url : input), 'http://host')
      return [...broken].some(end => pathname.endsWith(end))
        ? busy()
        : Response.json(answers.get(pathname.replace(/^.*\/v1/, '')) ?? [])
    },
  })
  const app = {
    client,
    moving: { news: signal(0), dropped: signal(false), claim: () => null },
    isConnected: signal(true),
    session: { isAdmin: signal(false) },
    failed: () => undefined,
  }
  const draw = () =>
    act(async () => {
      render(<AppProvider value={app as never}>{part}</AppProvider>)
      await settled()
    })
  return { broken, answers, draw }
}

const tryAgain = () =>
  act(async () => {
    fireEvent.click(screen.getByRole('button', { name: 'try-again' }))
    await settled()
  })

test.each(['/moves', '/moves/sources'])(
  "imports whose %s can't be read say so, and are asked for again",
  async path => {
    const { broken, draw } = await show(<MoveInTab />)
    broken.add(path)
    await draw()
    expect(screen.queryByRole('status', { name: 'loading' })).toBeNull()
    broken.clear()
    await tryAgain()
    expect(screen.queryByRole('alert')).toBeNull()
    screen.getByRole('heading', { name: 'move-from' })
  },
)

test("the podcasts of an import that can't be read say so, and are asked for again", async () => {
  const { broken, draw } = await show(<MovePodcasts id="m" isOpen />)
  broken.add('/podcasts')
  await draw()
  screen.getByRole('alert')
  broken.clear()
  await tryAgain()
  expect(screen.queryByRole('alert')).toBeNull()
})

test('the file of a program is named once that program is chosen', async () => {
  const { draw, answers } = await show(<MoveInTab />)
  answers.set('/moves/sources', [{ name: 'podfetch', title: 'PodFetch' }])
  await draw()
  expect(screen.queryByText('move-where.podfetch')).toBeNull()
  fireEvent.click(screen.getByRole('button', { name: /PodFetch/ }))
  screen.getByText('move-where.podfetch')
  fireEvent.click(screen.getByRole('button', { name: /PodFetch/ }))
  expect(screen.queryByText('move-where.podfetch')).toBeNull()
})
