import { signal } from '@preact/signals-core'
import { act, fireEvent, screen } from '@testing-library/react'
import { expect, test } from 'bun:test'
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

test('in full screen one press on the speed opens all speeds, and its name says which one is on', async () => {
  const setup = createPlayer()
  Object.assign(setup.player, { skipsSilence: signal(false), timeSaved: signal({ saved: 0, trimmed: 0 }) })
  show(<Tools onBookmark={async () => undefined} />, setup)
  fireEvent.click(shown('1× speed'))
  expect(setup.log).toEqual([])
  expect(screen.getAllByRole('menuitemradio').map(({ textContent }) => textContent)).toContain('2.5×')
})
