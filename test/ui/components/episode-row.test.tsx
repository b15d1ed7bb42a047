import { signal } from '@preact/signals-core'
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { beforeEach, expect, test } from 'bun:test'
import { Router } from 'wouter'
import type { EpisodeWrapper } from '../../../src/shared/api/episode'
import { AppProvider } from '../../../src/ui/app-context'
import { EpisodeRow } from '../../../src/ui/library/episodes/episode-row'
import { createSelection } from '../../../src/ui/state/selection'
import { settled } from '../../support/settled'

const episode = (over: object = {}, history: object | null = null) =>
  ({
    podcastEpisode: {
      id: 'fog',
      episode_id: 'eid-fog',
      podcast_id: 'pod',
      name: 'Fog',
      description: '<p>Horns &amp; bells</p>',
      date_of_recording: '2020-01-02T10:00:00Z',
      undated: false,
      image_url: '',
      local_image_url: '',
      local_url: 'http://localhost/media/fog.mp3',
      total_time: 1800,
      episode_type: 'full',
      season: null,
      episode_number: null,
      status: false,
      superseded: false,
      favored: false,
      link: null,
      ...over,
    },
    podcastHistoryItem: history,
  }) as unknown as EpisodeWrapper

type Options = {
  wrapper?: EpisodeWrapper
  live?: object
  mayUpload?: boolean
  current?: object | null
  props?: object
  kept?: string[]
  language?: string
}

/** A row of a page, and what it asks of the player, the queue and the server. */
function start({
  wrapper = episode(),
  live,
  mayUpload = true,
  current = null,
  props = {},
  kept,
  language = 'de-at',
}: Options = {}) {
  const log: string[] = []
  const selection = createSelection<EpisodeWrapper>(({ podcastEpisode }) => podcastEpisode.id)
  const app = {
    player: {
      current: signal(current),
      isPlaying: signal(current !== null),
      position: signal(0),
      duration: signal(0),
      play: async () => void log.push('play'),
      pause: () => void log.push('pause'),
    },
    queue: { find: () => undefined, add: async (_: string, at: string) => void log.push(`queue ${at}`) },
    downloads: { byEpisode: signal(new Map(live ? [['eid-fog', live]] : [])) },
    session: { mayUpload: signal(mayUpload), config: signal(null) },
    kept: { isPossible: true, ids: signal(new Set(kept)), running: signal(new Map()) },
    library: { byId: signal(new Map([['pod', { language }]])) },
    answers: { isOffline: signal(kept !== undefined) },
    singleKeys: { areOn: signal(true) },
    api: {
      episodes: { download: async () => (log.push('download'), { errorCode: null }) },
      downloads: { pause: async (id: string) => void log.push(`pause ${id}`) },
      playback: { mark: async ({ finished }: { finished: boolean }) => void log.push(`finished ${finished}`) },
    },
    toasts: { done: (text: string) => void log.push(text), failed: () => undefined },
    failed: (error: unknown) => void log.push(String(error)),
  }
  render(
    <Router>
      <AppProvider value={app as never}>
        <EpisodeRow
          wrapper={wrapper}
          podcastName="Lighthouse Radio"
          isOpen={false}
          onToggle={id => void log.push(`toggle ${id}`)}
          selection={selection}
          onExtend={() => void log.push('extend')}
          {...props}
        />
      </AppProvider>
    </Router>,
  )
  return { log, selection, app, row: screen.getByRole('article') }
}

const button = (name: string) => screen.getByRole('button', { name })
const mark = (name: string) => screen.queryByRole('img', { name })

test('a new episode is marked, and one of the back catalogue is not', () => {
  start()
  expect(mark('new')).toBeNull()
  cleanup()
  start({ wrapper: episode({ is_new: true }) })
  expect([mark('new') !== null, screen.queryByText('played')]).toEqual([true, null])
})

test('an episode in progress is not new, and shows what is left', () => {
  start({ wrapper: episode({ is_new: true }, { position: 600, total: 1800, finished: false }) })
  expect(mark('new')).toBeNull()
  expect(screen.getAllByText('time-left').length).toBeGreaterThan(0)
})

test('a played episode says so, and a downloaded one says something else', () => {
  const { row } = start({ wrapper: episode({ is_new: true }, { position: 1800, total: 1800, finished: true }) })
  expect([screen.getByText('played').textContent, mark('new')]).toEqual(['played', null])
  expect(row.classList.contains('is-finished')).toBe(true)
  cleanup()
  start({ wrapper: episode({ status: true }) })
  expect([screen.queryByText('played'), screen.getAllByRole('img', { name: 'on-the-server' }).length > 0]).toEqual([
    null,
    true,
  ])
})

test('the number of an episode, its date and its length are a list, without the number if there is none', () => {
  const facts = (over: object) => {
    const { row } = start({ wrapper: episode(over), props: { podcastName: null } })
    const texts = [...row.querySelectorAll('.fact')].map(fact => fact.textContent)
    cleanup()
    return texts
  }
  const [number, ...rest] = facts({ episode_number: 22 })
  expect([number, rest.length]).toEqual(['episode-number', 2])
  expect(facts({})).toEqual(rest)
})

test('an undated episode shows no date, and a dated one never a length that reads like a time of day', () => {
  const { row } = start({ wrapper: episode({ undated: true }) })
  expect(row.querySelector('time')).toBeNull()
  expect(row.textContent).not.toMatch(/\d:\d\d/)
})

test('the episode that plays can be paused', () => {
  const { log } = start({ current: { episode: { id: 'fog' } } })
  act(() => button('pause-episode').click())
  expect(log).toEqual(['pause'])
})

test('inside a podcast, the notes stay closed until they are opened', () => {
  start()
  expect(screen.queryByText('Horns & bells')).toBeNull()
})

test('a download that failed says why, and is tried again', async () => {
  const live = { id: 'd', state: 'failed', errorCode: 'media-unreachable', status: 404, nextAttemptAt: null }
  const { log } = start({ live })
  expect(screen.getByText('not-downloaded')).toBeTruthy()
  await act(async () => button('download-failed-retry').click())
  expect(log).toEqual(['download'])
})

test('people who may not download are told of no failure', () => {
  const live = { id: 'd', state: 'failed', errorCode: 'media-unreachable', status: 404, nextAttemptAt: null }
  start({ live, mayUpload: false })
  expect(screen.queryByText('not-downloaded')).toBeNull()
})

test('a running download shows how far it is, and pauses', async () => {
  const { log } = start({ live: { id: 'd', state: 'running', errorCode: null, receivedBytes: 62, totalBytes: 100 } })
  expect(button('download-running-pause').dataset['percent']).toBe('62')
  await act(async () => button('download-running-pause').click())
  expect(log).toEqual(['pause d'])
})

test('a press on the row opens the notes, or selects while rows are being selected, and Shift selects a range', () => {
  const { log, selection } = start()
  const title = button('Fog')
  act(() => title.click())
  act(() => selection.begin())
  act(() => title.click())
  expect([log, selection.count.value]).toEqual([['toggle fog'], 1])
  act(() => void fireEvent.click(title, { shiftKey: true }))
  expect(log).toEqual(['toggle fog', 'extend'])
})

test('x selects the row with the focus, Shift+x up to it, and n plays it next', async () => {
  const { log, selection } = start()
  const title = button('Fog')
  act(() => void fireEvent.keyDown(title, { key: 'x' }))
  expect(selection.count.value).toBe(1)
  act(() => void fireEvent.keyDown(title, { key: 'X', shiftKey: true }))
  await act(async () => void fireEvent.keyDown(title, { key: 'n' }))
  expect(log).toEqual(['extend', 'queue next', 'plays-next'])
})

test('keys of one stroke do nothing where they are turned off', () => {
  const { selection, app } = start()
  app.singleKeys.areOn.value = false
  act(() => void fireEvent.keyDown(button('Fog'), { key: 'x' }))
  expect(selection.count.value).toBe(0)
})

const head = () => screen.getByRole('article').querySelector<HTMLElement>('.episode-head')!

/** Moves a finger across the row, `by` pixels, and lifts it. */
async function swipe(by: number, pointerType = 'touch') {
  const at = (clientX: number) => ({ pointerId: 1, pointerType, isPrimary: true, clientX, clientY: 10 })
  await act(async () => {
    fireEvent.pointerDown(head(), at(200))
  })
  for (const part of [0.5, 1])
    await act(async () => {
      fireEvent.pointerMove(head(), at(200 + by * part))
    })
  const shown = screen.getByRole('article').dataset['swiped']
  await act(async () => {
    fireEvent.pointerUp(head(), at(200 + by))
    await settled()
  })
  return shown
}
beforeEach(() => {
  document.documentElement.dir = 'ltr'
  // happy-dom has none.
  HTMLElement.prototype.setPointerCapture = () => undefined
})

test('a swipe to the right adds to the queue, one to the left marks as played', async () => {
  const { log } = start()
  expect(await swipe(90)).toBe('forward')
  expect(await swipe(-90)).toBe('back')
  expect(log).toEqual(['queue last', 'added-to-queue', 'finished true', 'marked-played'])
})

test('a short swipe, and one with a mouse, do nothing', async () => {
  const { log } = start()
  await swipe(60)
  expect(await swipe(90, 'mouse')).toBeUndefined()
  expect(log).toEqual([])
})

test('the queue lies to the left where text reads to the left', async () => {
  document.documentElement.dir = 'rtl'
  document.body.style.direction = 'rtl'
  const { log } = start()
  head().style.direction = 'rtl'
  expect(await swipe(-90)).toBe('forward')
  expect(log).toEqual(['queue last', 'added-to-queue'])
  document.body.style.direction = ''
})

test('the menu offers what a swipe does, and selecting, in groups', async () => {
  start()
  button('more-of').click()
  const groups = (await screen.findByRole('menu')).innerHTML.split('<hr>')
  const entries = groups.map(group => [...group.matchAll(/<\/svg>([\w-]+)</g)].map(match => match[1]))
  expect(entries).toEqual([
    ['play-next', 'add-to-queue', 'add-to-a-playlist'],
    ['like', 'mark-played', 'mark-new'],
    ['download-to-server', 'keep-offline', 'save-file'],
    ['copy-link', 'same-episode-as', 'select'],
  ])
})

test('without the server a row is dimmed and cannot play, unless the episode is on this device', () => {
  const isOff = () => screen.getByRole('button', { name: 'play-episode' }).hasAttribute('disabled')
  start({ kept: [] })
  expect([screen.getByRole('article').classList.contains('is-away'), isOff()]).toEqual([true, true])
  cleanup()
  start({ kept: ['eid-fog'] })
  expect([screen.getByRole('article').classList.contains('is-away'), isOff()]).toEqual([false, false])
})

test('a title names the language of its feed, for hyphens and voices, unless the feed writes something else', () => {
  start()
  expect(screen.getByText('Fog').getAttribute('lang')).toBe('de-at')
  cleanup()
  start({ language: 'Deutsch (Österreich)' })
  expect(screen.getByText('Fog').hasAttribute('lang')).toBe(false)
})
