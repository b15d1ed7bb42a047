import { describe, expect, test } from 'bun:test'
import { startTestApp, type TestApp } from '../../support/app'
import { rss } from '../../support/builders'
import { startFeedHost, type FeedHost } from '../../support/feed-host'

/** Lets the application reach `host` by https as well. Its certificate is not what these tests are about. */
function answerByHttps({ context: { outbound } }: TestApp, host: FeedHost): string {
  const secure = host.origin.replace('http:', 'https:')
  const { get } = outbound
  outbound.get = async (address, outgoing) => {
    if (!address.startsWith(secure)) return get(address, outgoing)
    const incoming = await get(address.replace(secure, host.origin), outgoing)
    // A redirect to http is followed to http, the address itself stays the one that was asked for.
    const isRedirected = incoming.hops.length > 0
    return { ...incoming, url: isRedirected ? incoming.url : address }
  }
  return secure
}

describe('a feed at an https address', () => {
  const announcing = (address: string) =>
    rss({ items: [{}], extra: `<itunes:new-feed-url>${address}</itunes:new-feed-url>` })

  async function startSecure() {
    const host = startFeedHost()
    const app = await startTestApp()
    app.prefill(0)
    const secure = answerByHttps(app, host)
    host.feed('/old.xml', rss({ items: [{}] }))
    const podcast = await app.podcasts.add(`${secure}/old.xml`)
    expect(podcast.rssfeed).toBe(`${secure}/old.xml`)
    const { id } = app.context.store.podcasts.findVisible(app.context.admin, podcast.id)!
    return {
      host,
      secure,
      async addressAfterRefresh() {
        expect(await app.context.refresh.refresh(id, { isAsked: true })).not.toMatchObject({ result: 'failed' })
        return (await app.podcasts.find(podcast.id)).rssfeed
      },
      async [Symbol.asyncDispose]() {
        await app[Symbol.asyncDispose]()
        host.stop()
      },
    }
  }

  test('moves to another https address that it announces', async () => {
    await using world = await startSecure()
    const { host, secure } = world
    host.feed('/new.xml', rss({ items: [{}] }))
    host.feed('/old.xml', announcing(`${secure}/new.xml`))
    expect(await world.addressAfterRefresh()).toBe(`${secure}/new.xml`)
  })

  test('does not move to an http address that it announces, and does not ask there', async () => {
    await using world = await startSecure()
    const { host, secure } = world
    host.feed('/new.xml', rss({ items: [{}] }))
    host.feed('/old.xml', announcing(`${host.origin}/new.xml`))
    expect(await world.addressAfterRefresh()).toBe(`${secure}/old.xml`)
    expect(host.requestsTo('/new.xml')).toEqual([])
  })

  test('does not move to an http address by a permanent redirect', async () => {
    await using world = await startSecure()
    const { host, secure } = world
    host.feed('/new.xml', rss({ items: [{}, { guid: 'another' }] }))
    host.on('/old.xml', () => Response.redirect(`${host.origin}/new.xml`, 301))
    expect(await world.addressAfterRefresh()).toBe(`${secure}/old.xml`)
    expect(host.requestsTo('/new.xml')).not.toEqual([])
  })
})
