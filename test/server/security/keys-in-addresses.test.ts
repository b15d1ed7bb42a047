import { expect, test } from 'bun:test'
import { filled, newKey, protectedRoutes } from '../../support/access'
import { goodPassword, startTestApp, withPasswords } from '../../support/app'
import { rss, silentMp3 } from '../../support/builders'
import { startFeedHost } from '../../support/feed-host'

test('T1: addresses for players and podcast apps hold a key that reads, of one user, and can be renewed; never a password or API key', async () => {
  using host = startFeedHost()
  await using app = await startTestApp({ env: withPasswords })
  app.prefill(0)
  const feed = rss({ items: [{ enclosure: host.file('/a.mp3', silentMp3(2)) }] })
  await app.as('root', 'Sup3rSecret').podcasts.add(host.feed('/feed.xml', feed))
  const alice = await app.signUp('alice')
  const apiKey = newKey()
  await alice.users.edit('alice', { apiKey })
  const { feedKey } = await alice.users.me()
  const text = await (await app.fetch(`/rss/apiKey/${feedKey}`)).text()
  expect(text).toContain(feedKey!)
  for (const secret of [apiKey, goodPassword, alice.authorization!.slice(6)]) expect(text).not.toContain(secret)

  const media = /http:\/\/localhost(\/media\/[^"&]+)/.exec(text)![1]!
  const withKey = (key: string) => app.fetch(`${media.replace(/\?.*/, '')}?apiKey=${key}`)
  expect((await withKey(feedKey!)).status).toBe(200)
  for (const { method, path } of protectedRoutes(app))
    if (/^\/(api|ws)|^\/subscriptions/.test(path)) {
      const { status } = await app.fetch(`${filled(path)}?apiKey=${feedKey}`, { method })
      expect([method, path, status]).toEqual([method, path, 401])
    }
  await alice.users.renewFeedKey()
  expect((await withKey(feedKey!)).status).toBe(401)
  expect((await app.fetch(`/rss/apiKey/${feedKey}`)).status).toBe(401)
})
