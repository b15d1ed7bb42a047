import { act, fireEvent, render, screen } from '@testing-library/react'
import { expect, jest, test } from 'bun:test'
import type { SetupView } from '../../../src/shared/api/setup'
import { AppProvider } from '../../../src/ui/app-context'
import { SetupPage } from '../../../src/ui/pages/setup/setup-page'
import { settled } from '../../support/settled'

const view: SetupView = {
  serverUrl: 'http://localhost/',
  trustedUrl: 'http://localhost/',
  prefix: '',
  untrustedProxy: null,
  username: 'castle',
  mediaFolder: '/media',
  given: ['USERNAME'],
}

test('the setup shows the name that the environment gives the admin, and lets nobody type another', async () => {
  // An address that nothing opens: the checks of the connection fail at once.
  const client = { post: async () => view, address: () => 'none://setup/api/v1' }
  render(
    <AppProvider value={{ client } as never}>
      <SetupPage />
    </AppProvider>,
  )
  await act(async () => {
    fireEvent.submit(document.querySelector('form')!)
    await settled()
  })
  const name = () => screen.getByLabelText<HTMLInputElement>('setup-admin')
  expect([name().value, name().readOnly]).toEqual(['castle', true])
  // A proxy may know the admin by another name.
  fireEvent.change(screen.getByLabelText('setup-way'), { target: { value: 'proxy' } })
  expect([name().value, name().readOnly]).toEqual(['castle', false])
})

test('a server that does not come back after the setup is not waited for in silence', async () => {
  jest.useFakeTimers()
  try {
    const client = {
      post: async () => view,
      get: () => Promise.reject(new Error('not there')),
      address: () => 'none://setup/api/v1',
    }
    render(
      <AppProvider value={{ client, prefix: '' } as never}>
        <SetupPage />
      </AppProvider>,
    )
    for (const _form of ['code', 'answers'])
      await act(async () => {
        fireEvent.submit(document.querySelector('form')!)
        await settled()
      })
    expect(screen.getByRole('status').textContent).toBe('setup-starting')
    await act(async () => void jest.advanceTimersByTime(31_000))
    expect(screen.getByRole('status').textContent).toBe('setup-startingsetup-starting-late')
  } finally {
    jest.useRealTimers()
  }
})
