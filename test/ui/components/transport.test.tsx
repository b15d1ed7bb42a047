import { signal } from '@preact/signals-core'
import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, jest, test } from 'bun:test'
import { RateButton } from '../../../src/ui/player/rate-control'
import { Tools } from '../../../src/ui/player/tools'
import { Transport } from '../../../src/ui/player/transport-buttons'
import { createPlayer, show, shown } from '../../support/player-parts'

test('the button in the middle says what it does now', () => {
  const setup = createPlayer()
  const { player, log } = setup
  show(<Transport />, setup)
  fireEvent.click(shown('play'))
  act(() => void (player.isWaiting.value = true))
  expect(shown('pause').getAttribute('aria-busy')).toBe('true')
  fireEvent.click(shown('skip-back'))
  fireEvent.click(shown('skip-forward'))
  expect(log).toEqual(['toggle', 'skipBack', 'skipForward'])
})

test('the outer buttons go from chapter to chapter, and are absent without any', () => {
  const setup = createPlayer()
  const { player, log } = setup
  player.position.value = 80
  const { unmount } = show(<Transport />, setup, [0, 60, 200])
  fireEvent.click(shown('chapter-back'))
  fireEvent.click(shown('chapter-forward'))
  act(() => void (player.position.value = 201))
  fireEvent.click(shown('chapter-back'))
  expect(shown('chapter-forward')).toHaveProperty('disabled', true)
  expect(log).toEqual(['seek 60', 'seek 200', 'seek 60'])
  unmount()
  show(<Transport />, setup)
  expect(screen.queryByRole('button', { name: 'chapter-back' })).toBe(null)
})

test('the rate is shown, and changes by a click', () => {
  const setup = createPlayer()
  show(<RateButton />, setup)
  act(() => void (setup.player.rate.value = 1.5))
  fireEvent.click(screen.getByText('1.5×'))
  expect(setup.log).toEqual(['cycleRate'])
})

test('a long press on the speed, and Shift with an arrow, open the speeds between without a change', async () => {
  const setup = createPlayer()
  Object.assign(setup.player, { skipsSilence: signal(false), isOwnSound: signal(false) })
  show(<RateButton />, setup)
  const button = screen.getByRole('button')
  jest.useFakeTimers()
  fireEvent.pointerDown(button)
  act(() => void jest.advanceTimersByTime(600))
  jest.useRealTimers()
  fireEvent.pointerUp(button)
  fireEvent.click(button)
  const steps = await screen.findByRole('combobox')
  expect([setup.log, [...steps.querySelectorAll('option')].map(one => one.textContent).slice(16, 19)]).toEqual([
    [],
    ['1.3×', '1.35×', '1.4×'],
  ])
  fireEvent.click(screen.getByRole('button', { name: 'close' }))
  await waitFor(() => expect(screen.queryByRole('combobox')).toBe(null))
  fireEvent.keyDown(button, { key: 'ArrowUp', shiftKey: true })
  fireEvent.change(await screen.findByRole('combobox'), { target: { value: '1.35' } })
  expect(setup.log).toEqual(['setRate 1.35'])
})

test('in full screen a press on the speed changes to the next one', () => {
  const setup = createPlayer()
  Object.assign(setup.player, { skipsSilence: signal(false), timeSaved: signal({ saved: 0, trimmed: 0 }) })
  show(<Tools onBookmark={async () => undefined} />, setup)
  fireEvent.click(screen.getByText('1×'))
  expect(setup.log).toEqual(['cycleRate'])
})
