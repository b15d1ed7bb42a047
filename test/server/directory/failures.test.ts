import { expect, test } from 'bun:test'
import { createDirectories } from '../../../src/server/directory/directories'
import { OutboundError } from '../../../src/server/outbound/error'
import type { Outbound } from '../../../src/server/outbound/request'
import { refusal, startClock } from '../../support/app'

const failing = (failure: Error) => {
  const outbound = { get: () => Promise.reject(failure) } as unknown as Outbound
  return createDirectories({ outbound, now: startClock(), keys: null })
}

test('a directory that takes too long is told from one that cannot be reached', async () => {
  expect(await refusal(failing(new OutboundError('timeout', 'itunes.apple.com')).searchItunes('fog'))).toMatchObject({
    code: 'upstream-timeout',
    message: 'iTunes took too long to answer',
  })
  const unreachable = new OutboundError('bad-status', 'itunes.apple.com', { status: 500 })
  expect(await refusal(failing(unreachable).searchItunes('fog'))).toMatchObject({
    code: 'directory-unreachable',
    message: 'iTunes cannot be reached',
  })
})

test('without a key the Podcast Index is not asked', async () => {
  expect(await refusal(failing(new Error('asked')).searchPodindex('fog'))).toMatchObject({
    code: 'podindex-not-configured',
  })
})
