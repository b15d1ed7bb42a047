import { expect, test } from 'bun:test'
import { refusal, startTestApp, withPasswords } from '../../support/app'
import { rss, silentMp3 } from '../../support/builders'
import { startFeedHost } from '../../support/feed-host'
import { connect } from '../../support/socket'

const explicit = '<itunes:explicit>true</itunes:explicit>'

async function plant() {
  const host = startFeedHost()
  const env = { ...withPasswords, ALLOWED_NETWORKS: '127.0.0.0/8', USER_PODCAST_LIMIT: '5' }
  const app = await startTestApp({ env })
  app.prefill(0)
  const root = app.as('root', 'Sup3rSecret')
  const enclosure = host.file('/a.mp3', silentMp3(2))
  const rude = await root.podcasts.add(
    host.feed('/rude.xml', rss({ title: 'Rude', extra: explicit, items: [{ guid: 'r', enclosure }] })),
  )
  const mixed = await root.podcasts.add(
    host.feed(
      '/mixed.xml',
      rss({
        title: 'Mixed',
        items: [
          { guid: 'clean', enclosure },
          { guid: 'dirty', enclosure: `${enclosure}?2`, extra: explicit },
        ],
      }),
    ),
  )
  const episodes = (await root.timeline.page({}, null)).data.data.map(item => item.podcast_episode)
  const find = (guid: string) => episodes.find(episode => episode.guid === guid)!
  return { host, app, root, rude, mixed, find, guest: await app.signUp('guest') }
}

test('explicit episodes are absent from every list, and not found by their id', async () => {
  const { host, app, rude, mixed, find, guest, root } = await plant()
  using _ = host
  await using __ = app
  expect((await guest.podcasts.list()).map(({ name }) => name)).toEqual(['Mixed'])
  expect(await guest.podcasts.find(mixed.id)).toMatchObject({ episode_count: 1, unlistened_count: 1 })
  expect(await root.podcasts.find(mixed.id)).toMatchObject({ episode_count: 2, unlistened_count: 2 })
  const timeline = (await guest.timeline.page({}, null)).data
  expect([timeline.totalElements, timeline.data.map(item => item.podcast_episode.guid)]).toEqual([1, ['clean']])
  const unplayed = (await guest.timeline.page({ notListened: true }, null)).data
  expect(unplayed.totalElements).toBe(1)
  const page = await guest.podcasts.episodes(mixed.id, {}, null)
  expect(page.data.map(({ podcastEpisode }) => podcastEpisode.guid)).toEqual(['clean'])

  const dirty = find('dirty')
  const notThere = { status: 404 }
  expect(await refusal(guest.podcasts.find(rude.id))).toMatchObject(notThere)
  expect(await refusal(guest.podcasts.episodes(rude.id, {}, null))).toMatchObject(notThere)
  expect(await refusal(guest.podcasts.favour(rude.id, true))).toMatchObject(notThere)
  expect(await refusal(guest.episodes.find(dirty.episode_id))).toMatchObject(notThere)
  expect(await refusal(guest.episodes.like(dirty.id, true))).toMatchObject(notThere)
  expect(await refusal(guest.playback.save({ podcastEpisodeId: dirty.episode_id, time: 1 }))).toMatchObject(notThere)
  expect(await refusal(guest.client.get(`/podcasts/reverse/episode/${dirty.id}`))).toMatchObject(notThere)
  const headers = { Authorization: guest.authorization! }
  for (const path of [`/media/${dirty.episode_id}`, `/covers/podcasts/${rude.id}`, `/covers/episodes/${dirty.id}`])
    expect([path, (await app.fetch(path, { headers })).status]).toEqual([path, 404])
})

test('explicit episodes played before consent ended are absent too, and the counts are right', async () => {
  const { host, app, root, mixed, find } = await plant()
  using _ = host
  await using __ = app
  const carl = await app.signUp('carl', 'user', true)
  await carl.playback.save({ podcastEpisodeId: find('dirty').episode_id, time: 2, total: 2 })
  await carl.playback.save({ podcastEpisodeId: find('clean').episode_id, time: 1, total: 2 })
  expect(await carl.podcasts.find(mixed.id)).toMatchObject({ unlistened_count: 1 })
  await root.users.change('carl', { explicitConsent: false })
  expect(await carl.podcasts.find(mixed.id)).toMatchObject({ episode_count: 1, unlistened_count: 1 })
  expect((await carl.timeline.page({ notListened: true }, null)).data).toMatchObject({ totalElements: 0, data: [] })
  expect((await carl.playback.lastWatched(10)).map(item => item.podcastEpisode.guid)).toEqual(['clean'])
})

test('an explicit feed is not added without consent, whether it is here already or not', async () => {
  const { host, app, guest } = await plant()
  using _ = host
  await using __ = app
  const fresh = host.feed('/fresh.xml', rss({ title: 'Fresh', extra: explicit }))
  for (const address of [fresh, `${host.origin}/rude.xml`])
    expect(await refusal(guest.podcasts.add(address))).toMatchObject({ status: 403, code: 'explicit-not-allowed' })
  const willing = await app.signUp('willing', 'user', true)
  expect(await willing.podcasts.add(fresh)).toMatchObject({ name: 'Fresh' })
})

test('a request for all episodes returns those that the user may see', async () => {
  const { host, app, mixed, root } = await plant()
  using _ = host
  await using __ = app
  const ursula = await app.signUp('ursula', 'uploader')
  expect(await ursula.podcasts.downloadAll(mixed.id)).toMatchObject({ queued: 1 })
  const range = { from: 1, to: 10 }
  expect(await ursula.client.post(`/podcasts/${mixed.id}/episodes/download-range`, range)).toEqual({ queued: 1 })
  await app.context.downloads.settled()
  const here = (await root.podcasts.episodes(mixed.id, {}, null)).data.filter(row => row.podcastEpisode.status)
  expect(here.map(({ podcastEpisode }) => podcastEpisode.guid)).toEqual(['clean'])
})

test('events of what is explicit reach only those who may see it', async () => {
  const { host, app, root, guest, find } = await plant()
  using _ = host
  await using __ = app
  const origin = app.listen()
  const willing = await connect(origin, { Authorization: root.authorization! })
  const blind = await connect(origin, { Authorization: guest.authorization! })
  await root.episodes.download(find('dirty').episode_id)
  await root.episodes.download(find('clean').episode_id)
  await willing.frame('offlineAvailable')
  const frame = await blind.frame('offlineAvailable')
  expect(frame).toMatchObject({ podcast_episode: { guid: 'clean' } })
  expect(JSON.stringify(blind.frames)).not.toContain(find('dirty').episode_id)
  expect((await guest.downloads.page(null)).data.items.map(item => item.episode_id)).not.toContain(
    find('dirty').episode_id,
  )
  for (const { socket } of [willing, blind]) socket.close()
})

test('counts in events leave out what is hidden, and a twin by its guid is not named', async () => {
  const { host, app, root, guest, mixed } = await plant()
  using _ = host
  await using __ = app
  const blind = await connect(app.listen(), { Authorization: guest.authorization! })
  const items = ['clean', 'dirty', 'new', 'new-and-dirty'].map((guid, index) => ({
    guid,
    enclosure: `${host.origin}/a.mp3?${index}`,
    ...(guid.includes('dirty') && { extra: explicit }),
  }))
  host.feed('/mixed.xml', rss({ title: 'Mixed', items }))
  await root.podcasts.refresh(mixed.id)
  expect(await blind.frame('refreshedPodcast')).toMatchObject({ added: 1, podcast: { episode_count: 2 } })
  expect(await blind.frame('addedEpisodes')).toMatchObject({ total: 1, podcast_episodes: [{ guid: 'new' }] })
  blind.socket.close()

  const guid = '<podcast:guid>917393e3-1b1e-5cef-ace4-edaa54e1f810</podcast:guid>'
  await root.podcasts.add(host.feed('/one.xml', rss({ title: 'Unnamed', extra: explicit + guid })))
  const twin = host.feed('/two.xml', rss({ title: 'Harmless', extra: guid }))
  expect(await refusal(guest.podcasts.add(twin))).toMatchObject({ code: 'explicit-not-allowed' })
})

test('a plain user adds as many podcasts as the limit says', async () => {
  const { host, app } = await plant()
  using _ = host
  await using __ = app
  const pia = await app.signUp('pia')
  for (let count = 0; count < 5; count++)
    await pia.podcasts.add(host.feed(`/pia-${count}.xml`, rss({ title: `Pia ${count}` })))
  expect(await refusal(pia.podcasts.add(host.feed('/pia-6.xml', rss({ title: 'Pia 6' }))))).toMatchObject({
    status: 403,
    code: 'podcast-limit-reached',
    args: { limit: '5', current: '5', adding: '1' },
  })
  const uma = await app.signUp('uma', 'uploader')
  expect(await uma.podcasts.add(`${host.origin}/pia-6.xml`)).toMatchObject({ name: 'Pia 6' })
})
