import { signal } from '@preact/signals-core'
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'bun:test'
import type { Episode } from '../../../src/shared/api/episode'
import { AppProvider } from '../../../src/ui/app-context'
import { PublishedAgain } from '../../../src/ui/library/episodes/published-again'
import { SameEpisodeDialog } from '../../../src/ui/library/episodes/same-episode-dialog'

const episode = {
  id: 'fog',
  episode_id: 'eid-fog',
  podcast_id: 'pod',
  name: 'Fog',
  status: true,
  first_published: '2026-01-02T10:00:00Z',
  newer_recording: true,
} as Episode
const rain = { ...episode, id: 'rain', episode_id: 'eid-rain', name: 'Rain', date_of_recording: '2026-02-01T10:00:00Z' }

function start(shown: 'notices' | 'dialog', { mayUpload = true, live = [] as [string, object][] } = {}) {
  const log: string[] = []
  const note = (text: string) => async () => void log.push(text)
  const app = {
    session: { mayUpload: signal(mayUpload) },
    downloads: { byEpisode: signal(new Map(live)) },
    changes: { added: (id: string) => void log.push(`reload ${id}`) },
    toasts: { done: (text: string) => void log.push(text) },
    failed: (error: unknown) => void log.push(String(error)),
    api: {
      episodes: {
        split: note('split'),
        fetchNewer: note('fetch'),
        join: async (eid: string, other: string) => void log.push(`join ${eid} ${other}`),
      },
      podcasts: {
        episodes: async () => ({ data: [episode, rain].map(podcastEpisode => ({ podcastEpisode })), next: null }),
      },
    },
  }
  render(
    <AppProvider value={app as never}>
      {shown === 'notices' ? (
        <PublishedAgain episode={episode} />
      ) : (
        <SameEpisodeDialog episode={episode} onClose={() => log.push('closed')} />
      )}
    </AppProvider>,
  )
  return log
}

const button = (name: string) => screen.getByRole('button', { name, hidden: true })
const press = (name: string) => act(async () => void fireEvent.click(button(name)))

test('an episode that was published again says so, and becomes two only after a question', async () => {
  const log = start('notices')
  expect(screen.getByText('published-again')).toBeTruthy()
  await press('not-the-same-episode')
  expect(log).toEqual([])
  await press('make-two-episodes')
  expect(log.slice(0, 3)).toEqual(['split', 'are-two-episodes', 'reload pod'])
})

test('a newer recording is fetched by a press, and is offered no more while it comes', async () => {
  const log = start('notices')
  await press('fetch-newer-recording')
  expect(log).toEqual(['fetch'])
})

test('while it comes the notice says so', () => {
  start('notices', { live: [['eid-fog', { state: 'running' }]] })
  expect(screen.getByText('newer-recording-comes')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'fetch-newer-recording' })).toBeNull()
})

test('who may not manage podcasts reads the notices, and settles nothing', () => {
  start('notices', { mayUpload: false })
  expect(screen.getByText('newer-recording')).toBeTruthy()
  expect(screen.queryAllByRole('button')).toEqual([])
})

test('another episode of the podcast is chosen as the same one, never the episode itself', async () => {
  const log = start('dialog')
  await waitFor(() => screen.getByText('Rain'))
  expect(screen.getAllByRole('radio', { hidden: true })).toHaveLength(1)
  await press('make-one-episode')
  expect(log).toEqual([])
  act(() => void fireEvent.click(screen.getByRole('radio', { hidden: true })))
  await press('make-one-episode')
  expect(log.slice(0, 3)).toEqual(['join eid-fog eid-rain', 'are-one-episode', 'reload pod'])
})
