import { expect, test } from 'bun:test'
import { type WorkKind, workKinds } from '../../src/shared/api/job'
import { startTestApp } from '../support/app'

/** Keys that name rows. Nothing has them here. */
const keys: Partial<Record<WorkKind, string>> = {
  cover: '99 https://cdn.example/cover.png',
  import: '99 1',
  rename: '99 1',
}

test.each(workKinds)('an item that is gone by now can be tried again, and is no longer set aside: %s', async kind => {
  await using app = await startTestApp()
  const { store } = app.context
  store.begunWork.begin({ kind, key: keys[kind] ?? '99', label: 'The lamp', deaths: 0 }, 1)
  store.begunWork.countDeaths(1, 2)
  const [item] = await app.setAside.list()
  expect(item).toMatchObject({ kind, label: 'The lamp' })
  await app.setAside.retry(item!)
  expect(await app.setAside.list()).toEqual([])
})
