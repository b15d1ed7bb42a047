import { act, fireEvent, screen } from '@testing-library/react'
import { expect, test } from 'bun:test'
import { SeekBar, spokenTime } from '../../../src/ui/player/seek-bar'
import { createPlayer, show } from '../../support/player-parts'

test('the slider shows where it would go while it is dragged, and seeks when it is let go', () => {
  const setup = createPlayer()
  const { player, log } = setup
  show(<SeekBar />, setup)
  const slider = screen.getByRole<HTMLInputElement>('slider')
  fireEvent.change(slider, { target: { value: '120' } })
  expect([slider.value, log]).toEqual(['120', []])
  act(() => void (player.position.value = 5))
  expect(slider.value).toBe('120')
  fireEvent.pointerUp(slider)
  expect([slider.value, log]).toEqual(['5', ['seek 120']])
})

test('the slider moves by ten with the page keys and with Shift, and stays within the episode', () => {
  const setup = createPlayer()
  const { player, log } = setup
  player.position.value = 595
  show(<SeekBar />, setup)
  const slider = screen.getByRole<HTMLInputElement>('slider')
  for (const [key, shiftKey] of [
    ['PageUp', false],
    ['PageDown', false],
    ['ArrowLeft', true],
    ['ArrowLeft', false],
  ] as const) {
    fireEvent.keyDown(slider, { key, shiftKey })
    fireEvent.keyUp(slider, { key })
  }
  expect(log).toEqual(['seek 600', 'seek 585', 'seek 585'])
})

test('an episode whose length is unknown cannot be dragged', () => {
  const setup = createPlayer()
  setup.player.duration.value = 0
  show(<SeekBar />, setup)
  expect(screen.getByRole<HTMLInputElement>('slider').disabled).toBe(true)
})

test('the track is in pieces, one for each chapter, filled as far as was played and received', () => {
  const setup = createPlayer()
  const { player } = setup
  player.position.value = 150
  player.buffered.value = 225
  const { container } = show(<SeekBar />, setup, [0, 100, 200, 700])
  const pieces = [...container.querySelectorAll<HTMLElement>('.track > i')].map(({ style }) =>
    ['flex-grow', '--played', '--buffered'].map(name => Number(style.getPropertyValue(name))),
  )
  expect(pieces).toEqual([
    [100, 1, 1],
    [100, 0.5, 1],
    [400, 0, 0.0625],
  ])
})

test('a podcast of very many chapters has a track in one piece', () => {
  const setup = createPlayer()
  const { container } = show(
    <SeekBar />,
    setup,
    Array.from({ length: 80 }, (_, index) => index * 5),
  )
  expect(container.querySelectorAll('.track > i')).toHaveLength(1)
})

test('under the pointer, and with the focus of a keyboard, the track tells the time and the chapter', () => {
  const setup = createPlayer()
  const { container } = show(<SeekBar />, setup, [0, 300])
  const track = container.querySelector<HTMLElement>('.track')!
  track.getBoundingClientRect = () => ({ left: 100, width: 200 }) as DOMRect
  const bubble = () => container.querySelector('.seek-bubble')?.textContent
  expect(bubble()).toBe(undefined)
  fireEvent.pointerMove(track, { clientX: 250, pointerType: 'mouse' })
  expect(bubble()).toBe('07:30chapter-number')
  fireEvent.pointerLeave(track)
  expect(bubble()).toBe(undefined)
})

test.each([
  ['Chapter 2', 'Chapter 2'],
  ['02. Fog', '02. Fog'],
  ['Fog of 2024', 'chapter-number'],
])('the number of a chapter is not said twice: %p', (title, said) => {
  const setup = createPlayer()
  const { container } = show(<SeekBar />, setup, [0, 300], title)
  const track = container.querySelector<HTMLElement>('.track')!
  track.getBoundingClientRect = () => ({ left: 100, width: 200 }) as DOMRect
  fireEvent.pointerMove(track, { clientX: 250, pointerType: 'mouse' })
  expect(container.querySelector('.seek-bubble')?.textContent).toBe(`07:30${said}`)
})

test('a screen reader hears the position, the length and the chapter', () => {
  const setup = createPlayer()
  setup.player.position.value = 320
  show(<SeekBar />, setup, [0, 300])
  expect(screen.getByRole('slider').getAttribute('aria-valuetext')).toBe('position-of, at 300')
})

test('times are said as a person would', () => {
  expect([5, 60, 760, 3600, 3900].map(spokenTime)).toEqual([
    '5 seconds',
    '1 minute',
    '12 minutes 40',
    '1 hour',
    '1 hour 5 minutes',
  ])
})

test('the time at the end is what is left, or the whole length', () => {
  const setup = createPlayer()
  const { player, log } = setup
  player.position.value = 60
  show(<SeekBar />, setup)
  fireEvent.click(screen.getByText('10:00'))
  act(() => void (player.showsRemaining.value = true))
  expect(screen.getByText('−09:00')).toBeTruthy()
  expect(log).toEqual(['toggleRemaining'])
})
