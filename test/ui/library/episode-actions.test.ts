import { expect, test } from 'bun:test'
import type { Episode } from '../../../src/shared/api/episode'
import { episodeActions } from '../../../src/ui/library/episodes/episode-actions'
import { createClient } from '../../../src/ui/api/client'
import { changeNew } from '../../../src/ui/library/episodes/new-episodes'
import { hide as hideEpisode } from '../../../src/ui/library/episodes/rare-actions'
import { createEpisodeChanges } from '../../../src/ui/state/episode-changes'
import { createCalls } from '../../support/settled'

/** An episode on the screen, and a server that the test answers for. */
function start(favored: boolean) {
  const like = createCalls<[id: string, favored: boolean], void>()
  const changes = createEpisodeChanges()
  let row = { podcastEpisode: { id: 'row', favored } as Episode, podcastHistoryItem: null }
  changes.listen({ edit: change => (row = change(row as never) as never), stale: () => undefined })
  const failures: unknown[] = []
  const app = { api: { episodes: { like: like.call } }, changes, failed: (error: unknown) => void failures.push(error) }
  const actions = episodeActions(app as never, row as never, 'Pod')
  return { actions, like, failures, isLiked: () => row.podcastEpisode.favored }
}

test.each([false, true])('a like that was %p is changed at once, and stays when the server takes it', async before => {
  const { actions, like, failures, isLiked } = start(before)
  void actions.toggleLike()
  expect([isLiked(), like.calls[0]!.args]).toEqual([!before, ['row', !before]])
  await like.answer()
  expect([isLiked(), failures]).toEqual([!before, []])
})

test.each([false, true])(
  'a like that was %p is undone when the server refuses it, and the failure is shown',
  async before => {
    const { actions, like, failures, isLiked } = start(before)
    void actions.toggleLike()
    await like.refuse(new Error('no'))
    expect([isLiked(), failures]).toEqual([before, [new Error('no')]])
  },
)

test('an episode leaves what is to be continued, lists hear of it, and undo brings it back', async () => {
  const hide = createCalls<[id: string, hidden: boolean], void>()
  const changes = createEpisodeChanges()
  let heard = 0
  changes.listen({ edit: () => undefined, stale: () => undefined, hidden: () => heard++ })
  const notices: { run: () => void }[] = []
  const toasts = { done: (_: string, undo: { run: () => void }) => void notices.push(undo) }
  const row = { podcastEpisode: { id: 'row' } as Episode, podcastHistoryItem: null }
  const app = { api: { playback: { hide: hide.call } }, changes, toasts } as never

  void hideEpisode({ app, wrapper: row, podcastName: 'Pod' })
  expect([hide.calls[0]!.args, heard]).toEqual([['row', true], 0])
  await hide.answer()
  expect([heard, notices.length]).toEqual([1, 1])
  notices[0]!.run()
  expect(hide.calls.at(-1)!.args).toEqual(['row', false])
  await hide.answer()
  expect(heard).toBe(2)
})

test('many new episodes are dealt with in the pieces that the server takes, and undo makes all of them new', async () => {
  const sent: [number, boolean][] = []
  const client = createClient('', {
    async fetch(request) {
      const { episodes, isNew } = (await request.json()) as { episodes: string[]; isNew: boolean }
      sent.push([episodes.length, isNew])
      return Response.json({ affected: episodes.length, episodes })
    },
  })
  const undone = Promise.withResolvers<void>()
  const library = { load: async () => (sent.length === 4 ? undone.resolve() : undefined) }
  const notices: { run: () => void }[] = []
  const toasts = { done: (_: string, undo: { run: () => void }) => void notices.push(undo) }
  const changes = createEpisodeChanges()
  let row = { podcastEpisode: { id: '7', is_new: true } as Episode, podcastHistoryItem: null }
  changes.listen({ edit: change => (row = change(row as never) as never), stale: () => undefined })

  const ids = Array.from({ length: 5001 }, (_, index) => String(index))
  await changeNew({ client, changes, library, toasts } as never, ids, false)
  expect([sent, row.podcastEpisode.is_new]).toEqual([
    [
      [5000, false],
      [1, false],
    ],
    false,
  ])
  notices[0]!.run()
  await undone.promise
  expect([sent.slice(2), row.podcastEpisode.is_new]).toEqual([
    [
      [5000, true],
      [1, true],
    ],
    true,
  ])
})
