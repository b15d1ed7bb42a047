import { act, fireEvent, screen } from '@testing-library/react'
import { expect, test } from 'bun:test'
import { MuteButton, VolumePopup, VolumeSlider } from '../../../src/ui/player/volume'
import { createPlayer, show, shown } from '../../support/player-parts'

test('a muted player is silent on the slider, and keeps its volume', () => {
  const setup = createPlayer()
  const { player, log } = setup
  show(
    <>
      <MuteButton />
      <VolumeSlider />
    </>,
    setup,
  )
  const slider = screen.getByRole<HTMLInputElement>('slider')
  expect(slider.value).toBe('100')
  act(() => void (player.isMuted.value = true))
  expect([slider.value, player.volume.value]).toEqual(['0', 100])
  fireEvent.click(shown('unmute'))
  fireEvent.change(slider, { target: { value: '90' } })
  expect(log).toEqual(['toggleMute', 'setVolume 90'])
})

test('the volume promises no more than this device can do', () => {
  const setup = createPlayer()
  setup.player.volume.value = 250
  show(<VolumeSlider />, setup)
  // There is no amplifier here.
  const slider = screen.getByRole<HTMLInputElement>('slider')
  expect([slider.max, slider.value]).toEqual(['100', '100'])
})

test('where the volume is the system’s, its button only mutes', () => {
  const volume = Object.getOwnPropertyDescriptor(HTMLMediaElement.prototype, 'volume')!
  Object.defineProperty(HTMLMediaElement.prototype, 'volume', { ...volume, get: () => 1 })
  const setup = createPlayer()
  show(<VolumePopup />, setup)
  fireEvent.click(shown('mute'))
  Object.defineProperty(HTMLMediaElement.prototype, 'volume', volume)
  expect([setup.log, screen.queryByRole('slider')]).toEqual([['toggleMute'], null])
})

test('elsewhere its button opens a slider, and Escape closes that alone', () => {
  const setup = createPlayer()
  show(<VolumePopup />, setup)
  fireEvent.click(shown('volume 100 %'))
  const isPassedOn = fireEvent.keyDown(screen.getByRole('slider'), { key: 'Escape' })
  expect([isPassedOn, screen.queryByRole('slider')]).toEqual([false, null])
})
