import { expect, test } from 'bun:test'
import { isOfLibrary } from '../../../src/ui/device/answer-files'
import { createKeptAnswers } from '../../../src/ui/state/kept-answers'
import { createMemoryStorage } from '../../support/memory-storage'
import { settled } from '../../support/settled'

type Stored = { text: string; nextCursor: string | null }

function start(initial: Record<string, string> = {}, written: () => Promise<void> = async () => undefined) {
  const storage = createMemoryStorage(initial)
  const cache = new Map<string, Stored>()
  const answers = createKeptAnswers({
    storage,
    isPossible: true,
    now: () => Date.UTC(2026, 10, 28),
    files: async () => ({
      async keepAnswers(list) {
        const wanted = list.filter(([url]) => isOfLibrary(new URL(url)))
        if (wanted.length > 0) await written()
        for (const [url, answer] of wanted) cache.set(url, answer)
        return wanted.length > 0
      },
      findAnswer: async url => cache.get(url) ?? null,
      clearAnswers: async () => (cache.clear(), true),
    }),
  })
  const keep = (path: string) => answers.keep(`http://localhost/api/v1${path}`, { text: path, nextCursor: null })
  return { storage, cache, answers, keep, paths: () => [...cache.values()].map(({ text }) => text) }
}

test('what the library shows is kept once somebody is signed in for good, and nothing else', async () => {
  const { answers, keep, paths } = start()
  for (const path of ['/sys/config', '/podcasts/brief', '/users/me']) keep(path)
  await settled()
  expect([paths(), answers.since()]).toEqual([[], null])
  await answers.decide(true, false)
  for (const path of [
    '/podcasts/a-1/episodes?cursor=2',
    '/podcasts/a-1/episodes?q=fog',
    '/users',
    '/invites',
    '/backups',
  ])
    keep(path)
  for (const path of ['/users/me/sessions', '/search?q=fog', '/queue', '/info', '/episodes/a-1/address']) keep(path)
  await settled()
  expect(paths()).toEqual(['/sys/config', '/podcasts/brief', '/users/me', '/podcasts/a-1/episodes?cursor=2', '/queue'])
  expect(answers.since()).toBe('2026-11-28T00:00:00.000Z')
})

test('a sign-in of one tab, and one that ends, leave nothing', async () => {
  const ofTab = start({ answers: '1' })
  ofTab.keep('/queue')
  await ofTab.answers.decide(false, false)
  ofTab.keep('/tags')
  const ended = start()
  await ended.answers.decide(true, false)
  ended.keep('/queue')
  await settled()
  await ended.answers.clear()
  ended.keep('/tags')
  await settled()
  for (const { paths, storage } of [ofTab, ended]) expect([paths(), storage.stored.size]).toEqual([[], 0])
})

test('what is being kept while somebody signs out is deleted as well, before the page is left', async () => {
  const writing = Promise.withResolvers<void>()
  const { answers, keep, paths, storage } = start({}, () => writing.promise)
  await answers.decide(true, false)
  keep('/queue')
  await settled()
  const left = answers.clear()
  writing.resolve()
  await left
  await settled()
  expect([paths(), storage.stored.size]).toEqual([[], 0])
})

test("another user who signs in finds nothing of the last one's, and keeps what is answered from then on", async () => {
  const { answers, cache, keep, paths } = start({ answers: '1' })
  cache.set('http://localhost/api/v1/queue', { text: '["theirs"]', nextCursor: null })
  keep('/users/me')
  await answers.decide(true, true)
  keep('/tags')
  await settled()
  expect(paths()).toEqual(['/users/me', '/tags'])
  expect(await answers.find('http://localhost/api/v1/queue')).toBeNull()
})

test('the server is given time without limit, except where it has not answered and something else can be shown', async () => {
  const { answers, keep } = start()
  expect(answers.patience()).toBeUndefined()
  await answers.decide(true, false)
  keep('/queue')
  await settled()
  expect(answers.patience()).toBeNumber()
  answers.reached(true)
  expect(answers.patience()).toBeUndefined()
  answers.reached(false)
  expect([answers.patience() !== undefined, answers.isOffline.value]).toEqual([true, true])
})

test('a server that comes and goes is asked by one timer at a time, until it answers', async () => {
  const timers: (() => void)[] = []
  let asked = 0
  const answers = createKeptAnswers({
    storage: createMemoryStorage(),
    isPossible: true,
    probe: () => Promise.reject(new Error(`away ${++asked}`)),
    later: work => timers.push(work),
  })
  answers.reached(false)
  answers.reached(true)
  answers.reached(false)
  expect(timers).toHaveLength(1)
  timers.pop()!()
  await settled()
  expect([asked, timers.length]).toEqual([1, 1])
  answers.reached(true)
  timers.pop()!()
  await settled()
  expect(timers).toEqual([])
})
