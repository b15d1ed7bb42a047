import { signal } from '@preact/signals-core'
import { fireEvent, render, screen } from '@testing-library/react'
import { expect, test } from 'bun:test'
import type { Podcast } from '../../../src/shared/api/podcast'
import { AppProvider } from '../../../src/ui/app-context'
import { FeedStatus } from '../../../src/ui/pages/episodes/podcast-header'
import { PodcastMenu } from '../../../src/ui/pages/episodes/podcast-menu'
import { createFeedChecks } from '../../../src/ui/state/live-state'

function show(feed_state: Podcast['feed_state']) {
  const podcast = { id: 'p', name: 'Files', active: feed_state === 'ok', feed_state, last_error: null } as Podcast
  const app = {
    feedChecks: createFeedChecks({ checks: async () => [] }),
    session: { mayUpload: signal(true) },
    library: { refreshing: signal(new Set()) },
    layers: { open: () => () => undefined },
  }
  render(
    <AppProvider value={app as never}>
      <FeedStatus podcast={podcast} />
      <PodcastMenu podcast={podcast} extras={null} onMark={() => undefined} />
    </AppProvider>,
  )
  fireEvent.click(screen.getByRole('button', { name: 'more-of' }))
  return document.body.textContent
}

test('a podcast without a feed offers no check and says nothing of one', () => {
  const text = show('none')
  expect(text).toContain('podcast-settings')
  expect(text).not.toContain('feed-inactive')
  expect(text).not.toContain('updates')
  expect(screen.queryByRole('button', { name: 'refresh' })).toBeNull()
  expect(text).not.toContain('refresh')
})

test('a podcast with a feed offers both', () => {
  const text = show('ok')
  expect(text).toContain('stop-updates')
  expect(text).toContain('refresh')
})
