import { expect, test } from 'bun:test'
import { mediaLimits } from '../../../src/server/media/limits'
import { createMediaReader, type MediaTasks } from '../../../src/server/media/reader'
import { createLog } from '../../../src/server/platform/log'
import { TaskFailed, type Thread } from '../../../src/server/thread'

/** A reader whose thread answers as the test says; `calls` are the limits that it was given. */
function startReader(answer: () => Promise<never>) {
  const lines: string[] = []
  const calls: unknown[] = []
  const thread = {
    runUntrusted: (_task: string, _request: unknown, limits: unknown) => {
      calls.push(limits)
      return answer()
    },
  } as unknown as Thread<MediaTasks>
  const log = createLog('debug', 'text', line => lines.push(line))
  return { ...createMediaReader({ thread, log }), lines, calls }
}

test('a file that takes too long has no chapters, and the log says why', async () => {
  const reader = startReader(() => Promise.reject(new TaskFailed('Took longer than 20 s')))
  expect(await reader.factsOf('/a.mp3', 'audio/mpeg')).toMatchObject({
    duration: null,
    chapters: [],
    unread: 'too-slow',
  })
  expect(reader.lines.join()).toContain('Chapters not read path="/a.mp3" reason="too-slow"')
})

test('a file on which the reader throws has no chapters either, and the log has the error', async () => {
  const reader = startReader(() => Promise.reject(new Error('unexpected byte')))
  expect(await reader.factsOf('/a.mp3', 'audio/mpeg')).toMatchObject({ duration: null, chapters: [], unread: null })
  expect(reader.lines.join()).toContain('unexpected byte')
})

test('media files are read before feeds that wait, and within a time of their own', async () => {
  const reader = startReader(() => Promise.reject(new TaskFailed('Took longer than 20 s')))
  await reader.factsOf('/a.mp3', 'audio/mpeg')
  expect(reader.calls).toEqual([{ timeoutMs: mediaLimits.timeoutMs, isUrgent: true }])
})
