import { expect, test } from 'bun:test'
import { signedInApp } from '../../../../support/audiobookshelf-app'
import { startLibrary, type Library } from '../../../../support/audiobookshelf-library'

const explicit = '<itunes:explicit>yes</itunes:explicit>'

/** A library with an explicit podcast, and another one with an explicit episode. */
async function startHalfHidden() {
  const library = await startLibrary()
  const open = await library.add({
    title: 'Open talk',
    items: [{ title: 'Clean talk' }, { title: 'Strong talk', extra: explicit }],
  })
  const hidden = await library.add({ title: 'Strong talk radio', extra: explicit, items: [{ title: 'Strong' }] })
  await library.server.signUp('bob', 'user', true)
  const bob = await signedInApp(library.server, 'bob')
  const all = (await bob.get(`/api/items/${open}?expanded=1`)).json.media.episodes
  const strong = all.find((one: any) => one.title === 'Strong talk').id as string
  const [secret] = (await bob.get(`/api/items/${hidden}?expanded=1`)).json.media.episodes
  return { library, bob, open, hidden, strong, secret: secret.id as string }
}

/** Everything that an app can list, as text. */
async function everythingOf(library: Library, open: string): Promise<string> {
  const paths = [
    'items?limit=0',
    'personalized',
    'recent-episodes?limit=100',
    'search?q=strong',
    'search?q=talk',
    'podcast-titles',
    'opml',
  ].map(path => `/api/libraries/${library.libraryId}/${path}`)
  const answers = await Promise.all(
    [...paths, `/api/items/${open}`, `/api/items/${open}?expanded=1`].map(path => library.app.get(path)),
  )
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
  return answers.map(({ text }) => text).join('\n')
}

test('nothing explicit is in any list of a user who did not agree to see it', async () => {
  const { library, open, hidden, strong, secret } = await startHalfHidden()
  await using _ = library
  library.play(strong, 20)
  library.play(secret, 20, { finished: true })
  const text = await everythingOf(library, open)
  expect(text).toContain('Clean talk')
  for (const trace of [hidden, strong, secret, 'Strong']) expect(text).not.toContain(trace)
})

test('counts and filters leave out what is explicit', async () => {
  const { library, bob, open } = await startHalfHidden()
  await using _ = library
  const list = await library.get('items?include=numEpisodesIncomplete')
  expect(list.total).toBe(1)
  expect(list.results[0]).toMatchObject({ id: open, media: { numEpisodes: 1 }, numEpisodesIncomplete: 1 })
  expect((await library.get('items?filter=explicit')).total).toBe(0)
  expect((await library.get('stats')).totalItems).toBe(1)
  expect((await library.get('filterdata')).podcastCount).toBe(1)
  const seen = await bob.get(`/api/libraries/${library.libraryId}/items?filter=explicit`)
  expect(seen.json.total).toBe(1)
})

test('what is explicit is refused when it is named, and unknown to nobody', async () => {
  const { library, bob, open, hidden, strong, secret } = await startHalfHidden()
  await using _ = library
  for (const path of [
    `/api/items/${hidden}`,
    `/api/items/${hidden}?expanded=1`,
    `/api/podcasts/${hidden}/episode/${secret}`,
    `/api/podcasts/${open}/episode/${strong}`,
  ]) {
    const { status, text } = await library.app.get(path)
    expect([status, text]).toEqual([403, 'Forbidden'])
    expect((await bob.get(path)).status).toBe(200)
  }
  const { json } = await library.app.post('/api/items/batch/get', { libraryItemIds: [hidden, open] })
  expect(json.libraryItems.map((item: any) => item.id)).toEqual([open])
})

test('addresses of a feed with a password stay on the server, and so do those of a folder', async () => {
  await using library = await startLibrary()
  const { host, server } = library
  const feed = host.feed('/private.xml', '')
  host.on('/private.xml', request =>
    request.headers.has('authorization')
      ? new Response(
          `<rss><channel><title>Members</title><item><title>One</title><guid>https://cdn.example/one.mp3?token=T0p</guid>
           <enclosure url="https://cdn.example/one.mp3?token=T0p" type="audio/mpeg" length="1"/></item></channel></rss>`,
        )
      : new Response(null, { status: 401 }),
  )
  const root = server.context.store.users.find(server.context.admin.id)!
  const members = await server.context.subscribe(root, feed.replace('://', '://anna:S3cret@'))
  const item = await library.app.get(`/api/items/${members.uuid}?expanded=1`)
  const list = await library.app.get(`/api/libraries/${library.libraryId}/items`)
  const opml = await library.app.get(`/api/libraries/${library.libraryId}/opml`)
  for (const { text } of [item, list, opml]) {
    expect(text).not.toContain('S3cret')
    expect(text).not.toContain('T0p')
    expect(text).not.toContain('private.xml')
  }
  expect(item.json.media.metadata.feedUrl).toBeNull()
  expect(item.json.media.episodes[0].enclosure).toBeNull()
})

test('a podcast without a feed has no address that an app could ask', async () => {
  await using library = await startLibrary()
  const { store } = library.server.context
  const folder = store.podcasts.add({
    title: 'Tapes',
    folder: 'Tapes',
    feedUrl: 'castellan-folder:tapes',
    privacy: 0,
    userId: library.user.id,
    now: Date.UTC(2026, 0, 1),
  })
  const item = await library.app.get(`/api/items/${folder.uuid}`)
  expect(item.json.media.metadata).toMatchObject({ title: 'Tapes', author: null, feedUrl: null })
  expect(item.text).not.toContain('castellan-folder')
  expect((await library.app.get(`/api/libraries/${library.libraryId}/opml`)).text).not.toContain('castellan-folder')
})
