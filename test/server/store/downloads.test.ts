import { expect, test } from 'bun:test'
import { plantStore } from './plant'

function plant(...titles: string[]) {
  const planted = plantStore()
  const { store } = planted
  const alice = planted.user('alice')
  const podcast = planted.podcast('Fog', alice.id)
  const episodes = titles.map(title => planted.episode(podcast.id, title))
  const enqueue = (index: number, more: { automatic?: boolean; userId?: number | null } = {}) => {
    store.downloads.enqueue(episodes[index]!.id, { automatic: false, userId: null, now: 1, ...more })
    return store.downloads.findOfEpisode(episodes[index]!.id)!
  }
  const failure = { code: 'upstream-timeout', message: 'No answer' } as const
  return { ...planted, alice, podcast, episodes, enqueue, failure }
}

test('what a person asks for is no longer automatic, and starts afresh', () => {
  using here = plant('One')
  const { store, enqueue, failure } = here
  const { id } = enqueue(0, { automatic: true })
  store.downloads.wait(id, 3, 99, failure)
  expect(enqueue(0, { automatic: true })).toMatchObject({ id, automatic: 1, state: 'queued', attempts: 0 })
  expect(enqueue(0)).toMatchObject({ automatic: 1 })
  store.downloads.giveUp(id, 9, failure, 5)
  expect(enqueue(0)).toMatchObject({ id, automatic: 0, error_code: null, next_attempt_at: null })
  store.downloads.giveUp(id, 9, failure, 5)
  expect(enqueue(0, { automatic: true })).toMatchObject({ automatic: 0 })
  store.downloads.finish(id, 5, 6)
  expect(enqueue(0).state).toBe('queued')
})

test('a running download is not queued a second time', () => {
  using here = plant('One')
  const { store, enqueue } = here
  const { id } = enqueue(0)
  store.downloads.start(id, 5, 'boot')
  expect(enqueue(0)).toMatchObject({ id, state: 'running', started_at: 5, boot_id: 'boot' })
})

test('downloads that a crash left running are queued again, in their old place; those that do run stay', () => {
  using here = plant('One', 'Two', 'Three')
  const { store, enqueue } = here
  const [lost, running, last] = [enqueue(0), enqueue(1), enqueue(2)]
  store.downloads.start(lost.id, 5, null)
  store.downloads.start(running.id, 5, null)
  store.downloads.requeueLost([running.id])
  expect([...store.downloads.ready(10)].map(({ id }) => id)).toEqual([lost.id, last.id])
  expect(store.downloads.find(running.id)!.state).toBe('running')
})

test('downloads that wait for another try take their place among the queued ones once it is time', () => {
  using here = plant('One', 'Two', 'Three', 'Four')
  const { store, enqueue, failure } = here
  const [one, two, three, four] = [enqueue(0), enqueue(1), enqueue(2), enqueue(3)]
  store.downloads.wait(two.id, 1, 50, failure)
  store.downloads.wait(four.id, 1, 60, failure)
  const ready = (now: number) => [...store.downloads.ready(now)].map(({ id }) => id)
  expect(ready(49)).toEqual([one.id, three.id])
  expect(ready(50)).toEqual([one.id, two.id, three.id])
  expect(ready(60)).toEqual([one.id, two.id, three.id, four.id])
  store.downloads.moveToEnd(one.id)
  expect(ready(50)).toEqual([two.id, three.id, one.id])
})

test('the list has running downloads first, then queued and waiting ones by their place, page by page', () => {
  using here = plant('One', 'Two', 'Three', 'Four', 'Five')
  const { store, alice, enqueue, failure } = here
  const [one, two, three, four, five] = [0, 1, 2, 3, 4].map(index => enqueue(index)) as [
    ReturnType<typeof enqueue>,
    ...ReturnType<typeof enqueue>[],
  ]
  store.downloads.wait(one.id, 1, 50, failure)
  store.downloads.setState(two!.id, 'paused')
  store.downloads.start(four!.id, 5, null)
  store.downloads.giveUp(five!.id, 1, failure, 5)
  const states = ['running', 'queued', 'waiting', 'paused', 'failed'] as const
  const whole = store.downloads.list(alice, states, 9, null)
  expect(whole.map(({ id }) => id)).toEqual([four!.id, one.id, three!.id, two!.id, five!.id])
  for (let at = 0; at < whole.length - 1; at++)
    expect(store.downloads.list(alice, states, 1, whole[at]!).map(({ id }) => id)).toEqual([whole[at + 1]!.id])
  expect(store.downloads.list(alice, ['paused'], 9, null).map(({ id }) => id)).toEqual([two!.id])
  expect(store.downloads.counts(alice)).toEqual({ running: 1, queued: 1, waiting: 1, paused: 1, failed: 1 })
})

test('an episode that lost its address fails while it waits, not while it runs', () => {
  using here = plant('One', 'Two')
  const { store, enqueue, failure } = here
  const [waiting, running] = [enqueue(0), enqueue(1)]
  store.downloads.start(running.id, 5, null)
  for (const { episode_id } of [waiting, running]) store.downloads.refuse(episode_id, failure, 9)
  expect(store.downloads.find(waiting.id)).toMatchObject({ state: 'failed', error_code: failure.code, finished_at: 9 })
  expect(store.downloads.find(running.id)!.state).toBe('running')
})

test('a file that is here has one row, whether it was downloaded or found', () => {
  using here = plant('One', 'Two')
  const { store, episodes, enqueue } = here
  const { id } = enqueue(0)
  store.downloads.setTarget(id, { storage: 'folder', path: 'Fog/One.mp3' }, 5)
  expect([store.downloads.isTarget('fog/ONE.mp3'), store.downloads.isTarget('Fog/Two.mp3')]).toEqual([true, false])
  store.downloads.finish(id, 5, 9)
  expect(store.downloads.recordDone(episodes[0]!.id, 7, 10)).toMatchObject({ id, total_bytes: 5 })
  expect(store.downloads.recordDone(episodes[1]!.id, 7, 10)).toMatchObject({ state: 'done', total_bytes: 7 })
  expect(store.downloads.unfinishedEids()).toEqual([])
})

test('who asked is notified of how it ended, of a new request anew, and nobody of what they may not see', () => {
  using here = plant('One', 'Two')
  const { store, alice, user, episodes, enqueue, failure } = here
  const child = user('child', { explicit_consent: 0 })
  const { id } = enqueue(0, { userId: alice.id })
  store.downloads.noteRequest(episodes[0]!.id, child.id, 2)
  expect(store.announcements.isDue()).toBe(false)
  store.downloads.finish(id, 5, 9)
  expect(store.announcements.listDue().map(({ userId, type }) => [userId, type])).toEqual([
    [alice.id, 'Download'],
    [child.id, 'Download'],
  ])
  store.episodes.edit(episodes[0]!.id, here.facts('One', { explicit: 1 }))
  expect(store.announcements.listDue().map(({ userId }) => userId)).toEqual([alice.id])
  store.announcements.markNotified()
  expect([store.announcements.isDue(), store.announcements.listDue()]).toEqual([false, []])

  const root = user('root', { role: 'admin' })
  store.downloads.giveUp(enqueue(1).id, 9, failure, 9)
  expect(store.announcements.listDue()).toMatchObject([{ userId: root.id, type: 'DownloadFailed' }])
  store.announcements.markNotified()
  store.downloads.giveUp(enqueue(1, { userId: alice.id }).id, 9, failure, 10)
  expect(store.announcements.listDue()).toMatchObject([{ userId: alice.id, type: 'DownloadFailed' }])
})

test('new episodes are announced once their feed was stored to its end, or their file is here', () => {
  using here = plant('One', 'Two')
  const { store, podcast, episodes, enqueue } = here
  store.announcements.add(episodes[0]!.id, 'reading')
  store.announcements.add(episodes[1]!.id, 'downloading')
  expect(store.announcements.isDue()).toBe(false)
  store.announcements.markPublished(podcast.id + 1)
  expect(store.announcements.isDue()).toBe(false)
  store.announcements.markPublished(podcast.id)
  expect(store.announcements.listDue()).toMatchObject([{ type: 'NewEpisodes', episodeTitle: 'One', episodeCount: 1 }])
  store.downloads.finish(enqueue(1).id, 5, 9)
  expect(store.announcements.listDue().map(({ type }) => type)).toEqual(['NewEpisodes', 'Download'])
})
