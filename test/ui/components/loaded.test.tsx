import { fireEvent, render, screen } from '@testing-library/react'
import { expect, test } from 'bun:test'
import { Loaded } from '../../../src/ui/components/states'

const show = (data: string | null, error: unknown, retry = () => {}) =>
  render(
    <Loaded resource={{ data, error, retry }} rows={2}>
      {text => <output aria-label="data">{text}</output>}
    </Loaded>,
  )
const isShown = (name: string) => screen.queryByRole('status', { name }) !== null

test('a list that was never loaded shows a skeleton, then why it is missing and a way to try again', () => {
  const { unmount } = show(null, null)
  expect(isShown('loading')).toBeTrue()
  unmount()
  let retries = 0
  show(null, new Error('down'), () => retries++)
  expect(isShown('loading')).toBeFalse()
  fireEvent.click(screen.getByRole('button', { name: 'try-again' }))
  expect(retries).toBe(1)
})

test('a failed reload is shown above the older data', () => {
  show('older', new Error('down'))
  expect(screen.getByRole('alert')).toBeDefined()
  expect(isShown('data')).toBeTrue()
})
