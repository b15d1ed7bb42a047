import { signal } from '@preact/signals-core'
import { act, render, screen } from '@testing-library/react'
import { expect, test } from 'bun:test'
import type { ReactNode } from 'react'
import { Router } from 'wouter'
import type { YourEpisode } from '../../../src/shared/api/episode'
import { AppProvider } from '../../../src/ui/app-context'
import { DoneRow, ofToday } from '../../../src/ui/pages/downloads/downloads-page'
import { NeedRow, ProgressRow, type Shown } from '../../../src/ui/pages/downloads/download-row'

const download = (over: Partial<Shown> = {}) =>
  ({
    id: 'd',
    episode_id: 'eid-fog',
    podcastId: 'pod',
    episodeName: 'Fog',
    podcastName: 'Lighthouse Radio',
    state: 'running',
    attempts: 0,
    receivedBytes: 20_000_000,
    totalBytes: 80_000_000,
    bytesPerSecond: 2_000_000,
    errorCode: null,
    message: null,
    status: null,
    nextAttemptAt: null,
    ...over,
  }) as Shown

/** Shows a row, and notes what it asks for. */
function show(rowOf: (commands: Record<'onPause' | 'onResume' | 'onCancel', () => void>) => ReactNode) {
  const log: string[] = []
  const app = {
    library: { byId: signal(new Map()) },
    player: {
      current: signal(null),
      isPlaying: signal(false),
      position: signal(0),
      duration: signal(0),
      play: async () => void log.push('play'),
    },
  }
  const note = (word: string) => () => void log.push(word)
  render(
    <Router>
      <AppProvider value={app as never}>
        <ul>{rowOf({ onPause: note('pause'), onResume: note('resume'), onCancel: note('cancel') })}</ul>
      </AppProvider>
    </Router>,
  )
  return log
}

const press = (name: string) => act(() => screen.getByRole('button', { name }).click())

test('a running download shows its share and is paused or cancelled', () => {
  const log = show(commands => <ProgressRow download={download()} commands={commands} />)
  const bar = screen.getByRole('progressbar') as HTMLProgressElement
  expect([bar.value, bar.max]).toEqual([20_000_000, 80_000_000])
  press('pause-download')
  press('cancel-download')
  expect(log).toEqual(['pause', 'cancel'])
})

test('a paused download is resumed', () => {
  const log = show(commands => <ProgressRow download={download({ state: 'paused' })} commands={commands} />)
  press('resume-download')
  expect(log).toEqual(['resume'])
})

test('a listener sees a download without its buttons', () => {
  show(() => <ProgressRow download={download()} commands={null} />)
  expect(screen.queryAllByRole('button')).toEqual([])
})

const failed = (over: Partial<Shown>) => download({ state: 'failed', attempts: 3, ...over })

test('a file that is gone can only be dismissed', () => {
  const gone = failed({ errorCode: 'media-unreachable', status: 404 })
  const log = show(commands => <NeedRow download={gone} commands={commands} />)
  expect(screen.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['dismiss'])
  press('dismiss')
  expect(log).toEqual(['cancel'])
})

test('a file that was not found is tried at once while there is a next attempt, and is not called severe yet', () => {
  const waits = failed({ state: 'waiting', errorCode: 'media-unreachable', status: 404 })
  const log = show(commands => <NeedRow download={waits} commands={commands} />)
  expect(document.querySelector('.is-severe')).toBeNull()
  press('try-now')
  expect(log).toEqual(['resume'])
})

test('a file that the host refuses leads to its podcast', () => {
  const refused = failed({ errorCode: 'media-unreachable', status: 403 })
  show(commands => <NeedRow download={refused} commands={commands} />)
  expect(screen.getByText('open-podcast').getAttribute('href')).toBe('/podcasts/pod/episodes')
})

test('a slow host is tried again at once', () => {
  const slow = failed({ state: 'waiting', errorCode: 'upstream-timeout' })
  const log = show(commands => <NeedRow download={slow} commands={commands} />)
  press('try-now')
  expect(log).toEqual(['resume'])
})

test('the words of the server end as a sentence before the next one begins', () => {
  const broken = failed({ errorCode: 'media-unreachable', message: 'The connection to the host failed' })
  show(commands => <NeedRow download={broken} commands={commands} />)
  const words = document.querySelector('.download-circumstances')!.textContent
  expect(words).toContain('The connection to the host failed. tried-times')
})

const done = (at: string) =>
  ({
    at,
    bookmark: null,
    podcastEpisode: { id: 'fog', episode_id: 'eid-fog', podcast_id: 'pod', name: 'Fog', file_size: 42, total_time: 60 },
    podcastHistoryItem: null,
  }) as unknown as YourEpisode

test('a file that came today is played', () => {
  const log = show(() => <DoneRow wrapper={done('2026-03-04T10:00:00Z')} />)
  press('play-episode')
  expect(log).toEqual(['play'])
})

test('only what came since midnight counts as done today', () => {
  const now = new Date(2026, 2, 4, 12)
  const hours = [-13, -12, 0, 11].map(hour => new Date(2026, 2, 4, 12 + hour).toISOString())
  expect(ofToday(hours.map(done), now.getTime()).map(({ at }) => at)).toEqual(hours.slice(1))
})
