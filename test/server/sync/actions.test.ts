import { expect, test } from 'bun:test'
import { gzipSync } from 'node:zlib'
import { basic, goodPassword } from '../../support/app'
import { play, start } from '../../support/podcast-app'

test('played, set back and played again: each counts', async () => {
  await using running = await start()
  const { alice } = running
  await alice.upload([
    play(600, { timestamp: '2026-05-01T10:00:00' }),
    play(0, { timestamp: '2026-05-01T10:30:00', action: 'new' }),
    play(600, { timestamp: '2026-05-01T11:00:00' }),
  ])
  const { actions } = await alice.received('aggregated=true')
  expect(actions).toMatchObject([{ action: 'play', position: 600, timestamp: '2026-05-01T11:00:00' }])
})

test('a time before the epoch breaks nothing', async () => {
  await using running = await start()
  const { alice } = running
  await alice.upload([play(5, { timestamp: -1e14 })])
  expect((await alice.received()).actions).toMatchObject([{ timestamp: '1970-01-01T00:00:00' }])
})

test('a guid that is none is left out, one that is there comes back', async () => {
  await using running = await start()
  const { alice } = running
  const guids = ['null', ' ', 'fog-1']
  await alice.upload(guids.map((guid, index) => play(5, { guid, episode: `https://cdn.example/${index}.mp3` })))
  expect((await alice.received()).actions.map(({ guid }) => guid)).toEqual([undefined, undefined, 'fog-1'])
})

test('broken actions are left out and the rest kept, duplicates are kept once, a bad device is refused', async () => {
  await using running = await start()
  const { alice } = running
  const answer = await alice.upload([play(5), play(5), { action: 'play' }, 7, play(6, { action: 'dance' })])
  expect(answer.json).toMatchObject({ update_urls: [] })
  expect((await alice.received()).actions.length).toBe(1)
  expect((await alice.upload([play(5, { device: 'a b' })])).status).toBe(400)
  expect((await alice.upload('no json')).status).toBe(400)
})

test('an upload may be compressed and called a form', async () => {
  await using running = await start()
  const { alice } = running
  await alice.upload([play(5)])
  const zipped = await alice.call('POST', '/api/2/episodes/alice.json', {
    body: gzipSync(JSON.stringify([play(50)])),
    headers: {
      Authorization: basic('alice', goodPassword),
      'Content-Encoding': 'gzip',
      'Content-Type': 'application/x-www-form-urlencoded',
    },
  })
  expect(zipped.status).toBe(200)
  expect((await alice.received('aggregated=true')).actions).toMatchObject([{ position: 50 }])
})

test('a clock that goes back hides no actions', async () => {
  await using running = await start()
  const { alice, now } = running
  const { timestamp } = await alice.received('since=0')
  now.advance(-3_600_000)
  await alice.upload([play(9)])
  const later = await alice.received(`since=${timestamp}`)
  expect(later.actions).toMatchObject([{ position: 9 }])
  expect(later.timestamp).toBeGreaterThanOrEqual(timestamp)
})

test('an app may ask for one podcast', async () => {
  await using running = await start()
  const { alice } = running
  const other = 'https://feeds.example/lamps.xml'
  await alice.upload([play(5), play(6, { podcast: other, episode: 'https://cdn.example/two.mp3' })])
  expect((await alice.received(`podcast=${encodeURIComponent(other)}`)).actions).toMatchObject([{ position: 6 }])
})

test('a long list of actions is complete and in order, and lets others have their turn while it is written', async () => {
  await using running = await start()
  const { alice } = running
  const episodeAt = (at: number) => `https://cdn.example/${at}.mp3`
  await alice.upload(Array.from({ length: 2300 }, (_, at) => play(at % 600, { episode: episodeAt(at) })))
  let turns = 0
  let isDone = false
  const countTurns = () => {
    turns++
    if (!isDone) setImmediate(countTurns)
  }
  countTurns()
  const { actions } = await alice.received()
  isDone = true
  expect(actions.map(({ episode }) => episode)).toEqual(Array.from({ length: 2300 }, (_, at) => episodeAt(at)))
  expect(turns).toBeGreaterThan(3)
  expect((await alice.toldByCloud()).map(({ episode }: any) => episode)).toEqual(actions.map(({ episode }) => episode))
})
