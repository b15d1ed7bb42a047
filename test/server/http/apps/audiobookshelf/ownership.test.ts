import { expect, test } from 'bun:test'
import { createAppCalls } from '../../../../../src/server/http/apps/audiobookshelf/serve'
import { signedInApp, type AppClient } from '../../../../support/audiobookshelf-app'
import { startAppLibrary } from '../../../../support/app-library'

/** Everything that an app can read of its own user. */
async function readOwn(app: AppClient, session: string): Promise<string> {
  const paths = [
    '/api/me',
    '/api/playlists',
    '/api/me/listening-stats',
    '/api/me/listening-sessions',
    `/api/session/${session}`,
  ]
  const answers = await Promise.all(paths.map(path => app.get(path)))
  // When somebody was seen last is no property.
  return answers.map(({ status, text }) => `${status} ${text.replace(/"lastSeen":\d+/, '')}`).join('\n')
}

test('R2: with all ids of somebody’s things another user neither reads nor changes them, by any call', async () => {
  await using world = await startAppLibrary()
  const { server, podcast, episodes } = world
  await server.signUp('bert')
  const [anna, bert] = [await signedInApp(server, 'anna'), await signedInApp(server, 'bert')]
  const episode = episodes[0]!
  const session = (
    await anna.post(`/api/items/${podcast}/play/${episode}`, { deviceInfo: { model: 'the-phone-of-anna' } })
  ).json.id
  await anna.patch(`/api/me/progress/${podcast}/${episode}`, { currentTime: 1, duration: 2 })
  const item = { libraryItemId: podcast, episodeId: episode }
  const list = (await anna.post('/api/playlists', { name: 'the-list-of-anna', items: [item] })).json.id
  const row = server.context.store.users.require('anna')
  const secrets = ['the-phone-of-anna', 'the-list-of-anna', row.uuid, '"anna"']
  const before = await readOwn(anna, session)
  for (const secret of secrets) expect(before).toContain(secret)

  const bodies: unknown[] = [
    {},
    {
      ...item,
      id: session,
      currentTime: 2,
      timeListened: 1,
      timeListening: 9,
      duration: 2,
      updatedAt: Date.now(),
      isFinished: true,
    },
    { name: 'Mine', userId: row.uuid, items: [] },
    { sessions: [{ ...item, id: session, userId: row.uuid, currentTime: 2, timeListening: 9, updatedAt: Date.now() }] },
  ]
  const ids: Record<string, string> = { item: podcast, episode, ino: episode, playlist: list, library: 'x' }
  for (const [call] of createAppCalls(server.context)) {
    const [method, pattern] = call.split(' ') as [string, string]
    for (const id of [session, list, row.uuid]) {
      const path = pattern.replace(/:(\w+)/g, (_, name: string) => ids[name] ?? id)
      for (const body of method === 'GET' ? [undefined] : bodies) {
        const { text } = await bert.call(method, path, body === undefined ? {} : { body })
        expect([call, secrets.filter(secret => text.includes(secret))]).toEqual([call, []])
      }
    }
  }
  expect(await readOwn(anna, session)).toBe(before)
})
