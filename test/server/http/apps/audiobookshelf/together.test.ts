import { expect, test } from 'bun:test'
import type { DomainEvents } from '../../../../../src/server/platform/events'
import { withPasswords } from '../../../../support/app'
import { appOf, textOf } from '../../../../support/podcast-app'
import { MINUTE, startPlaying } from '../../../../support/playing'

test('a browser, a phone and two apps of Audiobookshelf see at once where the others are', async () => {
  await using world = await startPlaying()
  const { app, browser, now, feed, episodes, podcast } = world
  const { episode_id: eid, url: enclosure } = episodes[0]!
  const phone = appOf(world.server, 'root', withPasswords.PASSWORD)
  const tablet = await world.signIn()
  await phone.saveDevice('pixel', { type: 'mobile' })
  const shown = async () => ({
    browser: (await browser.playback.find(eid)).position,
    phone: (await phone.received()).actions.findLast(({ episode }) => episode === enclosure)?.position,
    app: (await world.progress()).json.currentTime,
    tablet: (await tablet.get('/api/me')).json.mediaProgress[0].currentTime,
  })
  const everywhere = (position: number) => ({ browser: position, phone: position, app: position, tablet: position })

  const { id } = (await world.play()).json
  now.advance(MINUTE)
  await app.post(`/api/session/${id}/sync`, { currentTime: 60, timeListened: 60, duration: 600 })
  expect(await shown()).toEqual(everywhere(60))

  now.advance(MINUTE)
  await browser.playback.save({ podcastEpisodeId: eid, time: 120, total: 600 })
  expect(await shown()).toEqual(everywhere(120))

  now.advance(MINUTE)
  const action = { podcast: feed, episode: enclosure, action: 'play', device: 'pixel', timestamp: textOf(now()) }
  await phone.upload([{ ...action, started: 120, position: 180, total: 600 }])
  expect(await shown()).toEqual(everywhere(180))

  now.advance(MINUTE)
  await tablet.patch(`/api/me/progress/${podcast}/${world.episode}`, { currentTime: 240 })
  expect(await shown()).toEqual(everywhere(240))

  // The first app stops where it was minutes ago: it has nothing new to tell.
  await app.post(`/api/session/${id}/close`, { currentTime: 60, timeListened: 0 })
  expect(await shown()).toEqual(everywhere(240))

  const progress = world.server.events.filter(
    ({ type }) => type === 'progress',
  ) as unknown as DomainEvents['progress'][]
  expect(progress.map(({ position, playSession, source }) => [position, playSession, source])).toEqual([
    [60, id, 'library'],
    [120, '', 'library'],
    [180, '', 'sync'],
    [240, '', 'library'],
  ])
})

test('an episode of unknown length that an app marks as played or unplayed is so on phones', async () => {
  await using world = await startPlaying([{ title: 'Fog' }])
  const { app, podcast, episode, episodes } = world
  const phone = appOf(world.server, 'root', withPasswords.PASSWORD)
  await phone.saveDevice('pixel', { type: 'mobile' })
  const set = (body: object) => app.patch(`/api/me/progress/${podcast}/${episode}`, body)
  const received = async () => {
    world.now.advance(MINUTE)
    const { actions } = await phone.received()
    const { action, position, total } = actions.findLast(({ episode }) => episode === episodes[0]!.url)!
    return [action, position, total]
  }
  await set({ currentTime: 50 })
  // Without one, apps would take the position for the end.
  expect(await received()).toEqual(['play', 50, 3600])
  await set({ isFinished: true })
  expect(await received()).toEqual(['play', 50, 50])
  await app.delete(`/api/me/progress/${episode}`)
  expect(await received()).toEqual(['new', undefined, undefined])
  // Without a position either, zeros tell of the end.
  await set({ isFinished: true })
  expect(await received()).toEqual(['play', 0, 0])
})

test('an episode that an app finishes leaves the queue', async () => {
  await using world = await startPlaying()
  await world.browser.queue.addAll([world.episode], 'next')
  expect((await world.browser.queue.find()).items).toHaveLength(1)
  const { id } = (await world.play()).json
  await world.app.post(`/api/session/${id}/sync`, { currentTime: 595, timeListened: 1 })
  expect((await world.browser.queue.find()).items).toEqual([])
})
