import { expect, test } from 'bun:test'
import type { Transcription } from '../../../src/shared/api/texts'
import { describeTranscription, shareSent } from '../../../src/ui/library/episodes/transcription-state'
import { createLiveTranscriptions, type LiveTranscription } from '../../../src/ui/state/live-state'

const event = (more: Partial<LiveTranscription>): LiveTranscription => ({
  id: 't',
  episodeId: 'fog',
  state: 'running',
  sentBytes: 0,
  totalBytes: null,
  errorCode: null,
  nextAttemptAt: null,
  ...more,
})

test('the part that was sent is known until all of it is, and then nobody knows how far the server is', () => {
  expect(shareSent({ sentBytes: null, totalBytes: null })).toBeNull()
  expect(shareSent({ sentBytes: 25, totalBytes: 100 })).toBe(0.25)
  expect(shareSent({ sentBytes: 100, totalBytes: 100 })).toBeNull()
})

test('a transcription that does not go on says why, in the words of the server too', () => {
  const failed = {
    state: 'failed',
    errorCode: 'transcription-refused',
    message: 'The server answered 413: big',
    attempts: 0,
    nextAttemptAt: null,
  } as Transcription
  expect(describeTranscription(failed, { sentBytes: null, totalBytes: null })).toEndWith(
    'The server answered 413: big.',
  )
})

test('the newest news of each episode count', () => {
  const { byEpisode, progressed } = createLiveTranscriptions()
  progressed(event({ sentBytes: 1 }))
  progressed(event({ sentBytes: 2 }))
  progressed(event({ episodeId: 'lamps', state: 'done' }))
  expect([...byEpisode.value].map(([id, { state, sentBytes }]) => [id, state, sentBytes])).toEqual([
    ['fog', 'running', 2],
    ['lamps', 'done', 0],
  ])
})

test('after a gap only what is done is still known, and the others are to be asked for again', () => {
  const { byEpisode, gaps, progressed, missed } = createLiveTranscriptions()
  progressed(event({}))
  progressed(event({ episodeId: 'lamps', state: 'done' }))
  missed()
  expect([[...byEpisode.value.keys()], gaps.value]).toEqual([['lamps'], 1])
})
