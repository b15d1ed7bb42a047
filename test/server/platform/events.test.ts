import { expect, test } from 'bun:test'
import { createEvents, type DomainEvent } from '../../../src/server/platform/events'

const removed = { type: 'fileRemoved', episodeId: 7 } as const

test('an event reaches every listener of its type, and no other', () => {
  const events = createEvents(() => {})
  const heard: string[] = []
  events.listen({ fileRemoved: ({ episodeId }) => heard.push(`first ${episodeId}`) })
  events.listen({ downloadFinished: () => heard.push('another type') })
  events.listen({ fileRemoved: ({ episodeId }) => heard.push(`second ${episodeId}`) })
  events.publish(removed)
  expect(heard).toEqual(['first 7', 'second 7'])
})

test('a listener that fails is reported, and keeps the event from nobody else', async () => {
  const failures: unknown[] = []
  const events = createEvents(error => failures.push(error))
  const heard: DomainEvent[] = []
  const [now, later] = [new Error('at once'), new Error('later')]
  events.listen({
    fileRemoved() {
      throw now
    },
  })
  events.listen({ fileRemoved: () => Promise.reject(later) })
  events.listenToAll(event => heard.push(event))
  events.publish(removed)
  await Promise.resolve()
  expect(failures).toEqual([now, later])
  expect(heard).toEqual([removed])
})

test('a listener that ended hears nothing more', () => {
  const events = createEvents(() => {})
  const heard: DomainEvent[] = []
  const stop = events.listenToAll(event => heard.push(event))
  stop()
  events.publish(removed)
  expect(heard).toEqual([])
})
