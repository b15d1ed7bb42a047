import { expect, test } from 'bun:test'
import { listAccess } from '../../../src/ui/pages/settings/apps/access-list'
import { findServerAddress } from '../../../src/ui/pages/settings/apps/reach'

test.each([
  ['https://pod.example', '', 'https://pod.example/', 'https://pod.example', false, false],
  [
    'https://pod.example',
    '/castellan',
    'https://pod.example/castellan/',
    'https://pod.example/castellan',
    false,
    false,
  ],
  ['http://192.168.1.5:8000', '', 'http://192.168.1.5:8000/', 'http://192.168.1.5:8000', false, true],
  ['http://nas.local:8000', '', 'https://pod.example/', 'http://nas.local:8000', false, true],
  // The browser stands on the server: phones need the address that the configuration names, if it names one.
  ['http://localhost:8000', '', 'https://pod.example/', 'https://pod.example', false, false],
  ['http://localhost:8000', '', 'http://localhost:8000/', 'http://localhost:8000', true, true],
  ['http://127.0.0.1:8000', '/pod', 'http://127.0.0.1:8000/pod/', 'http://127.0.0.1:8000/pod', true, true],
  ['http://[::1]:8000', '', 'http://[::1]:8000/', 'http://[::1]:8000', true, true],
  ['https://pod.localhost', '', 'https://pod.localhost/', 'https://pod.localhost', true, false],
  ['https://localhost.example', '', 'https://localhost.example/', 'https://localhost.example', false, false],
])('an app is told where the server is: %s%s', (origin, prefix, serverUrl, address, isLocal, isPlain) => {
  expect(findServerAddress({ origin, prefix, serverUrl })).toEqual({ address, isLocal, isPlain })
})

test('whatever has access stands in one list, last used first, and what was never used at the end', () => {
  const at = (day: number) => `2026-05-0${day}T00:00:00.000Z`
  const list = listAccess({
    sessions: [{ id: 'a', name: 'Car', createdAt: at(1), lastUsedAt: at(2), lastAddress: '192.0.2.1' }],
    passwords: [
      { id: 'b', name: 'Unused', assistant: null, createdAt: at(1), lastUsedAt: null, lastAddress: null },
      { id: 'c', name: 'Kasts', assistant: null, createdAt: at(1), lastUsedAt: at(4), lastAddress: '' },
      { id: 'd', name: 'Claude', assistant: 'reads', createdAt: at(1), lastUsedAt: at(1), lastAddress: '' },
    ],
    devices: [{ id: 'a', caption: 'Pixel', type: 'mobile', lastSyncAt: at(3) }],
  })
  expect(list.map(({ kind, name, lastAddress }) => [kind, name, lastAddress])).toEqual([
    ['password', 'Kasts', null],
    ['device', 'Pixel', null],
    ['session', 'Car', '192.0.2.1'],
    ['assistant-reads', 'Claude', null],
    ['password', 'Unused', null],
  ])
})
