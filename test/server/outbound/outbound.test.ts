import { expect, test } from 'bun:test'
import { isWithin, kindOfAddress } from '../../../src/server/outbound/address'
import { publicOnly } from '../../../src/server/outbound/reach'
import { createOutbound } from '../../../src/server/outbound/request'
import { readConfig } from '../../../src/server/config'
import { refusal } from '../../support/app'
import { startFeedHost } from '../../support/feed-host'

const outbound = (allowed = '') => createOutbound(readConfig({ ALLOWED_NETWORKS: allowed }))

test.each([
  ['93.184.216.34', 'public'],
  ['2606:2800:220:1::1', 'public'],
  ['64:ff9b::5db8:d822', 'public'],
  ['127.0.0.1', 'private'],
  ['10.1.2.3', 'private'],
  ['172.16.0.1', 'private'],
  ['192.168.0.1', 'private'],
  ['100.64.0.1', 'private'],
  ['::1', 'private'],
  ['fd00::1', 'private'],
  ['::ffff:127.0.0.1', 'private'],
  ['64:ff9b::7f00:1', 'private'],
  ['::7f00:1', 'private'],
  ['64:ff9b:1:7f00:0:100:808:808', 'private'],
  ['0.0.0.0', 'never'],
  ['::', 'never'],
  ['169.254.169.254', 'never'],
  ['::ffff:169.254.169.254', 'never'],
  ['64:ff9b::a9fe:a9fe', 'never'],
  ['fd00:ec2::254', 'never'],
  ['100.100.100.200', 'never'],
  ['fe80::1', 'never'],
  ['fe80::1%eth0', 'never'],
  ['192.0.0.1', 'never'],
  ['198.18.0.1', 'never'],
  ['224.0.0.1', 'never'],
  ['255.255.255.255', 'never'],
  ['240.0.0.1', 'never'],
  ['2002:7f00:1::', 'never'],
  ['not an address', 'never'],
] as const)('%s is %s', (address, kind) => expect(kindOfAddress(address)).toBe(kind))

test('a network contains its addresses, also as IPv4-mapped IPv6', () => {
  const { allowedNetworks } = readConfig({ ALLOWED_NETWORKS: '192.168.1.0/24, fd12::/16' })
  expect(
    ['192.168.1.9', '::ffff:192.168.1.9', 'fd12::5', '192.168.2.1', '8.8.8.8'].map(address =>
      isWithin(address, allowedNetworks),
    ),
  ).toEqual([true, true, true, false, false])
})

test("a private network is reached only with permission, and only at the feed's own address", async () => {
  expect(await outbound().reachOf('http://127.0.0.1/feed', true)).toEqual({ home: '127.0.0.1' })
  expect(await refusal(outbound().reachOf('http://127.0.0.1/feed', false))).toMatchObject({
    code: 'address-not-allowed',
  })
  expect(await outbound('127.0.0.0/8').reachOf('http://127.0.0.1/feed', false)).toEqual({
    home: '127.0.0.1',
    networksOnly: true,
  })
  expect(await refusal(outbound().reachOf('http://169.254.169.254/', true))).toMatchObject({
    code: 'address-not-allowed',
  })

  using elsewhere = startFeedHost('127.0.0.2')
  elsewhere.on('/x', () => new Response('secret'))
  const reach = { home: '127.0.0.1' }
  expect(await refusal(outbound().get(`${elsewhere.origin}/x`, { reach }))).toMatchObject({
    code: 'address-not-allowed',
  })
  expect(elsewhere.requests).toHaveLength(0)
  expect((await outbound('127.0.0.2').get(`${elsewhere.origin}/x`, { reach })).response.status).toBe(200)
  expect(await refusal(outbound('127.0.0.2').get(`${elsewhere.origin}/x`, { reach: publicOnly }))).toMatchObject({
    code: 'address-not-allowed',
  })
})

test('every hop of a redirect is checked', async () => {
  using home = startFeedHost()
  using other = startFeedHost('127.0.0.3')
  home.on('/hop', () => Response.redirect(`${other.origin}/secret`))
  expect(await refusal(outbound().get(`${home.origin}/hop`, { reach: { home: '127.0.0.1' } }))).toMatchObject({
    code: 'address-not-allowed',
  })
  expect(other.requests).toHaveLength(0)
})

test('a password goes to the origin that it was given for, and not along a redirect', async () => {
  using home = startFeedHost()
  using other = startFeedHost()
  other.on('/x', () => new Response('x'))
  home.on('/hop', () => Response.redirect(`${other.origin}/x`))
  await outbound().get(`${home.origin}/hop`, {
    reach: { home: '127.0.0.1' },
    credentials: { user: 'u', password: 'p' },
  })
  expect(home.requests[0]!.headers.get('authorization')).toBe('Basic dTpw')
  expect(other.requests[0]!.headers.get('authorization')).toBeNull()
})

test('the name in the address is the Host, though the connection goes to the checked address', async () => {
  using host = startFeedHost()
  host.on('/x', request => new Response(request.headers.get('host')))
  const { port } = new URL(host.origin)
  const { response } = await outbound().get(`http://localhost:${port}/x`, { reach: { home: 'localhost' } })
  expect(await response.text()).toBe(`localhost:${port}`)
})

test('a name that is not resolved keeps nobody waiting: the deadline and the caller end the request', async () => {
  const deaf = createOutbound(readConfig({}), () => new Promise(() => undefined))
  const request = { reach: publicOnly, headers: {} }
  expect(await refusal(deaf.get('http://pod.example/', { ...request, timeoutMs: 1 }))).toMatchObject({
    code: 'timeout',
  })
  const caller = new AbortController()
  const refused = refusal(deaf.get('http://pod.example/', { ...request, signal: caller.signal }))
  caller.abort('stopping')
  expect(await refused).toBe('stopping')
})
