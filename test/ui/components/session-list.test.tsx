import { act, fireEvent, render, screen } from '@testing-library/react'
import { expect, test } from 'bun:test'
import { useState } from 'react'
import type { Session } from '../../../src/shared/api/sign-in'
import { createClient } from '../../../src/ui/api/client'
import { AppProvider } from '../../../src/ui/app-context'
import { SessionList } from '../../../src/ui/pages/profile/session-list'

const sessionOf = (device: string, isCurrent = false): Session => ({
  id: device,
  kind: 'browser',
  device,
  place: '203.0.113.*',
  way: 'password',
  createdAt: '2026-01-01T00:00:00.000Z',
  lastSeenAt: '2026-01-02T00:00:00.000Z',
  isCurrent,
  keepsPassword: false,
})

/** The list with this browser and two others; `answers`: how the server answers each request, in order. */
function show() {
  const answers: PromiseWithResolvers<Response>[] = []
  const failures: unknown[] = []
  const client = createClient('', {
    fetch: () => {
      const answer = Promise.withResolvers<Response>()
      answers.push(answer)
      return answer.promise
    },
  })
  function Page() {
    const [all, change] = useState<readonly Session[]>([
      sessionOf('Here', true),
      sessionOf('Phone'),
      sessionOf('Tablet'),
    ])
    return <SessionList all={all} change={change as never} />
  }
  const app = { client, failed: (error: unknown) => failures.push(error), toasts: { done() {} } }
  render(
    <AppProvider value={app as never}>
      <Page />
    </AppProvider>,
  )
  return { answers, failures }
}

const buttons = () => screen.getAllByRole('button', { name: 'end-session' })
const names = () => screen.queryAllByRole('listitem').map(row => row.querySelector('strong')!.textContent)
const press = (button: HTMLElement) =>
  act(() => {
    button.focus()
    fireEvent.click(button)
  })
/** A boolean: an element that is not the expected one would be printed whole. */
const hasFocus = (element: Element) => document.activeElement === element
const done = () => new Response(null, { status: 204 })

test('the focus moves on with the row that goes: to the next button, and then to the heading', async () => {
  const { answers } = show()
  const [phone, tablet] = buttons() as [HTMLElement, HTMLElement]
  press(phone)
  await act(async () => answers[0]!.resolve(done()))
  expect(names()).toEqual(['Here', 'Tablet'])
  expect(hasFocus(tablet)).toBe(true)
  press(tablet)
  await act(async () => answers[1]!.resolve(done()))
  expect(names()).toEqual(['Here'])
  expect(hasFocus(screen.getByRole('heading', { name: 'sessions' }))).toBe(true)
})

test('a button is busy while its session ends, keeps the focus, and is not pressed twice', async () => {
  const { answers, failures } = show()
  const [phone, tablet] = buttons() as [HTMLElement, HTMLElement]
  press(phone)
  press(phone)
  expect(answers).toHaveLength(1)
  expect([phone, tablet].map(button => button.getAttribute('aria-busy'))).toEqual(['true', 'false'])
  expect(hasFocus(phone)).toBe(true)
  await act(async () => answers[0]!.resolve(Response.json({ errorCode: 'not-found', message: '' }, { status: 404 })))
  expect(failures).toMatchObject([{ status: 404 }])
  expect([phone.getAttribute('aria-busy'), hasFocus(phone)]).toEqual(['false', true])
  expect(names()).toEqual(['Here', 'Phone', 'Tablet'])
})

test('a row that goes does not take the focus from elsewhere', async () => {
  const { answers } = show()
  const [phone, tablet] = buttons() as [HTMLElement, HTMLElement]
  press(tablet)
  act(() => phone.focus())
  await act(async () => answers[0]!.resolve(done()))
  expect(hasFocus(phone)).toBe(true)
})
