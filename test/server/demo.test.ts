import { existsSync, readdirSync, watch } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'bun:test'
import { createDemo } from '../../src/server/demo'
import { temporaryFolder } from '../support/app'
import { runCommand } from '../support/executable'

test('the demo shows a library, and refuses every call that would change it or reach the network', async () => {
  const demo = await createDemo({ LOG_LEVEL: 'error' }, 'dist/ui')
  const call = (path: string, method = 'GET', body?: object, headers = {}) =>
    demo.app.handle(
      new Request(`http://localhost/api/v1${path}`, {
        method,
        headers: { 'Content-Type': 'application/json', 'X-Requested-With': 'castellan', ...headers },
        ...(body && { body: JSON.stringify(body) }),
      }),
    )
  const me = (await (await call('/users/me')).json()) as { username: string; role: string }
  expect(me).toMatchObject({ username: 'visitor', role: 'user' })
  const timeline = (await (await call('/podcasts/timeline?limit=5')).json()) as {
    data: { podcast_episode: { id: string; episode_id: string; local_url: string } }[]
  }
  const { podcast_episode: newest } = timeline.data[0]!
  const media = await demo.app.handle(new Request(newest.local_url, { headers: { Range: 'bytes=0-3' } }))
  expect([media.status, await media.text()]).toEqual([206, 'RIFF'])

  const keeper = { 'X-Castellan-Demo': 'keeper' }
  expect(await (await call('/users/me', 'GET', undefined, keeper)).json()).toMatchObject({ username: 'visitor' })
  expect((await call('/users', 'GET', undefined, keeper)).status).toBe(403)
  const refused: [string, string, object?][] = [
    ['/podcasts/feed', 'POST', { rssFeedUrl: 'http://127.0.0.1:1/' }],
    ['/podcasts/preview', 'POST', { address: 'http://127.0.0.1:1/' }],
    ['/users/me', 'PUT', { username: 'mallory' }],
    [`/podcasts/${newest.id}/episodes/favor`, 'PUT', { favored: true }],
    ['/podcasts/0/fog/search', 'GET'],
    ['/podcasts/%30/fog/search', 'GET'],
    ['/discover/popular?country=US', 'GET'],
    ['/users/me/everything.zip', 'GET'],
  ]
  for (const [path, method, body] of refused) {
    const answer = await call(path, method, body)
    expect([path, answer.status, ((await answer.json()) as { errorCode: string }).errorCode]).toEqual([
      path,
      403,
      'demo-read-only',
    ])
  }
  expect((await demo.app.handle(new Request('http://localhost/api/libraries'))).status).toBe(404)
  expect((await call('/session', 'POST', {})).headers.get('set-cookie')).toBeNull()
  const progress = { podcastEpisodeId: newest.episode_id, time: 12, total: 120 }
  expect((await call('/podcasts/episode', 'POST', progress)).status).toBe(200)
  await demo.close()
})

test('each demo begins with the same library, and leaves nothing behind', async () => {
  const count = async () => {
    const demo = await createDemo({ LOG_LEVEL: 'error' }, 'dist/ui')
    const answer = await demo.app.handle(new Request('http://localhost/api/v1/podcasts/brief'))
    const podcasts = (await answer.json()) as unknown[]
    await demo.close()
    expect(existsSync(demo.folder)).toBe(false)
    return podcasts.length
  }
  const first = await count()
  expect(first).toBe(12)
  expect(await count()).toBe(first)
}, 60_000)

test('a demo whose port is in use says so, and leaves nothing behind', async () => {
  using other = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response('') })
  const [folder, port] = [temporaryFolder(), String(other.port)]
  const command = [process.execPath, join(import.meta.dir, '../../src/server/entry.ts'), 'demo']
  const ended = await runCommand(command, { HOST: '127.0.0.1', PORT: port, TMPDIR: folder })
  expect(ended).toMatchObject({ code: 1, stderr: expect.stringContaining(`Port ${port} is in use`) })
  expect(readdirSync(folder)).toEqual([])
})

test('a demo that is stopped while it makes its library leaves nothing behind', async () => {
  const folder = temporaryFolder()
  const begun = Promise.withResolvers<void>()
  const watcher = watch(folder, () => begun.resolve())
  const command = [process.execPath, join(import.meta.dir, '../../src/server/entry.ts'), 'demo']
  const demo = Bun.spawn(command, {
    env: { HOST: '127.0.0.1', PORT: '0', TMPDIR: folder },
    stdout: 'ignore',
    stderr: 'ignore',
  })
  await begun.promise
  watcher.close()
  demo.kill('SIGTERM')
  expect(await demo.exited).toBe(0)
  expect(readdirSync(folder)).toEqual([])
})
