import { signal } from '@preact/signals-core'
import { act, render, screen } from '@testing-library/react'
import { expect, test } from 'bun:test'
import { Router } from 'wouter'
import { AppProvider } from '../../../src/ui/app-context'
import { routes } from '../../../src/ui/routes'
import { ShellNotices } from '../../../src/ui/shell/shell'
import { createRoomState } from '../../../src/ui/state/live-state'

function show() {
  const room = createRoomState()
  const app = {
    isConnected: signal(true),
    answers: { isOffline: signal(false), since: () => null },
    kept: { episodes: signal([]) },
    appUpdate: { isReady: signal(false), apply: () => undefined },
    room,
  }
  render(
    <Router>
      <AppProvider value={app as never}>
        <ShellNotices />
      </AppProvider>
    </Router>,
  )
  return room
}

test('a full disk is said above every page, with the folder and a way to it for admins, until there is room', async () => {
  const room = show()
  expect(screen.queryByRole('status')).toBeNull()

  act(() => room.changed({ isFull: true, disk: { folder: '/srv/castellan', freeBytes: 4096 } }))
  expect((await screen.findByRole('status')).textContent).toStartWith('server-disk-full')
  expect(screen.getByRole('link').getAttribute('href')).toBe(routes.info)

  act(() => room.changed({ isFull: false, disk: null }))
  expect(screen.queryByRole('status')).toBeNull()
})

test('people who are no admins learn that the disk is full, and not which one', async () => {
  const room = show()
  act(() => room.changed({ isFull: true, disk: null }))
  expect((await screen.findByRole('status')).textContent?.trim()).toBe('server-disk-full')
  expect(screen.queryByRole('link')).toBeNull()
})
