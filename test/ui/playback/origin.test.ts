import { signal } from '@preact/signals-core'
import { expect, test } from 'bun:test'
import { createOrigin } from '../../../src/ui/playback/continuation'
import type { Playing } from '../../../src/ui/playback/state'

const evening = { id: 'list', name: 'Evening' }

/** A bar into which the test puts episodes by their id, and a queue that holds `queued`. */
function start(stored = new Map<string, string>(), queued = '') {
  const current = signal<Playing | null>(null)
  const memory = {
    read: () => stored.get('') ?? null,
    write: (text: string) => void stored.set('', text),
  }
  const isPlaying = signal(false)
  const origin = createOrigin({ current, isPlaying, isQueued: id => queued.includes(id), memory })
  /** A page of the playlist says that it begins there. */
  const begin = (episode: string) => void stored.set('', JSON.stringify({ ...evening, episode }))
  const show = (id: string | null) => (current.value = id === null ? null : ({ episode: { id } } as Playing))
  return { origin, begin, isPlaying, show, stored, name: () => origin.playlist.value?.name ?? null }
}

test('the playlist in which playing began is remembered through the queue and what continues it', () => {
  const { origin, begin, show, name } = start(undefined, 'bc')
  begin('a')
  for (const id of ['a', 'b', 'c']) show(id)
  origin.lead('d')
  show('d')
  expect(name()).toBe('Evening')
})

test('playing something else by hand forgets it, and so does an empty bar', () => {
  const { begin, show, name, stored } = start()
  begin('a')
  show('a')
  show('x')
  expect([name(), stored.get('')]).toEqual([null, 'null'])
  begin('a')
  show('a')
  show(null)
  expect(name()).toBe(null)
})

test('it is there again with the episode that is put back into the bar, but not with another', () => {
  const first = start()
  first.begin('a')
  first.show('a')
  const again = start(new Map(first.stored))
  again.show('a')
  expect(again.name()).toBe('Evening')
  const other = start(new Map(first.stored))
  other.show('x')
  expect(other.name()).toBe(null)
})

test('storage that holds anything else is no playlist', () => {
  for (const text of ['{', '[]', '{"id":1}', 'null'])
    expect(start(new Map([['', text]])).origin.playlist.value).toBe(null)
})

test('an episode that is in the bar already may be played once more, in a playlist', () => {
  const { begin, show, isPlaying, name } = start()
  show('a')
  begin('a')
  isPlaying.value = true
  expect(name()).toBe('Evening')
})
