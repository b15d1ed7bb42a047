import { signal } from '@preact/signals-core'
import { act, fireEvent, render, screen } from '@testing-library/react'
import { expect, test } from 'bun:test'
import { Router } from 'wouter'
import type { EpisodeWrapper } from '../../../src/shared/api/episode'
import type { Playlist } from '../../../src/shared/api/playlist'
import { AppProvider } from '../../../src/ui/app-context'
import { ShufflePlaylist } from '../../../src/ui/pages/playlists/playlist-buttons'
import { OwnMenu } from '../../../src/ui/pages/playlists/playlist-menu'
import { settled } from '../../support/settled'

const item = (id: string, finished = false) =>
  ({
    podcastEpisode: { id, episode_id: `eid-${id}`, podcast_id: 'pod', name: id, total_time: 60 },
    podcastHistoryItem: finished ? { finished: true, position: 60, total: 60 } : null,
  }) as unknown as EpisodeWrapper
const idOf = ({ podcastEpisode }: EpisodeWrapper) => podcastEpisode.id

/** A playlist of four episodes, the last of them played, before a queue of one. `kept`: those on this device. */
function show({ isPossible = false, kept = [] as string[] } = {}) {
  const log: string[] = []
  const playlist = { id: 'list', name: 'Evening', items: [...'abc'].map(id => item(id)).concat(item('d', true)) }
  const app = {
    api: {
      episodes: {
        batch: {
          async download(ids: string[]) {
            log.push(`download ${ids.join('')}`)
            return { queued: ids.length, undo: '' }
          },
        },
      },
    },
    library: { byId: signal(new Map()) },
    player: {
      current: signal(null),
      play: async (wrapper: EpisodeWrapper) => void log.push(`play ${idOf(wrapper)}`),
    },
    queue: {
      items: signal([item('waiting')]),
      async replace(items: EpisodeWrapper[]) {
        log.push(`queue ${items.map(idOf).join(' ')}`)
        return async () => undefined
      },
    },
    kept: {
      isPossible,
      ids: signal(new Set(kept.map(id => `eid-${id}`))),
      keep: async (wrapper: EpisodeWrapper) => void log.push(`keep ${idOf(wrapper)}`),
    },
    session: { mayUpload: signal(true), config: signal({}) },
    isConnected: signal(true),
    beginIn: ({ id }: Playlist, episode: string) => void log.push(`begin in ${id} ${episode}`),
    toasts: { done: (text: string) => void log.push(text), failed: (text: string) => void log.push(text) },
    failed(error: unknown) {
      throw error
    },
  }
  render(
    <Router>
      <AppProvider value={app as never}>
        <ShufflePlaylist playlist={playlist as never} />
        <OwnMenu playlist={playlist as never} />
      </AppProvider>
    </Router>,
  )
  return log
}

test('a shuffle plays what was not played, each once, and keeps what waited in the queue behind', async () => {
  const log = show()
  await act(async () => void fireEvent.click(screen.getByText('shuffle')))
  await act(settled)
  const queued = log[0]!.split(' ').slice(1)
  const first = log[1]!.split(' ').at(-1)!
  expect([first, ...queued.slice(0, 2)].toSorted()).toEqual(['a', 'b', 'c'])
  expect(queued.slice(2)).toEqual(['waiting'])
  expect(log.slice(1)).toEqual([`begin in list ${first}`, `play ${first}`, 'queued-count'])
})

test('downloading all keeps what is missing on this device, or has the server fetch all', async () => {
  const own = show({ isPossible: true, kept: ['b'] })
  fireEvent.click(screen.getByRole('button', { name: 'download-whole' }))
  await act(settled)
  expect(own).toEqual(['downloading-count', 'keep a', 'keep c', 'keep d', 'on-device-count'])
  document.body.replaceChildren()
  const server = show()
  fireEvent.click(screen.getByRole('button', { name: 'download-whole' }))
  await act(settled)
  expect(server).toEqual(['download abcd', 'downloads-queued'])
})
