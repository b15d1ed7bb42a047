import { signal } from '@preact/signals-core'
import { act, render, screen, within } from '@testing-library/react'
import { expect, test } from 'bun:test'
import { Router } from 'wouter'
import type { Notification } from '../../../src/shared/api/notification'
import { AppProvider } from '../../../src/ui/app-context'
import { BellList } from '../../../src/ui/shell/bell-list'
import { createNotifications } from '../../../src/ui/state/live-state'
import { createMemoryStorage } from '../../support/memory-storage'

const notice = (id: string, typeOfMessage: Notification['typeOfMessage'], createdAt: string): Notification => ({
  id,
  typeOfMessage,
  message: `Episode ${id}`,
  createdAt,
  status: 'unread',
  podcastId: 'pod',
  episodeId: id,
  episodeCount: 1,
})

/** Opens the list of the bell, and returns how to close it. */
function open(notifications: ReturnType<typeof createNotifications>) {
  const app = {
    notifications,
    library: { byId: signal(new Map([['pod', { name: 'Lighthouse Radio' }]])) },
    downloads: { failedCount: signal(0) },
    session: { user: signal({ username: 'mara' }), mayUpload: signal(true) },
    failed: () => undefined,
  }
  return render(
    <Router>
      <AppProvider value={app as never}>
        <BellList onChosen={() => undefined} />
      </AppProvider>
    </Router>,
  )
}

/** The entries of the list; the link below it leads to the settings. */
const notices = () => within(screen.getByRole('list')).getAllByRole('link')

test('a notice begins with its name, and says below what happened, where and when', () => {
  const notifications = createNotifications({} as never, createMemoryStorage())
  notifications.arrived(notice('one', 'DownloadFailed', '2026-01-01T10:00:00.000Z'))
  open(notifications)

  const [name, circumstances] = notices()[0]!.children
  expect([name!.tagName, name!.textContent]).toEqual(['B', 'new: Episode one'])
  expect(circumstances!.textContent).toStartWith('notice-DownloadFailed · Lighthouse Radio · ')
  expect(circumstances!.querySelector('time')?.dateTime).toBe('2026-01-01T10:00:00.000Z')
})

test('notices are marked as new until the list was open once, and later ones are new again', () => {
  const notifications = createNotifications({} as never, createMemoryStorage())
  notifications.arrived(notice('one', 'Download', '2026-01-01T10:00:00.000Z'))
  const names = () => notices().map(link => link.firstElementChild!.textContent)
  const first = open(notifications)
  expect(names()).toEqual(['new: Episode one'])
  act(first.unmount)

  notifications.arrived(notice('two', 'Download', '2026-01-02T10:00:00.000Z'))
  open(notifications)
  expect(names()).toEqual(['new: Episode two', 'Episode one'])
})

test('guessing at a password leads its owner to the profile, and an admin to the record of what happened', () => {
  const guessed = (id: string, message: string): Notification => ({
    ...notice(id, 'Attack', '2026-05-01T12:00:00Z'),
    message,
    podcastId: null,
    episodeId: null,
  })
  const notifications = createNotifications({} as never, createMemoryStorage())
  notifications.all.value = [guessed('a', 'mara'), guessed('b', 'noah')]
  open(notifications)
  expect(notices().map(link => link.getAttribute('href'))).toEqual(['/profile#sessions', '/administration/activity'])
})
