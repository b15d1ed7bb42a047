import { expect, test } from 'bun:test'
import { startBucketLibrary } from '../../../../support/bucket-library'
import { appAt, signedInApp } from '../../../../support/audiobookshelf-app'
import { noise } from '../../../../support/builders'
import { media, startPlaying, type Playing } from '../../../../support/playing'

const total = media.byteLength
const bytesOf = async (response: Response) => new Uint8Array(await response.arrayBuffer())

async function download({ server, browser, episodes }: Playing) {
  await browser.episodes.download(episodes[0]!.episode_id)
  await server.event('downloadFinished')
}

test.each([
  ['downloaded', true],
  ['relayed', false],
])('the track of a session needs no sign-in: %s it comes whole, in ranges, and without a body', async (_, isHere) => {
  await using world = await startPlaying()
  if (isHere) await download(world)
  const { id } = (await world.play()).json
  const get = (headers: Record<string, string> = {}, method = 'GET', index: number | string = 1) =>
    world.server.fetch(`/public/session/${id}/track/${index}`, { method, headers })

  const whole = await get()
  expect([whole.status, whole.headers.get('content-type'), whole.headers.get('accept-ranges')]).toEqual([
    200,
    'audio/mpeg',
    'bytes',
  ])
  expect(await bytesOf(whole)).toEqual(media as never)
  const part = await get({ Range: 'bytes=1000-' })
  expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 1000-${total - 1}/${total}`])
  expect(await bytesOf(part)).toEqual(media.slice(1000) as never)
  const beyond = await get({ Range: `bytes=${total}-` })
  expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, `bytes */${total}`])
  const head = await get({}, 'HEAD')
  expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, String(total), ''])

  expect((await get({}, 'GET', 0)).status).toBe(200)
  expect((await get({}, 'GET', 2)).status).toBe(404)
  expect((await get({}, 'GET', 'one')).status).toBe(400)
  await world.app.post(`/api/session/${id}/close`)
  expect((await get()).status).toBe(404)
})

test.each([
  ['downloaded', true],
  ['relayed', false],
])('a file that is %s goes by the token of its app, and resumes where a download was cut', async (_, isHere) => {
  await using world = await startPlaying()
  if (isHere) await download(world)
  const { podcast, episode, app, server } = world
  const path = `/api/items/${podcast}/file/${episode}`
  const strangers = appAt(server)
  for (const address of [path, `${path}/download`]) {
    expect((await strangers.get(address)).status).toBe(401)
    expect((await strangers.get(`${address}?token=nonsense`)).status).toBe(401)
    expect((await server.fetch(`${address}?token=${app.token}`)).status).toBe(200)
    const rest = await server.fetch(address, {
      headers: { Authorization: `Bearer ${app.token}`, Range: 'bytes=5000-' },
    })
    expect([rest.status, rest.headers.get('content-range')]).toEqual([206, `bytes 5000-${total - 1}/${total}`])
    expect(await bytesOf(rest)).toEqual(media.slice(5000) as never)
  }
  expect((await app.get(path)).headers.get('content-disposition')).toBe('inline')
  expect((await app.get(`${path}/download`)).headers.get('content-disposition')).toBe(
    "attachment; filename*=UTF-8''Fog.mp3",
  )
  const other = `/api/items/${podcast}/file/${crypto.randomUUID()}`
  expect((await app.get(other)).status).toBe(404)
  expect((await app.get(`/api/items/${crypto.randomUUID()}/file/${episode}/download`)).status).toBe(404)
})

test('a host that is away fails in words, without an empty body', async () => {
  await using world = await startPlaying()
  world.host.on('/0.mp3', () => new Response('', { status: 503 }))
  const { id } = (await world.play()).json
  const { status, text } = await appAt(world.server).get(`/public/session/${id}/track/1`)
  expect([status, text]).toEqual([502, "The episode's host answered 503"])
})

test('media in a bucket are relayed, or reached by a redirect where those are on', async () => {
  const bytes = noise(200_000)
  for (const isRedirected of [false, true]) {
    await using library = await startBucketLibrary({
      bytes,
      env: { AUDIOBOOKSHELF_API: 'true', S3_REDIRECT: String(isRedirected) },
    })
    await library.fill()
    const { app: server, podcast } = library
    // In open mode, whatever is typed.
    const app = await signedInApp(server, 'anybody')
    const uuid = server.context.store.episodes.findByEid(library.idOf())!.uuid
    const { id } = (await app.post(`/api/items/${podcast.id}/play/${uuid}`)).json
    for (const path of [`/public/session/${id}/track/1`, `/api/items/${podcast.id}/file/${uuid}?token=${app.token}`]) {
      const range = { headers: { Range: 'bytes=1000-1999' } }
      const first = await server.fetch(path, range)
      expect(first.status).toBe(isRedirected ? 302 : 206)
      const part = isRedirected ? await fetch(first.headers.get('location')!, range) : first
      expect([part.status, part.headers.get('content-range')]).toEqual([206, 'bytes 1000-1999/200000'])
      expect(await bytesOf(part)).toEqual(bytes.slice(1000, 2000) as never)
    }
  }
})

test('the file of a cover leads to the cover of a podcast that there is, and of no other', async () => {
  await using world = await startPlaying()
  const { app, podcast, server } = world
  const headers = { Authorization: `Bearer ${app.token}` }
  const found = await server.fetch(`/api/items/${podcast}/file/cover-${podcast}`, { headers, redirect: 'manual' })
  expect([found.status, found.headers.get('location')]).toEqual([
    302,
    expect.stringMatching(new RegExp(`/api/items/${podcast}/cover\\?raw=1$`)),
  ])
  for (const id of ['x', '%E2%82%AC', 'x%0D%0Ay', '%F0%9F%92%A9', '%2F%2Fevil.example%2F', '%00'])
    expect([id, (await app.get(`/api/items/${id}/file/cover-${id}`)).status]).toEqual([id, 404])
})
