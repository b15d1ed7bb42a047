import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'bun:test'
import { createClient } from '../../../src/ui/api/client'
import { AppProvider } from '../../../src/ui/app-context'
import { TakeEverything } from '../../../src/ui/pages/profile/profile-page'

function show(answer: () => Response) {
  const client = createClient('/pods', { fetch: async () => answer() })
  render(
    <AppProvider value={{ client } as never}>
      <TakeEverything />
    </AppProvider>,
  )
}

const link = () => screen.getByRole('button', { name: 'take-everything-save' })

test('the archive is saved by a link, with the files if they are wanted', async () => {
  show(() => Response.json({ podcasts: 3, files: 2, bytes: 3_200_000_000 }))
  const files = await screen.findByRole('checkbox')
  expect(link().getAttribute('href')).toBe('/pods/api/v1/users/me/everything.zip')
  expect(link().hasAttribute('download')).toBeTrue()
  fireEvent.click(files)
  expect(link().getAttribute('href')).toBe('/pods/api/v1/users/me/everything.zip?files=true')
})

test('without files there is nothing to choose', async () => {
  show(() => Response.json({ podcasts: 3, files: 0, bytes: 0 }))
  await screen.findByRole('region', { name: 'take-everything' })
  await waitFor(() => expect(screen.queryByRole('status', { name: 'loading' })).toBeNull())
  expect(screen.queryByRole('checkbox')).toBeNull()
  expect(link().getAttribute('href')).toBe('/pods/api/v1/users/me/everything.zip')
})

test('a size that cannot be read keeps nobody from saving', async () => {
  show(() => Response.json({ errorCode: 'database-busy', message: 'busy', arguments: {} }, { status: 503 }))
  await screen.findByRole('alert')
  expect(link().getAttribute('href')).toEndWith('everything.zip')
})
