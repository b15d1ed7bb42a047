import { expect, test } from 'bun:test'
import { sources } from '../../../src/server/moving/sources'
import { broughtBy } from '../../../src/ui/pages/settings/move-in/source-form'

test('every program whose file people bring says what is read from it, and no other does', () => {
  const files = sources.filter(({ isFile }) => isFile).map(({ name }) => name)
  expect(Object.keys(broughtBy).toSorted()).toEqual(files.toSorted())
})
