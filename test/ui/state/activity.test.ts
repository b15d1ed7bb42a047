import { expect, test } from 'bun:test'
import type { AuditEntry } from '../../../src/shared/api/audit'
import type { AuditFilter } from '../../../src/ui/api/administration'
import { createActivity } from '../../../src/ui/state/administration'

const entry = (id: string) => ({ id }) as AuditEntry

/** Answers each page from a table, by its cursor; keeps what was asked for. */
function start(pages: Record<string, { ids: string[]; next: string | null }>) {
  const asked: (AuditFilter & { cursor: string | null })[] = []
  const activity = createActivity({
    async page(filter, cursor) {
      asked.push({ ...filter, cursor })
      const { ids, next } = pages[cursor ?? 'first']!
      return { data: ids.map(entry), nextCursor: next }
    },
  })
  return { asked, activity, ids: () => activity.items.value?.map(({ id }) => id) ?? null }
}

test('pages follow one another, and an act that was repeated meanwhile is shown once', async () => {
  const { activity, ids } = start({ first: { ids: ['5', '4'], next: 'a' }, a: { ids: ['4', '3'], next: null } })
  await activity.load()
  expect([ids(), activity.hasMore.value]).toEqual([['5', '4'], true])
  await activity.loadMore()
  expect([ids(), activity.hasMore.value]).toEqual([['5', '4', '3'], false])
})

test('another filter begins with the first page, and hides what did not fit it meanwhile', async () => {
  const { activity, asked, ids } = start({ first: { ids: ['5'], next: 'a' }, a: { ids: ['3'], next: null } })
  await activity.load()
  await activity.loadMore()
  expect(activity.isFiltered.value).toBe(false)
  const filtered = activity.setFilter({ topic: 'keys' })
  expect(ids()).toBe(null)
  await filtered
  expect([ids(), activity.isFiltered.value]).toEqual([['5'], true])
  expect(asked.at(-1)).toEqual({ person: '', topic: 'keys', day: '', cursor: null })
})

test('a failure leaves what is shown, and can be tried again', async () => {
  let isDown = true
  const activity = createActivity({
    async page() {
      if (isDown) throw new Error('away')
      return { data: [entry('1')], nextCursor: null }
    },
  })
  await activity.load()
  expect([activity.error.value, activity.items.value]).toEqual([new Error('away'), null])
  isDown = false
  await activity.retry()
  expect([activity.error.value, activity.items.value]).toEqual([null, [entry('1')]])
})
