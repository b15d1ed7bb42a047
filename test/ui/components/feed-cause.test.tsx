import { render, screen } from '@testing-library/react'
import { expect, test } from 'bun:test'
import type { FeedCheck, Podcast } from '../../../src/shared/api/podcast'
import { AppProvider } from '../../../src/ui/app-context'
import { FeedCause } from '../../../src/ui/pages/podcasts/podcast-table'
import { createFeedChecks } from '../../../src/ui/state/live-state'

function show({ next_check_at, ...podcast }: Partial<Podcast> & Pick<FeedCheck, 'next_check_at'>) {
  const feedChecks = createFeedChecks({ checks: async () => [] })
  feedChecks.note({ id: 'p', last_checked_at: null, next_check_at })
  render(
    <AppProvider value={{ feedChecks } as never}>
      <FeedCause podcast={{ id: 'p', ...podcast } as Podcast} />
    </AppProvider>,
  )
  return document.querySelector('.podcast-failing')!
}

const last_error = {
  errorCode: 'feed-unreachable' as const,
  message: 'The host answered 503',
  since: '2026-01-01T00:00:00Z',
}

test('a feed that fails says why, and when the next try is', () => {
  const cause = show({ feed_state: 'failing', last_error, next_check_at: '2026-01-02T00:00:00Z' })
  expect(cause.getAttribute('title')).toBe('The host answered 503 next-try')
  screen.getByText('The host answered 503')
  screen.getByText('next-try')
})

test('a feed that has ended promises no next try', () => {
  const cause = show({ feed_state: 'gone', last_error, next_check_at: null })
  expect(cause.getAttribute('title')).toBe('feed-gone feed-gone-hint')
})
