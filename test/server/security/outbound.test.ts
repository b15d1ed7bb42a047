import { expect, test } from 'bun:test'
import { readConfig } from '../../../src/server/config'
import { ownAddresses, publicOnly } from '../../../src/server/outbound/reach'
import { createOutbound } from '../../../src/server/outbound/request'
import { refusal, startTestApp } from '../../support/app'
import { noise, rss } from '../../support/builders'
import { startFeedHost } from '../../support/feed-host'
import { listenForKnocks, PUBLIC, watchCalls } from '../../support/knocks'
import { freePort } from '../../support/ports'

test('S2: the runtime takes no proxy from the environment by itself, between the check of an address and its connection', async () => {
  using proxy = listenForKnocks()
  using host = startFeedHost()
  const address = host.on('/x', () => new Response('from the host'))
  const script = (call: string) =>
    `import { createOutbound } from './src/server/outbound/request'
     import { readConfig } from './src/server/config'
     const get = async () => (await createOutbound(readConfig({})).get('${address}', { reach: { home: '127.0.0.1' } })).response
     console.log(await (await ${call}).text())`
  const variable = `http://127.0.0.1:${proxy.port}`
  const run = async (call: string) => {
    const env = { ...process.env, HTTP_PROXY: variable, http_proxy: variable, NO_PROXY: '', no_proxy: '' }
    const child = Bun.spawn([process.execPath, '-e', script(call)], { env, stderr: 'ignore' })
    return (await new Response(child.stdout).text()).trim()
  }
  expect(await run('get()')).toBe('from the host')
  expect(proxy.knocks()).toBe(0)
  // The variable does mean something to others.
  expect(await run(`fetch('${address}')`)).toBe('secret')
})

test('S3: a request to a host carries nothing of whoever caused it but the range', async () => {
  using host = startFeedHost()
  await using app = await startTestApp()
  app.prefill(0)
  const enclosure = host.file('/a.mp3', noise(300_000))
  const feed = host.feed('/feed.xml', rss({ items: [{ enclosure }] }))
  const headers = {
    Range: 'bytes=5-9',
    Cookie: 'secret=1',
    Authorization: 'Basic eDp5',
    'X-Forwarded-For': '10.0.0.1',
    'X-Forwarded-User': 'root',
    'Remote-User': 'root',
    Referer: 'http://x/',
    'Content-Type': 'application/json',
  }
  await app.fetch('/api/v1/podcasts/feed', { method: 'POST', headers, body: JSON.stringify({ rssFeedUrl: feed }) })
  const [podcast] = await app.podcasts.list()
  const { data } = await app.podcasts.episodes(podcast!.id, {}, null)
  await app.fetch(new URL(data[0]!.podcastEpisode.local_url).pathname, { headers })
  const usual = ['accept', 'accept-encoding', 'connection', 'host', 'user-agent']
  expect([...host.requestsTo('/feed.xml')[0]!.headers.keys()].toSorted()).toEqual(usual)
  expect([...host.requestsTo('/a.mp3')[0]!.headers.keys()].toSorted()).toEqual([...usual, 'range'].toSorted())
})

test('S3: the server does not call itself, by its public address or by its port, not even for an admin', async () => {
  const port = freePort()
  const outbound = createOutbound(
    readConfig({ SERVER_URL: 'https://pod.example/castellan', PORT: String(port) }),
    async () => [PUBLIC],
  )
  using calls = watchCalls()
  expect(await refusal(outbound.get('https://pod.example/rss', { reach: publicOnly }))).toMatchObject({
    code: 'address-not-allowed',
  })
  for (const name of ['127.0.0.1', '127.8.8.8', '[::1]', '[::ffff:127.0.0.1]'])
    expect(await refusal(outbound.get(`http://${name}:${port}/`, { reach: { home: name } }))).toMatchObject({
      code: 'address-not-allowed',
    })
  expect(calls.called).toEqual([])
})

test('S3: where the system does not say which addresses are its own, fetching goes on; the unit lets it say so', async () => {
  const sandboxed = () => {
    throw new Error('A system error occurred: getifaddrs returned an error')
  }
  expect(ownAddresses(sandboxed)).toEqual([])
  expect(ownAddresses()).toContain('127.0.0.1')
  const unit = await Bun.file('packaging/castellan.service').text()
  expect(/^RestrictAddressFamilies=(.*)$/m.exec(unit)?.[1]).toContain('AF_NETLINK')
})
