import { signal } from '@preact/signals-core'
import { act, fireEvent, render, screen } from '@testing-library/react'
import { expect, test } from 'bun:test'
import type { Podcast } from '../../../src/shared/api/podcast'
import { AppProvider } from '../../../src/ui/app-context'
import { FeedHelpDialog } from '../../../src/ui/pages/episodes/dialog-parts'

async function show(errorCode: string) {
  const log: unknown[] = []
  const app = {
    api: { podcasts: { editSettings: async (id: string, edit: object) => void log.push([id, edit]) } },
    library: { refresh: async (id: string) => void log.push(`refresh ${id}`) },
    feedChecks: { byId: signal(new Map()) },
    session: { mayUpload: signal(true) },
    layers: { open: () => () => undefined },
    failed: (error: unknown) => void log.push(error),
  }
  const last_error = { errorCode, message: 'The host answered 403', since: '2026-01-01T00:00:00Z' }
  const podcast = { id: 'p', last_error, feed_state: 'failing', link: null } as Podcast
  await act(async () =>
    render(
      <AppProvider value={app as never}>
        <FeedHelpDialog podcast={podcast} onClose={() => undefined} />
      </AppProvider>,
    ),
  )
  return log
}

test("a feed whose host refuses our name is checked under the browser's, which its settings keep", async () => {
  const log = await show('feed-refused')
  await act(async () => fireEvent.click(screen.getByRole('button', { name: 'try-as-browser', hidden: true })))
  expect(log).toEqual([['p', { userAgent: navigator.userAgent }], 'refresh p'])
})

test('another failure is not taken for such a refusal', async () => {
  await show('feed-needs-credentials')
  expect(screen.queryByRole('button', { name: 'try-as-browser', hidden: true })).toBeNull()
})
