import { expect, test } from 'bun:test'
import { parseOpml } from '../../../src/server/opml/parse'
import { refusal, startTestApp, temporaryFolder, withPasswords } from '../../support/app'
import { rss } from '../../support/builders'
import { encode, utf16 } from '../../support/encode'
import { startFeedHost } from '../../support/feed-host'
import { connect } from '../../support/socket'

const env = { ...withPasswords, ALLOWED_NETWORKS: '127.0.0.0/8' }
const opml = (outlines: string) => `<?xml version="1.0"?><opml version="2.0"><head/><body>${outlines}</body></opml>`

test('folders and categories are tags, every feed comes once, and attributes may be written in any way', () => {
  const outlines = parseOpml(
    opml(`
      <outline text="News"><outline text="Deep">
        <outline type="rss" text="One &amp; only" xmlUrl="https://a.example/1"/>
      </outline></outline>
      <outline text="" title="Two" xmlurl="https://a.example/2" category="/Talk/Daily,Evening"/>
      <outline text="Again"><outline xmlUrl="https://a.example/1" text="Other name"/></outline>
      <outline text="No feed at all"/>`),
  )
  expect(outlines).toEqual([
    { feedUrl: 'https://a.example/1', title: 'One & only', folders: ['News', 'Deep', 'Again'] },
    { feedUrl: 'https://a.example/2', title: 'Two', folders: ['Daily', 'Evening'] },
  ])
})

test('a folder that holds everything is no tag, and lists in capitals, without a body or of older programs are read', () => {
  const feed = (name: string) => ({ feedUrl: `https://a.example/${name}`, title: name, folders: [] as string[] })
  const one = '<outline text="1" type="rss" xmlUrl="https://a.example/1"/>'
  for (const wrapper of ['feeds', 'Subscriptions', 'My Podcasts', 'Podcast Subscriptions'])
    expect(parseOpml(opml(`<outline text="${wrapper}">${one}</outline>`))).toEqual([feed('1')])
  const inside = '<outline text="feeds"><outline text="News"><outline text="Feeds">'
  expect(parseOpml(opml(`${inside}${one}</outline></outline></outline>`))).toEqual([
    { ...feed('1'), folders: ['News', 'Feeds'] },
  ])
  const capitals = '<OPML><BODY><OUTLINE TEXT="1" XMLURL="https://a.example/1"/></BODY></OPML>'
  expect(parseOpml(capitals)).toEqual([feed('1')])
  expect(parseOpml(`<opml>${one}</opml>`)).toEqual([feed('1')])
  expect(parseOpml(opml('<outline text="1" type="RSS" url="https://a.example/1"/>'))).toEqual([feed('1')])
  const link = '<outline text="1" type="link" xmlUrl="https://a.example/1?a=1&b=2"/>'
  expect(parseOpml(opml(link))).toEqual([{ ...feed('1?a=1&b=2'), title: '1' }])
})

test('characters are read by their names and numbers, and what no XML may hold is left out', () => {
  expect(
    parseOpml(
      opml('<outline text="Tom&#39;s &#xE9;t&eacute; &amp;amp;" xmlUrl="https://a.example/?a=1&#38;b=\u00012"/>'),
    ),
  ).toEqual([{ feedUrl: 'https://a.example/?a=1&b=2', title: "Tom's été &amp;", folders: [] }])
})

test('a list in another charset is read: by address, as bytes, or as a body of XML', async () => {
  using host = startFeedHost()
  await using app = await startTestApp({ env })
  const root = app.as('root', 'Sup3rSecret')
  const list = opml('<outline text="Grüße von der Küste" xmlUrl="https://a.example/1"/>')
  for (const bytes of [utf16(list), encode(list, 'windows-1252'), Buffer.from(`\uFEFF${list}`)]) {
    host.on('/list.opml', () => new Response(new Uint8Array(bytes)))
    const titles = (await root.opml.preview({ url: `${host.origin}/list.opml` })).map(({ title }) => title)
    expect(titles).toEqual(['Grüße von der Küste'])
    expect(await root.opml.preview({ bytes: bytes.toString('base64') })).toMatchObject([
      { title: 'Grüße von der Küste' },
    ])
    const headers = { ...(root.authorization && { Authorization: root.authorization }), 'Content-Type': 'text/xml' }
    const body = new Uint8Array(bytes)
    const answer = await app.fetch('/api/v1/podcasts/opml/preview', { method: 'POST', headers, body })
    expect(await answer.json()).toMatchObject([{ title: 'Grüße von der Küste' }])
  }
  expect(await refusal(root.opml.preview({ content: list, bytes: '' }))).toMatchObject({ code: 'invalid-field' })
})

test('files that are no OPML, have no feed or declare entities are refused', () => {
  for (const text of [
    '',
    'hello',
    '<html><body/></html>',
    opml(''),
    '<opml><body><outline',
    `<!DOCTYPE x [<!ENTITY a "b">]>${opml('<outline xmlUrl="https://a.example/1"/>')}`,
  ])
    expect(() => parseOpml(text)).toThrow(expect.objectContaining({ code: 'invalid-opml' }))
  expect(() => parseOpml(opml('<outline xmlUrl="https://a.example/1"/>'.repeat(50_001)))).toThrow(
    expect.objectContaining({ code: 'too-many-outlines' }),
  )
})

test('an import adds what it can, says why it cannot, tags by folder, and tells its importer alone', async () => {
  using host = startFeedHost()
  await using app = await startTestApp({ env })
  app.prefill(0)
  const root = app.as('root', 'Sup3rSecret')
  const uma = await app.signUp('uma', 'uploader')
  const origin = app.listen()
  const hers = await connect(origin, { Authorization: uma.authorization! })
  const his = await connect(origin, { Authorization: root.authorization! })
  const present = await root.podcasts.add(host.feed('/present.xml', rss({ title: 'Present' })))
  host.feed('/good.xml', rss({ title: 'Good', items: [{}] }))
  host.on('/page.html', () => new Response('<html>no</html>', { headers: { 'Content-Type': 'text/html' } }))
  const content = opml(`<outline text="Folder">
    <outline text="Good" xmlUrl="${host.origin}/good.xml"/><outline text="Present" xmlUrl="${host.origin}/present.xml"/>
    </outline><outline text="Page" xmlUrl="${host.origin}/page.html"/><outline xmlUrl="${host.origin}/gone.xml" text="Gone"/>`)
  expect(await uma.opml.preview({ content })).toMatchObject([
    { title: 'Good', folder: 'Folder', known: false },
    { title: 'Present', folder: 'Folder', known: true },
    { title: 'Page', folder: null, known: false },
    { title: 'Gone', known: false },
  ])
  expect(await uma.podcasts.list()).toHaveLength(1)
  const { jobId, total } = await uma.opml.start({ content })
  expect(total).toBe(4)
  await app.event('opmlProgress', event => event.finished)
  const job = await uma.opml.job(jobId)
  expect(job).toMatchObject({ state: 'done', total: 4, done: 4, failed: 2, finishedAt: expect.any(String) })
  expect(job.items.map(({ title, errorCode }) => [title, errorCode])).toEqual([
    ['Page', 'not-a-feed'],
    ['Gone', 'feed-gone'],
  ])
  const tagged = (await uma.podcasts.list()).filter(podcast => podcast.tags.some(tag => tag.name === 'Folder'))
  expect(tagged.map(({ name }) => name)).toEqual(['Good', 'Present'])
  expect((await root.podcasts.find(present.id)).tags).toEqual([])
  expect(await hers.frame('opmlAdded')).toMatchObject({ jobId, total: 4 })
  expect(await hers.frame('opmlError')).toMatchObject({ jobId, message: expect.any(String) })
  expect(his.frames.filter(({ type }) => type.startsWith('opml'))).toEqual([])
  const bob = await app.signUp('bob')
  expect(await refusal(bob.opml.job(jobId))).toMatchObject({ status: 404, code: 'job-not-found' })
  expect(await root.opml.job(jobId)).toMatchObject({ id: jobId })
  for (const { socket } of [hers, his]) socket.close()
})

test('an import resumes after a restart', async () => {
  using host = startFeedHost()
  const folder = temporaryFolder()
  const count = 12
  const held = Promise.withResolvers<void>()
  for (let index = 0; index < count; index++) host.feed(`/${index}.xml`, rss({ title: `Podcast ${index}` }))
  const slow = Promise.withResolvers<void>()
  host.on('/0.xml', async () => {
    slow.resolve()
    await held.promise
    return new Response(rss({ title: 'Podcast 0' }))
  })
  const outlines = Array.from(
    { length: count },
    (_, index) => `<outline text="${index}" xmlUrl="${host.origin}/${index}.xml"/>`,
  )
  let jobId: string
  {
    await using app = await startTestApp({ env, folder })
    app.prefill(0)
    ;({ jobId } = await app.as('root', 'Sup3rSecret').opml.start({ content: opml(outlines.join('')) }))
    await slow.promise
    setTimeout(held.resolve, 50)
  }
  await using app = await startTestApp({ env, folder })
  app.context.opmlImport.resume()
  const root = app.as('root', 'Sup3rSecret')
  if ((await root.opml.job(jobId)).state !== 'done') await app.event('opmlProgress', event => event.finished)
  expect(await root.opml.job(jobId)).toMatchObject({ state: 'done', done: count, failed: 0 })
  expect(await root.podcasts.list()).toHaveLength(count)
})

test('an import adds only the chosen feeds, one import at a time, within the limit of a plain user', async () => {
  using host = startFeedHost()
  await using app = await startTestApp({ env: { ...env, USER_PODCAST_LIMIT: '1' } })
  app.prefill(0)
  const one = host.feed('/one.xml', rss({ title: 'One' }))
  const two = host.feed('/two.xml', rss({ title: 'Two', extra: '<podcast:guid>x</podcast:guid>' }))
  const content = opml(`<outline text="1" xmlUrl="${one}"/><outline text="2" xmlUrl="${two}"/>`)
  const pia = await app.signUp('pia')
  expect(await refusal(pia.opml.start({ content }))).toMatchObject({
    status: 403,
    code: 'podcast-limit-reached',
    args: { limit: '1', current: '0', adding: '2' },
  })
  await pia.opml.start({ content, only: [two] })
  expect(await refusal(pia.opml.start({ content, only: [two] }))).toMatchObject({
    status: 409,
    code: 'already-running',
  })
  await app.event('opmlProgress', event => event.finished)
  expect((await pia.podcasts.list()).map(({ name }) => name)).toEqual(['Two'])
  // An import that has finished does not block the next one.
  const root = app.as('root', 'Sup3rSecret')
  const wasThere = async (only: string[]) => {
    app.events.length = 0
    await root.opml.start({ content, only })
    await app.event('opmlProgress', event => event.finished)
    return app.events.flatMap(event => (event.type === 'opmlAdded' ? [event.existing] : []))
  }
  expect(await wasThere([one])).toEqual([false])
  expect(await wasThere([one, two])).toEqual([true, true])
})

test('an import that is cancelled adds nothing more, not even after a restart', async () => {
  using host = startFeedHost()
  const folder = temporaryFolder()
  // More than are fetched at once: the others have not begun.
  const count = 40
  const begun = Promise.withResolvers<void>()
  const held = Promise.withResolvers<void>()
  for (let index = 0; index < count; index++)
    host.on(`/${index}.xml`, async () => {
      begun.resolve()
      await held.promise
      return new Response(rss({ title: `Podcast ${index}` }))
    })
  const outlines = Array.from(
    { length: count },
    (_, index) => `<outline text="${index}" xmlUrl="${host.origin}/${index}.xml"/>`,
  )
  let jobId: string
  let added: number
  {
    await using app = await startTestApp({ env, folder })
    app.prefill(0)
    const root = app.as('root', 'Sup3rSecret')
    ;({ jobId } = await root.opml.start({ content: opml(outlines.join('')) }))
    await begun.promise
    await root.opml.cancel(jobId)
    expect(await app.event('opmlProgress', event => event.finished)).toMatchObject({ jobId })
    held.resolve()
    await app.context.opmlImport.stop()
    expect(await root.opml.job(jobId)).toMatchObject({ state: 'cancelled' })
    added = (await root.podcasts.list()).length
    expect(added).toBeLessThan(count)
  }
  await using app = await startTestApp({ env, folder })
  app.context.opmlImport.resume()
  await app.context.opmlImport.stop()
  const root = app.as('root', 'Sup3rSecret')
  expect(await root.podcasts.list()).toHaveLength(added)
  expect(await root.opml.job(jobId)).toMatchObject({ state: 'cancelled' })
})

test('an export gives back names, addresses and tags, without credentials, and reads as an import', async () => {
  using host = startFeedHost()
  await using app = await startTestApp({ env })
  app.prefill(0)
  const root = app.as('root', 'Sup3rSecret')
  const url = host.feed('/feed.xml', rss({ title: 'Fish & "Chips" <3' }))
  const podcast = await root.podcasts.add(url.replace('http://', 'http://mara:secret@'))
  const tag = await root.tags.create({ name: 'A, b/c', color: 'Red' })
  await root.tags.assign(tag.id, podcast.id)
  const answer = await app.fetch('/api/v1/settings/opml/online', { headers: { Authorization: root.authorization! } })
  expect(answer.headers.get('content-disposition')).toBe('attachment; filename="podcast_online.opml"')
  expect(answer.headers.get('content-type')).toContain('xml')
  const text = await answer.text()
  expect(text).not.toContain('secret')
  expect(parseOpml(text)).toEqual([{ feedUrl: url, title: 'Fish & "Chips" <3', folders: ['A b c'] }])
  const { feedKey } = await root.users.me()
  expect(await root.opml.exported('local')).toContain(`/rss/apiKey/${feedKey}/${podcast.id}`)
  expect(await refusal(root.client.get('/settings/opml/other'))).toMatchObject({ status: 422 })
})
