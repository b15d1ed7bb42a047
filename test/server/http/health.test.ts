import { expect, test } from 'bun:test'
import { renameSync } from 'node:fs'
import { basic, startTestApp, withPasswords } from '../../support/app'
import { rss, silentMp3 } from '../../support/builders'
import { startFeedHost } from '../../support/feed-host'

test('health checks say that the server lives and can work, or what is missing', async () => {
  await using app = await startTestApp({ env: withPasswords })
  expect(await (await app.fetch('/healthz')).text()).toBe('ok')
  const ready = await app.fetch('/readyz')
  expect([ready.status, await ready.json(), ready.headers.get('cache-control')]).toEqual([
    200,
    { ready: true },
    'no-store',
  ])
  renameSync(app.folder, `${app.folder}-away`)
  const broken = await app.fetch('/readyz')
  expect([broken.status, await broken.json()]).toEqual([503, { ready: false, checks: { database: true, disk: false } }])
  renameSync(`${app.folder}-away`, app.folder)
})

test('figures are for admins alone, by password or key, in the format of Prometheus', async () => {
  using host = startFeedHost()
  await using app = await startTestApp({ env: withPasswords })
  app.prefill(1)
  const root = app.as('root', 'Sup3rSecret')
  const apiKey = '0123456789abcdef0123456789abcd3e'
  await root.users.edit('root', { apiKey })
  await root.podcasts.add(
    host.feed('/feed.xml', rss({ items: [{ enclosure: host.file('/1.mp3', silentMp3(2)) }, {}] })),
  )
  await app.context.downloads.settled()
  await app.context.backups.create('manual')
  const ask = (Authorization?: string) => app.fetch('/metrics', { headers: Authorization ? { Authorization } : {} })
  expect((await ask()).status).toBe(401)
  expect((await ask((await app.signUp('alice')).authorization!)).status).toBe(403)
  expect((await ask(basic('root', 'Sup3rSecret'))).status).toBe(200)
  const answer = await ask(`Bearer ${apiKey}`)
  expect(answer.headers.get('content-type')).toStartWith('text/plain; version=0.0.4')
  const text = await answer.text()
  const values = new Map(
    text
      .split('\n')
      .filter(line => line !== '' && !line.startsWith('#'))
      .map(line => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]),
  )
  expect([...values.values()].some(Number.isNaN)).toBe(false)
  expect(values.get('castellan_podcasts')).toBe(1)
  expect(values.get('castellan_episodes')).toBe(2)
  expect(values.get('castellan_media_files')).toBe(1)
  expect(values.get('castellan_media_folder_present')).toBe(1)
  expect(values.get('castellan_downloads{state="queued"}')).toBe(0)
  expect(values.get('castellan_events_total{type="addedPodcast"}')).toBe(1)
  expect(values.get('castellan_events_total{type="downloadFinished"}')).toBe(1)
  for (const name of [
    'castellan_database_bytes',
    'castellan_disk_free_bytes{folder="media"}',
    'process_resident_memory_bytes',
    'castellan_last_backup_timestamp_seconds',
  ])
    expect([name, values.get(name)! > 0]).toEqual([name, true])
  expect(text).not.toContain(app.folder)
})
