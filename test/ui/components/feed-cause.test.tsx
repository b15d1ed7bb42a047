import { render, screen } from '@testing-library/react'
import { expect, test } from 'bun:test'
import type { Podcast } from '../../../src/shared/api/podcast'
import { FeedCause } from '../../../src/ui/pages/podcasts/feed-cause'

function show(podcast: Partial<Podcast>) {
  render(<FeedCause podcast={podcast as Podcast} />)
  return document.querySelector('.podcast-failing')!
}

const last_error = { errorCode: 'feed-unreachable', message: 'The host answered 503', since: '2026-01-01T00:00:00Z' }

test('a feed that fails says why, and when the next try is', () => {
  const cause = show({ feed_state: 'failing', last_error, next_check_at: '2026-01-02T00:00:00Z' } as Partial<Podcast>)
  expect(cause.getAttribute('title')).toBe('The host answered 503 next-try')
  screen.getByText('The host answered 503')
  screen.getByText('next-try')
})

test('a feed that has ended promises no next try', () => {
  const cause = show({ feed_state: 'gone', last_error, next_check_at: null } as Partial<Podcast>)
  expect(cause.getAttribute('title')).toBe('feed-gone feed-gone-hint')
})
