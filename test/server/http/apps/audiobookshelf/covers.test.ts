import { Glob } from 'bun'
import { expect, test } from 'bun:test'
import { appAt, signedInApp } from '../../../../support/audiobookshelf-app'
import { startLibrary } from '../../../../support/audiobookshelf-library'
import { paintCover } from '../../../../../src/server/demo/feeds'

const picture = paintCover(1, [200, 40, 40], [20, 20, 220])

/** A podcast whose cover is stored, and its address without a sign-in. */
async function startWithCover() {
  const library = await startLibrary()
  const image = library.host.file('/cover.png', picture, { type: 'image/png' })
  const item = await library.add({ image })
  await library.server.event('coverStored')
  const stranger = appAt(library.server)
  return { library, item, cover: `/api/items/${item}/cover`, stranger }
}

const typeOf = ({ headers }: { headers: Headers }) => headers.get('content-type')

test('a cover is shown without a sign-in, in the format that is asked for', async () => {
  const { library, cover, stranger } = await startWithCover()
  await using _ = library
  const webp = await stranger.get(`${cover}?width=100`, { Accept: 'image/avif,image/webp,*/*' })
  expect([webp.status, typeOf(webp)]).toEqual([200, 'image/webp'])
  const jpeg = await stranger.get(`${cover}?width=100`)
  expect([jpeg.status, typeOf(jpeg)]).toEqual([200, 'image/jpeg'])
  expect(typeOf(await stranger.get(`${cover}?format=webp`))).toBe('image/webp')
  const raw = await library.server.fetch(`${cover}?raw=1`)
  expect(Buffer.from(await raw.arrayBuffer()).equals(Buffer.from(picture))).toBeTrue()
})

test('a cover is as large as one of our sizes that fills the width, whatever is asked for', async () => {
  const { library, cover } = await startWithCover()
  await using _ = library
  const widthOf = async (query: string) => {
    const bytes = await (await library.server.fetch(`${cover}${query}`)).bytes()
    return (await new Bun.Image(bytes).metadata()).width
  }
  expect(await widthOf('?width=60')).toBe(64)
  expect(await widthOf('?width=65')).toBe(128)
  for (const query of ['', '?width=99999', '?width=x', '?width=-3', '?height=9&width=', '?width=1e999'])
    expect(await widthOf(query)).toBeGreaterThan(60)
})

test('a cover with a time in its address is kept for a day, one without is asked for again', async () => {
  const { library, cover, stranger } = await startWithCover()
  await using _ = library
  const kept = await stranger.get(`${cover}?ts=1`)
  expect(kept.headers.get('cache-control')).toBe('private, max-age=86400')
  const plain = await stranger.get(cover)
  expect(plain.headers.get('cache-control')).toBe('private, no-cache')
  const again = await stranger.get(cover, { 'If-None-Match': plain.headers.get('etag')! })
  expect([again.status, again.text]).toEqual([304, ''])
})

test('a podcast without a cover has the built-in one, and nothing is fetched for a stranger', async () => {
  await using library = await startLibrary()
  const image = library.host.on('/late.png', () => new Response(null, { status: 503 }))
  const item = await library.add({ image })
  await library.server.context.covers.fetchDue()
  const asked = library.host.requestsTo('/late.png').length
  for (let time = 0; time < 3; time++) {
    const answer = await appAt(library.server).get(`/api/items/${item}/cover?ts=${time}`)
    expect([answer.status, typeOf(answer)]).toEqual([200, 'image/png'])
    expect(answer.headers.get('cache-control')).toBe('private, no-cache')
  }
  expect(library.host.requestsTo('/late.png')).toHaveLength(asked)
})

test('the address of a cover changes with the cover', async () => {
  let time = Date.UTC(2026, 4, 1)
  await using library = await startLibrary({ now: () => time })
  const image = library.host.file('/cover.png', picture, { type: 'image/png' })
  const item = await library.add({ image })
  await library.server.event('coverStored')
  const before = (await library.app.get(`/api/items/${item}`)).json.updatedAt
  time += 8 * 24 * 3_600_000
  library.host.file('/cover.png', paintCover(2, [0, 0, 0], [255, 255, 255]), { type: 'image/png' })
  await library.server.context.covers.fetchDue()
  const app = await signedInApp(library.server, 'anna')
  const after = (await app.get(`/api/items/${item}`)).json.updatedAt
  expect([before, after]).toEqual([Date.UTC(2026, 4, 1), time])
})

test('pictures that were made for apps go with their podcast', async () => {
  const { library, item, cover, stranger } = await startWithCover()
  await using _ = library
  const { context, folder } = library.server
  const files = () => Array.fromAsync(new Glob('**/*').scan(`${folder}/covers`))
  for (const query of ['?width=64', '?width=64&format=webp', '?raw=1', ''])
    expect((await stranger.get(cover + query)).status).toBe(200)
  expect((await files()).filter(name => name.endsWith('.jpg'))).toHaveLength(2)
  await context.removePodcast(context.store.podcasts.find(context.store.catalogue.podcastId(item)!)!, true)
  expect(await files()).toEqual([])
  expect((await stranger.get(cover)).status).toBe(404)
})
