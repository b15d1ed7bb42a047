import { expect, test } from 'bun:test'
import { readConfig } from '../../../src/server/config'
import { addressOf, prefixOf, serverUrlOf } from '../../../src/server/http/core/links'

const config = readConfig({ TRUSTED_PROXIES: '10.0.0.0/8' })
const ask = (headers: Record<string, string>) => new Request('http://pod.example/', { headers })
const from = (address: string | null) => () => address

test.each([
  ['the peer itself', '203.0.113.7', null, '203.0.113.7'],
  ['a stranger who invents a header', '203.0.113.7', '198.51.100.1', '203.0.113.7'],
  ['a client behind our proxy', '10.0.0.1', '198.51.100.1', '198.51.100.1'],
  ['a client behind two of them', '10.0.0.1', '198.51.100.1, 10.0.0.2', '198.51.100.1'],
  ['a client that invents a hop before itself', '10.0.0.1', '192.0.2.9, 198.51.100.1', '198.51.100.1'],
  ['a client with a port', '10.0.0.1', '198.51.100.1:5555', '198.51.100.1'],
  ['a network of IPv6', '10.0.0.1', '[2001:db8:1:2:3:4:5:6]:443', '2001:db8:1:2::'],
  ['a header without an address', '10.0.0.1', 'unknown', '10.0.0.1'],
  ['a connection that was reset', '', '198.51.100.1', 'unknown'],
])('the address of %s', (_, peer, forwarded, expected) => {
  const request = ask(forwarded === null ? {} : { 'X-Forwarded-For': forwarded })
  expect(addressOf(request, from(peer), config)).toBe(expected)
})

test('only a trusted proxy says under which address the browser sees the server', () => {
  const request = ask({
    Host: 'inner:8000',
    'X-Forwarded-Proto': 'https',
    'X-Forwarded-Host': 'outer.example',
    'X-Forwarded-Prefix': '/pods',
  })
  expect(serverUrlOf(request, from('10.0.0.1'), config)).toBe('https://outer.example/pods/')
  expect(serverUrlOf(request, from('203.0.113.7'), config)).toBe('http://inner:8000/')
  expect(prefixOf(request, from('203.0.113.7'), config)).toBe('')
})
