import models from '../../fixtures/audiobookshelf/models.json'
import { differencesFrom, type Recorded } from '../../support/typed-keys'

const model = models['go-audiobookshelf 5e6521b (Go)'] as unknown as Recorded
const differences = differencesFrom(model, true)

/** Calls the server as https://github.com/wilhelm-murdoch/go-audiobookshelf does: with the token of its sign-in. */
export async function callAsGo(origin: string, { username, password }: { username: string; password: string }) {
  let token: string | null = null
  let isFine = true

  async function call<T>(method: string, path: string, type: string, body?: object): Promise<T> {
    const answer = await fetch(`${origin}${path}`, {
      method,
      headers: {
        'User-Agent': 'go-audiobookshelf',
        ...(token && { Authorization: `Bearer ${token}` }),
        ...(body && { 'Content-Type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    const wrong = answer.ok
      ? differences(type === '' ? null : JSON.parse(text), type || 'null')
      : [`${answer.status} ${text}`]
    console.log(`${wrong.length === 0 ? 'ok      ' : 'FAILED  '}${method} ${path} ${wrong.join('; ')}`)
    isFine &&= wrong.length === 0
    return (type === '' ? null : JSON.parse(text)) as T
  }

  type Named = { id: string }
  const { user } = await call<{ user: { token: string } }>('POST', '/login', 'login', { username, password })
  token = user.token
  await call('GET', '/api/me', 'user')
  const { libraries } = await call<{ libraries: [Named] }>('GET', '/api/libraries', 'libraries')
  const { results } = await call<{ results: [Named] }>('GET', `/api/libraries/${libraries[0].id}/items?limit=2`, 'page')
  const item = results[0].id
  const { media } = await call<{ media: { episodes: [Named] } }>('GET', `/api/items/${item}?expanded=1`, 'item')
  const episode = media.episodes[0].id
  const device = { deviceInfo: { clientName: 'go', deviceId: 'go-1' }, supportedMimeTypes: ['audio/mpeg'] }
  const session = await call<Named>('POST', `/api/items/${item}/play/${episode}`, 'session', device)
  await call('POST', `/api/session/${session.id}/sync`, '', { currentTime: 12, timeListened: 12, duration: 120 })
  await call('GET', `/api/me/progress/${item}/${episode}`, 'progress')
  await call('POST', `/api/session/${session.id}/close`, '', {})
  await call('GET', '/api/me/listening-sessions', 'sessionPage')
  await call('GET', '/api/me/listening-stats', 'stats')
  await call('POST', `/api/me/item/${item}/bookmark`, 'bookmark', { time: 5, title: 'Here' })
  await call('DELETE', `/api/me/item/${item}/bookmark/5`, '')
  const items = [{ libraryItemId: item, episodeId: episode }]
  const list = await call<Named>('POST', '/api/playlists', 'playlist', {
    name: 'Go',
    libraryId: libraries[0].id,
    items,
  })
  await call('DELETE', `/api/playlists/${list.id}`, '')
  return isFine
}
