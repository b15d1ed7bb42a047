import { signal } from '@preact/signals-core'
import { act, fireEvent, render, screen } from '@testing-library/react'
import { expect, test } from 'bun:test'
import { Router } from 'wouter'
import { AppProvider } from '../../../src/ui/app-context'
import { Bookmarks } from '../../../src/ui/player/bookmarks'
import { RateButton, SeekBar, Transport, VolumeControl } from '../../../src/ui/player/controls'
import { SheetPanels } from '../../../src/ui/player/sheet-panels'
import { handleKeys } from '../../../src/ui/device/keyboard'

/** A player whose signals the test sets, and a note of what it is told. */
function createPlayer() {
  const log: string[] = []
  const note = (name: string) => (value?: unknown) =>
    void log.push(typeof value === 'number' ? `${name} ${value}` : name)
  const player = {
    current: signal(null),
    isPlaying: signal(false),
    isWaiting: signal(false),
    position: signal(0),
    duration: signal(600),
    rate: signal(1),
    volume: signal(100),
    isMuted: signal(false),
    showsRemaining: signal(false),
    ...Object.fromEntries(
      ['toggle', 'skipBack', 'skipForward', 'seek', 'setVolume', 'toggleMute', 'cycleRate', 'toggleRemaining'].map(
        name => [name, note(name)],
      ),
    ),
  }
  return { player, log, given: player as never }
}

const shown = (name: string) => screen.getByRole('button', { name })

test('the button in the middle says what it does now', () => {
  const { player, given, log } = createPlayer()
  render(<Transport player={given} />)
  fireEvent.click(shown('play'))
  act(() => void (player.isWaiting.value = true))
  expect(shown('pause').getAttribute('aria-busy')).toBe('true')
  fireEvent.click(shown('skip-back'))
  fireEvent.click(shown('skip-forward'))
  expect(log).toEqual(['toggle', 'skipBack', 'skipForward'])
})

test('the slider shows where it would go while it is dragged, and seeks when it is let go', () => {
  const { player, given, log } = createPlayer()
  render(<SeekBar player={given} />)
  const slider = screen.getByRole<HTMLInputElement>('slider')
  fireEvent.change(slider, { target: { value: '120' } })
  expect([slider.value, log]).toEqual(['120', []])
  act(() => void (player.position.value = 5))
  expect(slider.value).toBe('120')
  fireEvent.pointerUp(slider)
  expect([slider.value, log]).toEqual(['5', ['seek 120']])
})

test('the slider moves by ten with the page keys and with Shift, and stays within the episode', () => {
  const { player, given, log } = createPlayer()
  player.position.value = 595
  render(<SeekBar player={given} />)
  const slider = screen.getByRole<HTMLInputElement>('slider')
  for (const [key, shiftKey] of [
    ['PageUp', false],
    ['PageDown', false],
    ['ArrowLeft', true],
    ['ArrowLeft', false],
  ] as const) {
    fireEvent.keyDown(slider, { key, shiftKey })
    fireEvent.keyUp(slider, { key })
  }
  expect(log).toEqual(['seek 600', 'seek 585', 'seek 585'])
})

test('an episode whose length is unknown cannot be dragged', () => {
  const { player, given } = createPlayer()
  player.duration.value = 0
  render(<SeekBar player={given} />)
  expect(screen.getByRole<HTMLInputElement>('slider').disabled).toBe(true)
})

test('chapters are marked where they begin, but for the first and what is beyond the end', () => {
  const { given, log } = createPlayer()
  const chapters = [0, 60, 700].map(startTime => ({ id: `${startTime}`, startTime, title: `at ${startTime}` }))
  const { container } = render(<SeekBar player={given} chapters={chapters as never} />)
  const ticks = container.querySelectorAll('.chapter-tick')
  expect([...ticks].map(tick => tick.getAttribute('title'))).toEqual(['01:00 at 60'])
  fireEvent.pointerDown(ticks[0]!)
  expect(log).toEqual(['seek 60'])
})

test('the time on the right is the length, or what is left of it', () => {
  const { player, given, log } = createPlayer()
  player.position.value = 60
  render(<SeekBar player={given} />)
  fireEvent.click(screen.getByText('10:00'))
  act(() => void (player.showsRemaining.value = true))
  expect(screen.getByText('−09:00')).toBeTruthy()
  expect(log).toEqual(['toggleRemaining'])
})

test('a muted player is silent on the slider, and keeps its volume', () => {
  const { player, given, log } = createPlayer()
  render(<VolumeControl player={given} />)
  const slider = screen.getByRole<HTMLInputElement>('slider')
  expect(slider.value).toBe('100')
  act(() => void (player.isMuted.value = true))
  expect([slider.value, player.volume.value]).toEqual(['0', 100])
  fireEvent.click(shown('unmute'))
  fireEvent.change(slider, { target: { value: '250' } })
  expect(log).toEqual(['toggleMute', 'setVolume 250'])
})

test('the rate is shown, and changes by a click', () => {
  const { player, given, log } = createPlayer()
  render(<RateButton player={given} />)
  act(() => void (player.rate.value = 1.5))
  fireEvent.click(screen.getByText('1.5×'))
  expect(log).toEqual(['cycleRate'])
})

/** An application with one episode that plays, and a server with the bookmarks that the test gives it. */
function startApp(stored: { id: string; time: number; note: string | null }[] = []) {
  const { player } = createPlayer()
  const log: string[] = []
  const undos: (() => void)[] = []
  const server = { isDown: false, bookmarks: stored }
  const app = {
    player: Object.assign(player, { position: signal(75) }),
    toasts: {
      done(text: string, action?: { run: () => void }) {
        log.push(text)
        if (action) undos.push(action.run)
      },
    },
    failed: (error: Error) => void log.push(error.message),
    queue: { items: signal([]) },
    upcoming: signal([]),
    library: { byId: signal(new Map()) },
    api: {
      bookmarks: {
        async ofEpisode() {
          if (server.isDown) throw new Error('down')
          return [...server.bookmarks]
        },
        async add(bookmark: { time: number; note: string | null }) {
          const added = { id: `${server.bookmarks.length}`, time: bookmark.time, note: bookmark.note || null }
          server.bookmarks = [...server.bookmarks, added]
          return added
        },
        async remove(id: string) {
          server.bookmarks = server.bookmarks.filter(bookmark => bookmark.id !== id)
        },
      },
    },
  }
  const show = (content: React.ReactNode) =>
    act(async () =>
      render(
        <Router>
          <AppProvider value={app as never}>{content}</AppProvider>
        </Router>,
      ),
    )
  return { app, log, undos, server, show }
}

test('a bookmark is made at this moment with its note, and plays on a click', async () => {
  const { show, log } = startApp()
  const played: number[] = []
  await show(<Bookmarks episodeId="e" onPlayAt={seconds => void played.push(seconds)} />)
  expect(screen.getByText('no-bookmarks')).toBeTruthy()
  fireEvent.change(screen.getByRole('textbox'), { target: { value: 'a thought' } })
  await act(async () => fireEvent.click(screen.getByText('bookmark-this')))
  fireEvent.click(screen.getByText('a thought'))
  expect([played, log, screen.getByRole<HTMLInputElement>('textbox').value]).toEqual([[75], ['bookmarked'], ''])
})

test('a bookmark that is removed can be brought back', async () => {
  const { show, log, undos } = startApp([{ id: '1', time: 30, note: 'a thought' }])
  await show(<Bookmarks episodeId="e" onPlayAt={() => undefined} />)
  await act(async () => fireEvent.click(shown('remove-bookmark')))
  expect([screen.queryByText('a thought'), log]).toEqual([null, ['bookmark-removed']])
  await act(async () => undos[0]!())
  expect(screen.getByText('a thought')).toBeTruthy()
})

test('bookmarks that cannot be had are asked for again on a click', async () => {
  const { show, server } = startApp([{ id: '1', time: 30, note: 'a thought' }])
  server.isDown = true
  await show(<Bookmarks episodeId="e" onPlayAt={() => undefined} />)
  server.isDown = false
  await act(async () => fireEvent.click(screen.getByText('try-again')))
  expect(screen.getByText('a thought')).toBeTruthy()
})

const playing = (rest: object) =>
  ({
    episode: { id: 'e', description: '<p>About fog</p>', has_transcript: false, ...rest },
    podcastName: 'Pod',
    podcastId: 'p',
  }) as never

test('the panels are tabs: the notes first, and those of chapters and transcript only where there are any', async () => {
  const { show } = startApp()
  await show(<SheetPanels playing={playing({})} chapters={[]} onPlayAt={() => undefined} />)
  expect(screen.getAllByRole('tab').map(({ textContent }) => textContent)).toEqual(['notes', 'up-next', 'bookmarks'])
  expect(screen.getByRole('tabpanel').textContent).toBe('About fog')
})

test('arrows, Home and End go from tab to tab, and around', async () => {
  const { show } = startApp()
  await show(<SheetPanels playing={playing({})} chapters={[]} onPlayAt={() => undefined} />)
  const press = async (key: string) => {
    await act(async () => fireEvent.keyDown(screen.getByRole('tablist'), { key }))
    const selected = screen.getByRole('tab', { selected: true })
    expect(document.activeElement).toBe(selected)
    return selected.textContent
  }
  expect([await press('ArrowLeft'), await press('ArrowRight'), await press('End'), await press('Home')]).toEqual([
    'bookmarks',
    'notes',
    'bookmarks',
    'notes',
  ])
  expect(await press('ArrowRight')).toBe('up-next')
})

test('an episode without notes says so', async () => {
  const { show } = startApp()
  await show(<SheetPanels playing={playing({ description: '' })} chapters={[]} onPlayAt={() => undefined} />)
  expect(screen.getByText('no-notes')).toBeTruthy()
})

/** A page with a button and a field, and a note of the keys that do something. */
function startKeys() {
  const areOn = signal(true)
  const pressed: string[] = []
  const end = handleKeys({ areOn, findAction: key => (key === 'x' ? undefined : () => void pressed.push(key)) })
  render(
    <>
      <p>page</p>
      <button type="button">press</button>
      <input />
      <dialog className="player-sheet">player</dialog>
    </>,
  )
  const press = (element: Element, key: string, rest = {}) => fireEvent.keyDown(element, { key, ...rest })
  return { areOn, pressed, end, press }
}

test('a key on the page does what it does in lower case, and the page does nothing else with it', () => {
  const { pressed, press, end } = startKeys()
  expect([press(screen.getByText('page'), 'K'), press(screen.getByText('page'), 'x')]).toEqual([false, true])
  press(screen.getByText('player'), 'ArrowUp')
  end()
  press(screen.getByText('page'), 'k')
  expect(pressed).toEqual(['k', 'ArrowUp'])
})

test('a key where it has a meaning of its own is left alone', () => {
  const { pressed, press, end, areOn } = startKeys()
  press(screen.getByRole('textbox'), 'k')
  press(screen.getByText('press'), ' ')
  press(screen.getByText('page'), 'k', { ctrlKey: true })
  areOn.value = false
  press(screen.getByText('page'), 'k')
  expect(pressed).toEqual([])
  areOn.value = true
  press(screen.getByText('press'), 'k')
  expect(pressed).toEqual(['k'])
  end()
})
