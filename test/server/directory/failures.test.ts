import { expect, test } from 'bun:test'
import { readConfig } from '../../../src/server/config'
import { createDirectories } from '../../../src/server/directory/directories'
import { OutboundError } from '../../../src/server/outbound/error'
import { createOutbound, type Outbound } from '../../../src/server/outbound/request'
import { refusal, startClock } from '../../support/app'
import { startFeedHost } from '../../support/feed-host'

const failing = (failure: Error) => {
  const outbound = { get: () => Promise.reject(failure) } as unknown as Outbound
  return createDirectories({ outbound, now: startClock(), keys: null })
}

test('a slow directory, an unreachable one and one that answers with an error are told apart', async () => {
  expect(await refusal(failing(new OutboundError('timeout', 'itunes.apple.com')).searchItunes('fog'))).toMatchObject({
    code: 'upstream-timeout',
    message: 'iTunes took too long to answer',
  })
  expect(
    await refusal(failing(new OutboundError('unreachable', 'itunes.apple.com')).searchItunes('fog')),
  ).toMatchObject({ code: 'directory-unreachable', message: 'iTunes cannot be reached' })
  const badStatus = new OutboundError('bad-status', 'itunes.apple.com', { status: 500 })
  expect(await refusal(failing(badStatus).searchItunes('fog'))).toMatchObject({
    code: 'directory-unreachable',
    message: 'iTunes gave no usable answer',
  })
})

test.each(['null', '[]', '"fog"', '12', '<html>', ''])('the answer %p is no usable one', async body => {
  using host = startFeedHost()
  host.on('/search', () => new Response(body))
  const directories = createDirectories({
    outbound: createOutbound(readConfig({})),
    now: startClock(),
    keys: null,
    addresses: { itunes: host.origin, podindex: host.origin },
  })
  expect(await refusal(directories.searchItunes('fog'))).toMatchObject({
    code: 'directory-unreachable',
    message: 'iTunes gave no usable answer',
  })
})

test('without a key the Podcast Index is not asked', async () => {
  expect(await refusal(failing(new Error('asked')).searchPodindex('fog'))).toMatchObject({
    code: 'podindex-not-configured',
  })
})
