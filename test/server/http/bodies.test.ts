import { expect, test } from 'bun:test'
import { basic, startTestApp, withPasswords } from '../../support/app'
import { bodyOf, sendWhole } from '../../support/raw-client'

/** More than the buffers between the two hold. */
const SIZE = 12_000_000
const TRIES = 2
const root = basic('root', 'Sup3rSecret')

/** Calls that are refused before their body is read, and how. A body of a GET is beyond reach: the engine hands none over. */
const refusals: readonly (readonly [call: string, status: number, headers?: Record<string, string>])[] = [
  ['POST /api/v1/podcasts/feed', 401],
  ['POST /api/v1/podcasts/feed', 413, { Authorization: root }],
  ['POST /api/v1/podcasts/opml', 415, { Authorization: root, 'Content-Type': 'image/png' }],
  ['POST /api/v1/podcasts/opml', 403, { Authorization: root, Origin: 'https://evil.example' }],
  ['POST /api/v1/login', 413],
  ['PUT /api/v1/nothing', 404],
  ['PATCH /api/v1/podcasts', 405],
  ['POST /media/x.mp3', 405],
  ['POST /ui/x', 405],
  ['POST /api/2/episodes/alice.json', 401],
  ['PUT /subscriptions/alice/phone.json', 401],
  ['POST /api/2/nothing/root.json', 404, { Authorization: root }],
  ['DELETE /api/2/episodes/root.json', 405, { Authorization: root }],
  ['POST /index.php/apps/gpoddersync/subscription_change/create', 401],
  ['POST /index.php/login/v2/poll', 413],
]

const withCredentials = refusals.map(([call, status, headers = {}]) => ({ call, status, headers }))

test('a request that is answered early is read to its end first, so that its client gets the answer', async () => {
  await using app = await startTestApp({ env: withPasswords })
  const origin = app.listen()
  const found: string[] = []
  const wanted: string[] = []
  for (const { call, status, headers } of withCredentials)
    for (const [isChunked, expect] of [
      [false, ''],
      [true, ''],
      [false, '100-continue'],
    ] as const) {
      const { header, bytes } = bodyOf(SIZE, isChunked)
      const all: Record<string, string> = {
        Host: new URL(origin).host,
        Connection: 'close',
        'Content-Type': 'application/json',
        ...(expect && { Expect: expect }),
        ...headers,
      }
      const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
      const head = [`${call} HTTP/1.1`, ...lines, header].join('\r\n')
      const answers = await Promise.all(
        Array.from({ length: TRIES }, () =>
          sendWhole(origin, head, bytes).then(answer => /^HTTP\/1\.1 (\d+) /.exec(answer)?.[1] ?? answer),
        ),
      )
      found.push(`${call} ${header.split(':')[0]} ${expect} ${answers.join(' ')}`)
      wanted.push(`${call} ${header.split(':')[0]} ${expect} ${Array(TRIES).fill(status).join(' ')}`)
    }
  expect(found).toEqual(wanted)
})
