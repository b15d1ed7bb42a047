import { expect, test } from 'bun:test'
import { createToasts } from '../../../src/ui/state/toasts'

test('a notice with an action takes the place of an older one with an action, and leaves the others', () => {
  const toasts = createToasts()
  const undo = { label: 'Undo', run() {} }
  toasts.done('Removed Fog', undo)
  toasts.failed('Not saved')
  toasts.done('Removed Lamps', undo)
  expect(toasts.all.value.map(({ text }) => text)).toEqual(['Not saved', 'Removed Lamps'])
})
