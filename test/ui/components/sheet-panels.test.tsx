import { signal } from '@preact/signals-core'
import { act, fireEvent, render, screen } from '@testing-library/react'
import { expect, test } from 'bun:test'
import { useState } from 'react'
import { Router } from 'wouter'
import { AppProvider } from '../../../src/ui/app-context'
import { BookmarkPanel, useBookmarks } from '../../../src/ui/player/bookmarks'
import { SheetPanels, type PanelId } from '../../../src/ui/player/sheet-panels'
import { createEpisodeChanges } from '../../../src/ui/state/episode-changes'
import { createPlayer, shown } from '../../support/player-parts'

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
    queue: { items: signal([]), name: signal(null), others: signal([]), continueWith: signal('nothing') },
    continuation: signal(null),
    upcoming: signal([]),
    chapters: { all: signal([]) },
    extras: signal(null),
    session: { mayUpload: signal(false), config: signal(null) },
    prefix: '',
    library: { byId: signal(new Map()) },
    changes: createEpisodeChanges(),
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
        async edit(id: string, { note }: { note: string | null }) {
          server.bookmarks = server.bookmarks.map(one => (one.id === id ? { ...one, note } : one))
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

const playing = (rest: object = {}) =>
  ({
    episode: { id: 'e', description: '<p>About fog</p>', has_transcript: false, ...rest },
    podcastName: 'Pod',
    podcastId: 'p',
  }) as never

function OwnBookmarks({ onPlayAt }: { onPlayAt: (seconds: number) => void }) {
  return <BookmarkPanel playing={playing()} bookmarks={useBookmarks('e')} onPlayAt={onPlayAt} />
}

function Panels({ rest }: { rest?: object }) {
  const [shown, show] = useState<PanelId>('notes')
  return (
    <SheetPanels
      playing={playing(rest)}
      bookmarks={useBookmarks('e')}
      shown={shown}
      isUp
      label="panels"
      onShow={show}
      onToggle={() => undefined}
      onPlayAt={() => undefined}
    />
  )
}

/** Chooses from the menu of the only bookmark. */
async function choose(entry: string) {
  await act(async () => fireEvent.click(shown('more-of-bookmark')))
  await act(async () => fireEvent.click(screen.getByText(entry)))
}

test('a bookmark is made at this moment with its note, and plays on a click', async () => {
  const { show, log } = startApp()
  const played: number[] = []
  await show(<OwnBookmarks onPlayAt={seconds => void played.push(seconds)} />)
  expect(screen.getByText('no-bookmarks')).toBeTruthy()
  fireEvent.change(screen.getByRole('textbox'), { target: { value: 'a thought' } })
  await act(async () => fireEvent.click(screen.getByText('bookmark-this')))
  fireEvent.click(screen.getByText('a thought'))
  expect([played, log, screen.getByRole<HTMLInputElement>('textbox').value]).toEqual([[75], ['bookmarked'], ''])
})

test('a bookmark that is removed can be brought back', async () => {
  const { show, log, undos } = startApp([{ id: '1', time: 30, note: 'a thought' }])
  await show(<OwnBookmarks onPlayAt={() => undefined} />)
  await choose('delete-bookmark')
  expect([screen.queryByText('a thought'), log]).toEqual([null, ['bookmark-removed']])
  await act(async () => undos[0]!())
  expect(screen.getByText('a thought')).toBeTruthy()
})

test('the note of a bookmark can be changed', async () => {
  const { show, server } = startApp([{ id: '1', time: 30, note: 'a thought' }])
  await show(<OwnBookmarks onPlayAt={() => undefined} />)
  await choose('edit-note')
  fireEvent.change(screen.getAllByRole('textbox')[1]!, { target: { value: 'another' } })
  await act(async () => fireEvent.click(screen.getByText('save')))
  expect([screen.getByText('another').tagName, server.bookmarks[0]!.note]).toEqual(['SPAN', 'another'])
})

test('a bookmark that was made in an app appears while the panel is open', async () => {
  const { app, show, server } = startApp()
  await show(<OwnBookmarks onPlayAt={() => undefined} />)
  server.bookmarks = [{ id: '1', time: 30, note: 'in the car' }]
  await act(async () => app.changes.listed('a playlist'))
  expect(screen.queryByText('in the car')).toBeNull()
  await act(async () => app.changes.listed(null))
  expect(screen.getByText('in the car')).toBeTruthy()
})

test('bookmarks that cannot be had are asked for again on a click', async () => {
  const { show, server } = startApp([{ id: '1', time: 30, note: 'a thought' }])
  server.isDown = true
  await show(<OwnBookmarks onPlayAt={() => undefined} />)
  server.isDown = false
  await act(async () => fireEvent.click(screen.getByText('try-again')))
  expect(screen.getByText('a thought')).toBeTruthy()
})

test('the panels are tabs: the notes first, and those of chapters and transcript only where there are any', async () => {
  const { show } = startApp()
  await show(<Panels />)
  expect(screen.getAllByRole('tab').map(({ textContent }) => textContent)).toEqual(['notes', 'queue', 'bookmarks'])
  expect(screen.getByRole('tabpanel').textContent).toBe('About fog')
})

test('arrows, Home and End go from tab to tab, and around', async () => {
  const { show } = startApp()
  await show(<Panels />)
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
  expect(await press('ArrowRight')).toBe('queue')
})

test('an episode without notes says so', async () => {
  const { show } = startApp()
  await show(<Panels rest={{ description: '' }} />)
  expect(screen.getByText('no-notes')).toBeTruthy()
})
