import { computed, signal } from '@preact/signals-core'
import { act, fireEvent, render, screen } from '@testing-library/react'
import { expect, test } from 'bun:test'
import { Router } from 'wouter'
import type { ContinueWith, KeptQueue, QueueItem } from '../../../src/shared/api/queue'
import { AppProvider } from '../../../src/ui/app-context'
import type { Continued } from '../../../src/ui/playback/continuation'
import { QueuePanel } from '../../../src/ui/player/queue-panel'
import { settled } from '../../support/settled'

/** An entry whose episode lasts half an hour, of which `position` seconds were played. */
const item = (name: string, position = 0) =>
  ({
    id: `item-${name}`,
    podcastEpisode: { id: name, name, podcast_id: 'pod', total_time: 1800, image_url: '', local_image_url: '' },
    podcastHistoryItem: { position, total: 1800, finished: false },
  }) as unknown as QueueItem

/** The queue of a page, which the test looks at and presses. */
function start(names: readonly string[], { position = 0, isRoomy = false } = {}) {
  const items = signal<readonly QueueItem[]>(names.map(name => item(name, position)))
  const log: string[] = []
  const player = {
    current: signal<unknown>(null),
    isPlaying: signal(false),
    isWaiting: signal(false),
    show: async ({ podcastEpisode }: QueueItem) => void log.push(`show ${podcastEpisode.name}`),
    rate: signal(1),
    position: signal(0),
    duration: signal(0),
    play: async ({ podcastEpisode }: QueueItem) => void log.push(`play ${podcastEpisode.name}`),
  }
  const queue = {
    items,
    name: signal<string | null>(null),
    continueWith: signal<ContinueWith>('nothing'),
    others: signal<readonly KeptQueue[]>([]),
    load: async () => undefined,
    change: async (send: (version: number) => Promise<unknown>) => void (await send(1)),
    async remove({ id, podcastEpisode }: QueueItem) {
      const before = items.value
      items.value = before.filter(one => one.id !== id)
      log.push(`remove ${podcastEpisode.name}`)
      return async () => void (items.value = before)
    },
    async replace(wanted: readonly QueueItem[]) {
      items.value = wanted
      return async () => undefined
    },
  }
  const continuation = {
    next: signal<Continued | null>(null),
    isStopped: signal(false),
    playlist: signal(null),
    stopHere: () => void log.push('stop here'),
    goOn: () => void log.push('go on'),
  }
  let undo = () => undefined as void
  const toasts = {
    done(text: string, { run }: { run: () => void }) {
      log.push(text)
      undo = run
    },
  }
  const client = {
    post: async (path: string) => void log.push(path),
    put: async (path: string) => void log.push(path),
  }
  const app = {
    client,
    queue,
    player,
    toasts,
    upcoming: computed(() => items.value),
    playNext: () => void log.push('play next'),
    continuation: signal(continuation),
    library: { byId: signal(new Map([['pod', { name: 'Lighthouse Radio' }]])) },
    failed: (error: unknown) => void log.push(String(error)),
  }
  render(
    <Router>
      <AppProvider value={app as never}>
        <QueuePanel headingId="queue" isRoomy={isRoomy} />
      </AppProvider>
    </Router>,
  )
  return { log, player, queue, continuation, items, undo: () => undo() }
}

const cross = (index: number) => screen.getAllByRole('button', { name: 'remove-from-queue' })[index]!

test('the header counts the episodes, and says how long they take at the present speed', () => {
  const { player } = start(['a', 'b', 'c', 'd'])
  screen.getByText('4 · 2 h')
  act(() => void (player.rate.value = 2))
  screen.getByText('4 · 1 h')
})

test('an episode that was begun counts with what is left of it', () => {
  start(['a', 'b'], { position: 600 })
  screen.getByText('2 · 40 min')
})

test('pressing a row plays its episode', () => {
  const { log } = start(['a', 'b'])
  fireEvent.click(screen.getAllByRole('button', { name: 'play-episode' })[1]!)
  expect(log).toEqual(['play b'])
})

test('after an episode was removed by keyboard, the next one has the focus, and the way back is offered', async () => {
  const { log, items, undo } = start(['a', 'b', 'c'])
  cross(1).focus()
  await act(async () => {
    fireEvent.click(cross(1))
    await settled()
  })
  expect(log).toEqual(['remove b', 'queue-removed'])
  expect(document.activeElement).toBe(cross(1))
  await act(async () => undo())
  expect(items.value.length).toBe(3)
})

test('the focus goes on when the row that has it goes, to the last row, and to the words of an empty queue', async () => {
  const { items } = start(['a', 'b', 'c'])
  const play = (index: number) => screen.getAllByRole('button', { name: 'play-episode' })[index]!
  // It was played to its end, here or elsewhere.
  play(2).focus()
  act(() => void (items.value = items.value.slice(0, 2)))
  expect(document.activeElement).toBe(play(1))
  // Whoever is elsewhere stays there.
  screen.getByRole('button', { name: 'more-for-queue' }).focus()
  act(() => void (items.value = items.value.slice(0, 1)))
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'more-for-queue' }))
  cross(0).focus()
  await act(async () => {
    fireEvent.click(cross(0))
    await settled()
  })
  expect(document.activeElement?.textContent).toContain('queue-empty')
})

test('a swipe to the left removes, one to the right or too short a one does nothing', async () => {
  const { log } = start(['a'])
  const row = cross(0).parentElement!
  row.setPointerCapture = () => undefined
  const swipe = async (by: number) => {
    const finger = { pointerType: 'touch', isPrimary: true, pointerId: 1, clientY: 0 }
    fireEvent.pointerDown(row, { ...finger, clientX: 200 })
    fireEvent.pointerMove(row, { ...finger, clientX: 200 + by })
    await act(async () => {
      fireEvent.pointerUp(row, finger)
      await settled()
    })
  }
  await swipe(110)
  await swipe(-30)
  expect(log).toEqual([])
  await swipe(-110)
  expect(log).toEqual(['remove a', 'queue-removed'])
})

test('an empty queue says how to fill it, and offers nothing to clear', async () => {
  start([])
  screen.getByRole('img', { name: 'add-to-queue' })
  await press('more-for-queue')
  expect(screen.getAllByRole('menuitem').map(({ textContent }) => textContent)).toEqual(['new-queue', 'manage-queues'])
})

const press = async (name: string | RegExp, role = 'button') =>
  act(async () => void fireEvent.click(screen.getByRole(role, { name })))

test('what plays after the queue is chosen at its end', async () => {
  const { queue } = start([])
  await press('after-the-queue: continue-nothing')
  await press('continue-newest', 'menuitemradio')
  expect(queue.continueWith.value).toBe('newest')
  screen.getByRole('button', { name: 'after-the-queue: continue-newest' })
})

test('the episode that comes after the queue is named, played, and refused', async () => {
  const { log, continuation } = start([])
  act(() => void (continuation.next.value = { wrapper: item('Fog'), with: 'podcast' }))
  screen.getByRole('group', { name: 'continued-with' })
  await press('play-episode')
  await press('stop-after-this')
  act(() => {
    continuation.next.value = null
    continuation.isStopped.value = true
  })
  screen.getByText('stops-after-this')
  await press('undo')
  expect(log).toEqual(['play next', 'stop here', 'go on'])
})

test('at the end of the queue it says why nothing follows', () => {
  const { player, queue } = start([])
  act(
    () =>
      void (player.current.value = {
        episode: { id: 'x', name: 'x', image_url: '', local_image_url: '' },
        podcastName: '',
      }),
  )
  expect(screen.queryByText('continue-none')).toBe(null)
  act(() => void (queue.continueWith.value = 'podcast'))
  screen.getByText('continue-none')
  act(() => void (queue.continueWith.value = 'playlist'))
  screen.getByText('continue-no-playlist')
})

test('another queue is used from the menu, with what it goes on with in the bar, and a way back', async () => {
  const { log, queue, undo } = start(['a'])
  act(() => {
    queue.name.value = 'Evening'
    queue.others.value = [{ id: 'main', name: null, savedAt: '' }]
  })
  screen.getByText('Evening')
  await press('more-for-queue')
  await press('main-queue', 'menuitemradio')
  expect(log).toEqual(['/queues/main/use', 'show a', 'queue-used'])
  act(() => void (queue.others.value = [{ id: 'back', name: 'Evening', savedAt: '' }]))
  await act(async () => undo())
  await settled()
  expect(log.slice(3)).toEqual(['/queues/back/use', 'show a'])
})

test('what plays is not interrupted by another queue', async () => {
  const { log, player, queue } = start(['a'])
  act(() => {
    player.isPlaying.value = true
    queue.others.value = [{ id: 'main', name: 'Other', savedAt: '' }]
  })
  await press('more-for-queue')
  await press('Other', 'menuitemradio')
  expect(log).toEqual(['/queues/main/use', 'queue-used'])
})
