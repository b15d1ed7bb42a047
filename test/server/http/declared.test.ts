import { expect, test } from 'bun:test'
import { Type } from '@sinclair/typebox'
import { createAnswerCheck } from '../../../src/server/http/core/check-answers'
import { PodcastBrief } from '../../../src/shared/api/podcast'
import { startTestApp } from '../../support/app'
import { rss } from '../../support/builders'
import { startFeedHost } from '../../support/feed-host'

test('an answer that says more or less than its schema fails, so that nobody needs it to be cut', () => {
  const Tag = Type.Object({ id: Type.String(), note: Type.Optional(Type.String()) })
  const declared = { 200: Type.Array(Type.Union([Tag, Type.Object({ name: Type.String() })])), 202: Tag }
  const check = createAnswerCheck({ routes: [{ method: 'GET', path: '/tags', hooks: { declared } }] })

  expect(check('GET /tags', 200, [{ id: 'a' }, { name: 'b' }, { id: 'c', note: undefined }])).toBe(undefined)
  expect(check('GET /other', 200, { anything: true })).toBe(undefined)
  expect(check('GET /tags', 204, undefined)).toBe(undefined)
  expect(() => check('GET /tags', 200, [{ id: 'a', secret: 'x' }])).toThrow('GET /tags answers /0 against its schema')
  expect(() => check('GET /tags', 202, { id: 'a', secret: 'x' })).toThrow('GET /tags answers /secret against')
  expect(() => check('GET /tags', 202, {})).toThrow('GET /tags answers /id against its schema')
})

const owned = `
  <itunes:owner><itunes:name>Mara</itunes:name><itunes:email>mara@lighthouse.example</itunes:email></itunes:owner>
  <itunes:category text="News"/>`

test('a podcast is answered without the address of its owner, which is for directories', async () => {
  const host = startFeedHost()
  const app = await startTestApp()
  const feed = rss({ items: [{ title: 'One' }] }).replace('<item>', `${owned}<item>`)
  const { id } = await app.podcasts.add(host.feed('/feed.xml', feed))

  const stored = JSON.parse(app.context.store.podcasts.findByFeed(`${host.origin}/feed.xml`)!.extras) as object
  expect(stored).toMatchObject({ owner: { email: 'mara@lighthouse.example' }, categories: [['News']] })
  const answer = await (await app.fetch(`/api/v1/podcasts/${id}`)).text()
  expect(answer).not.toContain('mara@')
  expect(answer).not.toContain('categories')
})

test('the brief list of podcasts says the same of each as the whole one, in the same order', async () => {
  const host = startFeedHost()
  const app = await startTestApp()
  for (const [index, title] of ['Zebra', 'ant', 'Émile'].entries()) {
    const image = index === 0 ? '' : `<image><url>${`${host.origin}/${index}.png`}</url></image>`
    const feed = rss({ title, items: [{ title: `${title} 1` }, { title: `${title} 2` }] }).replace(
      '<item>',
      `${image}<item>`,
    )
    await app.podcasts.add(host.feed(`/${index}.xml`, feed))
  }
  const zebra = (await app.podcasts.list()).find(({ name }) => name === 'Zebra')
  await app.podcasts.favour(zebra!.id, true)

  const [whole, brief] = await Promise.all([app.podcasts.list(), app.podcasts.brief()])
  expect(brief.map(({ name }) => name)).toEqual(['ant', 'Émile', 'Zebra'])
  const fields = Object.keys(PodcastBrief.properties)
  const expected = whole.map(podcast => {
    const { original_image_url: picture, image_url } = podcast
    const shown = { ...podcast, image_url: picture === '' ? '' : image_url }
    return Object.fromEntries(Object.entries(shown).filter(([name]) => fields.includes(name)))
  })
  expect(brief).toEqual(expected as typeof brief)
  expect(brief.map(({ image_url }) => image_url === '')).toEqual([false, false, true])
})
