import { expect, test } from 'bun:test'
import { signedInApp } from '../../../../support/audiobookshelf-app'
import { startAppLibrary } from '../../../../support/app-library'
import { startClock } from '../../../../support/app'

const HOUR = 3_600_000

/** Seconds that somebody listened to an episode in an hour. */
function listen(
  { server: { context } }: Awaited<ReturnType<typeof startAppLibrary>>,
  username: string,
  episode: string,
  at: number,
  seconds: number,
) {
  const { id, podcast_id } = context.store.catalogue.episodeIds(episode)!
  context.store.listened.add(context.store.users.require(username).id, Math.floor(at / HOUR), id, podcast_id, seconds)
}

test('what was listened to is summed up by podcast, day and weekday, of this user alone', async () => {
  // A Friday.
  const now = startClock(Date.UTC(2026, 4, 1, 12))
  await using world = await startAppLibrary({ now })
  const { server, podcast, hidden, episodes, secret } = world
  listen(world, 'anna', episodes[0]!, now(), 40)
  listen(world, 'anna', episodes[1]!, now() - 24 * HOUR, 20)
  listen(world, 'root', episodes[1]!, now(), 1000)
  const anna = await signedInApp(server, 'anna')
  const { json } = await anna.get('/api/me/listening-stats')
  expect(json).toMatchObject({
    totalTime: 60,
    days: { '2026-05-01': 40, '2026-04-30': 20 },
    dayOfWeek: { Friday: 40, Thursday: 20 },
    today: 40,
    recentSessions: [],
  })
  expect(json.items).toEqual({
    [podcast]: { id: podcast, timeListening: 60, mediaMetadata: expect.objectContaining({ title: 'Fog & Lamps' }) },
  })

  // What she may not see any more counts no more.
  listen(world, 'anna', secret, now(), 500)
  const again = await anna.get('/api/me/listening-stats')
  expect([again.json.totalTime, again.text.includes(hidden)]).toEqual([60, false])
})

test('a year has its month and its authors', async () => {
  await using world = await startAppLibrary()
  const { server, episodes } = world
  listen(world, 'anna', episodes[0]!, Date.UTC(2025, 1, 3), 100)
  listen(world, 'anna', episodes[0]!, Date.UTC(2025, 5, 3), 300)
  listen(world, 'anna', episodes[0]!, Date.UTC(2026, 0, 1), 900)
  const anna = await signedInApp(server, 'anna')
  expect((await anna.get('/api/me/stats/year/2025')).json).toMatchObject({
    totalListeningTime: 400,
    totalPodcastListeningTime: 400,
    totalBookListeningTime: 0,
    topAuthors: [{ name: 'Mara Field', time: 400 }],
    mostListenedMonth: { month: 5, time: 300 },
    finishedBooksWithCovers: [],
  })
  expect((await anna.get('/api/me/stats/year/2001')).json).toMatchObject({
    totalListeningTime: 0,
    mostListenedMonth: null,
  })
  for (const year of ['x', '-1', '99999', '%00'])
    expect((await anna.get(`/api/me/stats/year/${year}`)).status).toBe(400)
})

test('sessions come in pages, of all episodes or of one, without what the user may not see', async () => {
  const now = startClock(Date.UTC(2026, 4, 1, 12))
  await using world = await startAppLibrary({ now })
  const { server, podcast, episodes, hidden, secret } = world
  const anna = await signedInApp(server, 'anna')
  const none = { total: 0, numPages: 0, page: 0, itemsPerPage: 10, sessions: [] }
  expect((await anna.get('/api/me/listening-sessions')).json).toEqual(none)
  for (const episode of [episodes[0]!, episodes[1]!, episodes[0]!]) {
    now.advance(60_000)
    const { id } = (await anna.post(`/api/items/${podcast}/play/${episode}`, { deviceInfo: { deviceId: 'd' } })).json
    now.advance(20_000)
    await anna.post(`/api/session/${id}/sync`, { currentTime: 20, timeListened: 20 })
  }
  const first = (await anna.get('/api/me/listening-sessions?itemsPerPage=2&page=0')).json
  expect(first).toMatchObject({ total: 3, numPages: 2, page: 0, itemsPerPage: 2 })
  expect(first.sessions.map(({ episodeId }: { episodeId: string }) => episodeId)).toEqual([episodes[0], episodes[1]])
  expect(first.sessions[0]).toMatchObject({ displayTitle: 'One', libraryItemId: podcast })
  expect(first.sessions[0].audioTracks).toBeUndefined()
  expect((await anna.get('/api/me/listening-sessions?itemsPerPage=2&page=1')).json.sessions).toHaveLength(1)
  expect((await anna.get(`/api/me/item/listening-sessions/${podcast}/${episodes[0]}`)).json.total).toBe(2)
  expect((await anna.get('/api/me/listening-stats')).json.recentSessions).toHaveLength(3)
  expect((await anna.get('/api/me/listening-sessions?itemsPerPage=-1')).status).toBe(400)
  expect((await anna.get(`/api/me/item/listening-sessions/${hidden}/${secret}`)).status).toBe(403)
  expect((await anna.get('/api/me/item/listening-sessions/x/y')).status).toBe(404)
  // It was played while it could be seen.
  server.context.users.change(server.context.users.requireUser('anna'), { explicitConsent: true })
  await anna.post(`/api/items/${hidden}/play/${secret}`, {})
  expect((await anna.get('/api/me/listening-sessions')).json.total).toBe(4)
  server.context.users.change(server.context.users.requireUser('anna'), { explicitConsent: false })
  const shown = await anna.get('/api/me/listening-sessions')
  expect([shown.json.total, shown.json.sessions.length, shown.text.includes(secret)]).toEqual([3, 3, false])
  const root = await signedInApp(server, 'root', 'Sup3rSecret')
  expect((await root.get('/api/me/listening-sessions')).json).toEqual(none)
})
