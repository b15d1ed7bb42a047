import { act, fireEvent, render, screen } from '@testing-library/react'
import { expect, test } from 'bun:test'
import type { Move } from '../../../src/shared/api/move'
import type { SetAsideItem } from '../../../src/shared/api/job'
import { createClient } from '../../../src/ui/api/client'
import { AppProvider } from '../../../src/ui/app-context'
import { SetAside } from '../../../src/ui/pages/info/info-page'
import { MoveSetAside } from '../../../src/ui/pages/settings/move-in/move-in-tab'

const itemOf = (kind: SetAsideItem['kind'], label: string): SetAsideItem => ({
  kind,
  label,
  key: '7',
  since: '2026-01-01T00:00:00.000Z',
})

/** The list; `answers`: how the server answers each request, in order. `log`: what was asked, and what came of it. */
function show(items: readonly SetAsideItem[]) {
  const answers: PromiseWithResolvers<Response>[] = []
  const log: unknown[] = []
  const client = createClient('', {
    fetch: request => {
      const answer = Promise.withResolvers<Response>()
      answers.push(answer)
      log.push(request)
      return answer.promise
    },
  })
  const app = { client, failed: () => log.push('failed') }
  const { container } = render(
    <AppProvider value={app as never}>
      <SetAside items={items} onRetried={() => log.push('retried')} />
    </AppProvider>,
  )
  return { answers, log, container }
}

const names = () => screen.getAllByRole('button').map(button => button.getAttribute('aria-label'))

test('without work that was set aside there is no section', () => {
  expect(show([]).container.childElementCount).toBe(0)
})

test('work is told by its name and kind, and by its kind alone where its name says no more', () => {
  show([itemOf('cover', 'Fog'), itemOf('backup', 'scheduled'), itemOf('index', '')])
  const [cover, backup, index] = screen.getAllByRole('listitem').map(row => row.querySelector('span')!.textContent)
  expect(cover).toStartWith('Fogset-aside-kind.cover · ')
  expect(backup).toStartWith('set-aside-kind.backup')
  expect(backup).not.toContain('scheduled')
  expect(index).toStartWith('set-aside-kind.index')
  expect(names()).toEqual(['try-again: Fog', 'try-again: set-aside-kind.backup', 'try-again: set-aside-kind.index'])
})

test('a retry asks for this item once, and tells the page when it is accepted', async () => {
  const { answers, log } = show([itemOf('cover', 'Fog'), itemOf('feed', 'Tide')])
  const [, tide] = screen.getAllByRole('button') as [HTMLElement, HTMLElement]
  act(() => void fireEvent.click(tide))
  act(() => void fireEvent.click(tide))
  expect(tide.getAttribute('aria-busy')).toBe('true')
  expect(log).toHaveLength(1)
  const request = log[0] as Request
  expect(request.url).toEndWith('/set-aside/retry')
  expect(await request.json()).toEqual({ kind: 'feed', key: '7' })
  await act(async () => answers[0]!.resolve(new Response(null, { status: 204 })))
  expect(log.slice(1)).toEqual(['retried'])
})

test('a retry that is refused says so, and can be pressed again', async () => {
  const { answers, log } = show([itemOf('feed', 'Tide')])
  const button = screen.getByRole('button')
  act(() => void fireEvent.click(button))
  await act(async () => answers[0]!.resolve(Response.json({ code: 'not-found' }, { status: 404 })))
  expect(log.slice(1)).toEqual(['failed'])
  expect(button).toHaveProperty('disabled', false)
})

test('an import that was set aside can be dropped before it began, and undone after that', () => {
  const offered = (move: Pick<Move, 'begun' | 'state'>) => {
    const { unmount } = render(
      <AppProvider value={{ client: createClient('', {}) } as never}>
        <MoveSetAside move={{ id: '7', file: 'list.opml', source: null, undoableUntil: null, ...move } as Move} />
      </AppProvider>,
    )
    const buttons = screen.getAllByRole('button').map(({ textContent }) => textContent)
    unmount()
    return buttons
  }
  expect(offered({ begun: false, state: 'reading' })).toEqual(['try-again', 'cancel'])
  expect(offered({ begun: true, state: 'applying' })).toEqual(['try-again', 'move-undo'])
  expect(offered({ begun: true, state: 'undoing' })).toEqual(['try-again'])
})
