import { act, fireEvent, render, screen } from '@testing-library/react'
import { expect, test } from 'bun:test'
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
