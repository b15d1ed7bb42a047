import { expect, test } from 'bun:test'
import { refusal, startTestApp, withPasswords } from '../support/app'
import { rss, silentMp3 } from '../support/builders'
import { startFeedHost } from '../support/feed-host'
import { connect } from '../support/socket'

test('a finished download tells whoever asked and those who favour the podcast, in their browsers alone', async () => {
  using host = startFeedHost()
  await using app = await startTestApp({ env: withPasswords })
  app.prefill(0)
  const root = app.as('root', 'Sup3rSecret')
  const items = [{ title: 'Fog', enclosure: host.file('/a.mp3', silentMp3(2)) }]
  const podcast = await root.podcasts.add(host.feed('/feed.xml', rss({ items })))
  const [fan, uma, other] = [await app.signUp('fan'), await app.signUp('uma', 'uploader'), await app.signUp('other')]
  await fan.podcasts.favour(podcast.id, true)
  const origin = app.listen()
  const hers = await connect(origin, { Authorization: fan.authorization! })
  const others = await connect(origin, { Authorization: other.authorization! })
  const { podcastEpisode } = (await uma.podcasts.episodes(podcast.id, {}, null)).data[0]!
  await uma.episodes.download(podcastEpisode.episode_id)
  const frame = await hers.frame('notification')
  const wanted = {
    typeOfMessage: 'Download',
    message: 'Fog',
    status: 'unread',
    podcastId: podcast.id,
    episodeId: podcastEpisode.id,
  }
  expect(frame).toMatchObject({ notification: wanted })
  expect(await fan.notifications.unread()).toMatchObject([wanted])
  expect(await uma.notifications.unread()).toMatchObject([wanted])
  expect(await other.notifications.unread()).toEqual([])
  expect(others.frames.filter(({ type }) => type === 'notification')).toEqual([])

  const { id } = (await fan.notifications.unread())[0]!
  expect(await refusal(other.notifications.dismiss(id))).toMatchObject({ status: 404, code: 'notification-not-found' })
  await fan.notifications.dismiss(id)
  await fan.notifications.dismiss(id)
  expect(await fan.notifications.unread()).toEqual([])
  expect(await uma.notifications.unread()).toHaveLength(1)
  for (const { socket } of [hers, others]) socket.close()
})

test('new episodes are one notice for each refresh, to those who favour the podcast and may see them', async () => {
  using host = startFeedHost()
  await using app = await startTestApp({ env: withPasswords })
  app.prefill(0)
  const root = app.as('root', 'Sup3rSecret')
  const podcast = await root.podcasts.add(host.feed('/feed.xml', rss({ items: [{ guid: 'a' }] })))
  const [fan, blind] = [await app.signUp('fan', 'user', true), await app.signUp('blind')]
  for (const user of [fan, blind]) await user.podcasts.favour(podcast.id, true)
  const explicit = '<itunes:explicit>true</itunes:explicit>'
  host.feed('/feed.xml', rss({ items: [{ guid: 'a' }, { guid: 'b', extra: explicit }] }))
  await app.context.refresh.refresh(app.context.store.podcasts.findVisible(app.context.admin, podcast.id)!.id)
  expect(await fan.notifications.unread()).toMatchObject([
    { typeOfMessage: 'NewEpisodes', message: 'Lighthouse Radio' },
  ])
  expect(await blind.notifications.unread()).toEqual([])
  host.feed('/feed.xml', rss({ items: [{ guid: 'a' }, { guid: 'c' }, { guid: 'd' }] }))
  await app.context.refresh.refresh(app.context.store.podcasts.findVisible(app.context.admin, podcast.id)!.id)
  expect(await blind.notifications.unread()).toHaveLength(1)
  expect(await root.notifications.unread()).toEqual([])
})

test('a download that was given up tells admins, once', async () => {
  using host = startFeedHost()
  await using app = await startTestApp({ env: withPasswords, downloadLimits: { attempts: 1 } as never })
  app.prefill(0)
  const root = app.as('root', 'Sup3rSecret')
  const podcast = await root.podcasts.add(
    host.feed('/feed.xml', rss({ items: [{ title: 'Gone', enclosure: `${host.origin}/gone.mp3` }] })),
  )
  const { store } = app.context
  const { podcastEpisode } = (await root.podcasts.episodes(podcast.id, {}, null)).data[0]!
  await root.episodes.download(podcastEpisode.episode_id)
  const row = store.downloads.list(app.context.admin, ['queued', 'running', 'waiting', 'failed'], 1, null)[0]!
  const failed = {
    type: 'downloadProgress',
    id: row.uuid,
    eid: row.eid,
    state: 'failed',
    receivedBytes: 0,
    totalBytes: null,
    bytesPerSecond: 0,
  } as const
  app.context.publish(failed)
  app.context.publish(failed)
  expect(await root.notifications.unread()).toMatchObject([{ typeOfMessage: 'DownloadFailed', message: 'Gone' }])
})
