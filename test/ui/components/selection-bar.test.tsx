import { signal } from '@preact/signals-core'
import { act, fireEvent, render, screen } from '@testing-library/react'
import { expect, test } from 'bun:test'
import type { Chosen, EpisodeWrapper } from '../../../src/shared/api/episode'
import { AppProvider } from '../../../src/ui/app-context'
import { SelectionBar } from '../../../src/ui/library/episodes/selection-bar'
import { createEpisodeChanges } from '../../../src/ui/state/episode-changes'
import { createSelection } from '../../../src/ui/state/selection'
import { settled } from '../../support/settled'

const row = (id: string) =>
  ({
    podcastEpisode: { id, name: id, total_time: 60, favored: false, status: true },
    podcastHistoryItem: null,
  }) as unknown as EpisodeWrapper

/** A list of which two rows of 2,000 are loaded, and a server that notes what it is asked. */
function show() {
  const sent: [string, Chosen, unknown?][] = []
  const toasts: { text: string; undo?: () => void }[] = []
  const batch = {
    async like(chosen: Chosen, favored: boolean) {
      sent.push(['like', chosen, favored])
      return { affected: 3, episodes: ['a', 'far', 'farther'] }
    },
    async deleteFiles(chosen: Chosen) {
      sent.push(['delete', chosen])
      return { affected: 1, episodes: ['far'] }
    },
  }
  const app = {
    api: { episodes: { batch } },
    changes: createEpisodeChanges(),
    session: { mayUpload: signal(true) },
    toasts: { done: (text: string, action?: { run: () => void }) => void toasts.push({ text, undo: action?.run }) },
    failed(error: unknown) {
      throw error
    },
  }
  const selection = createSelection<EpisodeWrapper>(({ podcastEpisode }) => podcastEpisode.id)
  const items = [row('a'), row('b')]
  const list = { items: signal(items), length: signal(2000) }
  const filter = { podcast: 'pod' }
  render(
    <AppProvider value={app as never}>
      <SelectionBar selection={selection} list={list as never} matching={filter} />
    </AppProvider>,
  )
  const choose = (name: string) => {
    fireEvent.click(screen.getByRole('button', { name: 'more-of-selection' }))
    fireEvent.click(screen.getByRole('menuitem', { name }))
  }
  return { sent, toasts, selection, items, filter, choose }
}

test('once all that is loaded is selected, one press selects all that match, and another nothing', async () => {
  const { selection, items } = show()
  fireEvent.click(screen.getByRole('button', { name: 'more-of-selection' }))
  fireEvent.click(screen.getByRole('menuitem', { name: 'select-all-loaded' }))
  expect(selection.count.value).toBe(items.length)
  expect((await screen.findByRole('status')).textContent).toContain('loaded-selected')
  fireEvent.click(screen.getByRole('button', { name: 'select-everything' }))
  expect([selection.count.value, screen.getByRole('status').textContent]).toEqual([
    2000,
    expect.stringContaining('everything-selected'),
  ])
  fireEvent.click(screen.getByRole('button', { name: 'clear' }))
  expect([selection.count.value, screen.queryByRole('status')]).toEqual([0, null])
})

test('everything is liked by its filter, and undo names only what that changed', async () => {
  const { sent, toasts, selection, filter, choose } = show()
  act(() => selection.chooseEverything(2000))
  choose('like')
  await act(settled)
  expect(sent).toEqual([['like', filter, true]])
  expect(toasts[0]!.text).toBe('liked-count')
  toasts[0]!.undo!()
  await act(settled)
  expect(sent[1]).toEqual(['like', ['a', 'far', 'farther'], false])
})

test('what is dropped from everything is left out by the server, and one press selects it again', async () => {
  const { sent, selection, items, filter, choose } = show()
  act(() => selection.chooseEverything(2000))
  act(() => selection.toggle(items[1]!))
  expect(selection.count.value).toBe(1999)
  choose('like')
  await act(settled)
  expect(sent).toEqual([['like', { ...filter, except: ['b'] }, true]])
  act(() => selection.chooseEverything(2000))
  act(() => selection.toggle(items[1]!))
  fireEvent.click(screen.getByRole('button', { name: 'select-everything' }))
  expect([selection.count.value, selection.has('b')]).toEqual([2000, true])
})

test('the files of everything are deleted by the filter, after a question', async () => {
  const { sent, selection, filter, choose } = show()
  act(() => selection.chooseEverything(2000))
  choose('delete-their-files')
  expect(sent).toEqual([])
  fireEvent.click((await screen.findAllByRole('button', { name: 'delete-their-files' })).at(-1)!)
  await act(settled)
  expect(sent).toEqual([['delete', filter]])
})
