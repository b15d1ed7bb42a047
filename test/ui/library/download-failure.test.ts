import { afterAll, beforeAll, expect, test } from 'bun:test'
import en from '../../../locales/en.json'
import { showTexts } from '../../support/texts'
import { describeDownload } from '../../../src/ui/library/episodes/episode-facts'

beforeAll(() => showTexts('en', en))
afterAll(() => showTexts('en', {}))

const NOW = Date.parse('2026-11-22T12:00:00Z')
const describe = (state: string, errorCode: string | null, status: number | null = null, next: string | null = null) =>
  describeDownload({ state, errorCode, status, nextAttemptAt: next } as never, NOW)

test.each([
  ['media-unreachable', 404, 'Not downloaded: gone (404)'],
  ['media-unreachable', 410, 'Not downloaded: gone (410)'],
  ['media-unreachable', 403, 'Not downloaded: refused (403)'],
  ['media-unreachable', 500, 'Not downloaded: the host answered 500'],
  ['media-unreachable', null, 'Not downloaded: no connection to the host'],
  ['not-media', null, 'Not downloaded: not audio or video'],
  ['storage-failed', null, 'Not downloaded: for an unknown reason'],
])('a download that failed with %s and status %p says %p', (code, status, text) => {
  expect(describe('failed', code, status)).toEqual({ text, isFinal: true })
})

test('a download that waits after a failure says when it is tried again', () => {
  expect(describe('waiting', 'media-unreachable', 503, '2026-11-22T12:10:00Z')).toEqual({
    text: 'Not downloaded yet: the host answered 503. Next try in 10 minutes',
    isFinal: false,
  })
})

test.each(['running', 'queued', 'paused'])('a download that is %s again keeps quiet about its last failure', state => {
  expect(describe(state, 'media-unreachable', 503)).toBeNull()
})

test('a download without a failure says nothing', () => expect(describe('waiting', null)).toBeNull())
