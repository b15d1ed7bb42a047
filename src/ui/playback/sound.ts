import { signal, type Signal } from '@preact/signals-core'
import type { Preferences } from '../../shared/api/settings'
import { nextPlaybackRate } from '../../shared/limits'
import type { Engine } from './engine'

const MAX_VOLUME = 300

export type Sound = ReturnType<typeof createSound>
type Storage = Pick<globalThis.Storage, 'getItem' | 'setItem'>

/**
 * Rate and volume: those of the listener, which this browser remembers, or while a podcast with its own preferences
 * plays, those, which change nothing that is remembered.
 */
export function createSound(engine: Engine, storage: Storage) {
  const usualRate = createNumber(storage, 'player.rate', 1, followRate)
  const usualVolume = createNumber(storage, 'player.volume', 100, followVolume)
  const rate = signal(1)
  const volume = signal(100)
  const isMuted = signal(false)
  const skipsSilence = createSwitch(storage, 'player.skip-silence')
  let preferences: Pick<Preferences, 'speed' | 'boost'> = { speed: null, boost: null }
  let fadedTo = 1

  const applyRate = () => engine.setRate(rate.value)
  const applyVolume = () => engine.setVolume(isMuted.value ? 0 : volume.value * fadedTo)
  function followRate() {
    rate.value = preferences.speed ?? usualRate.read()
    applyRate()
  }
  function followVolume() {
    volume.value = preferences.boost ?? usualVolume.read()
    applyVolume()
  }
  followRate()
  followVolume()
  engine.setSkipSilence(skipsSilence.isOn.value)

  return {
    rate,
    volume,
    /** Those of podcasts without their own. */
    usualRate: usualRate.value,
    usualVolume: usualVolume.value,
    isMuted,
    skipsSilence: skipsSilence.isOn,
    applyRate,
    /** Follows the preferences of the podcast that plays now. */
    prefer(wanted: Pick<Preferences, 'speed' | 'boost'>) {
      preferences = wanted
      followRate()
      followVolume()
    },
    /** Sets the rate of the podcast that plays. */
    chooseRate(wanted: number) {
      preferences = { ...preferences, speed: wanted }
      rate.value = wanted
      applyRate()
    },
    /** Sets the current rate for every podcast. */
    keepRate() {
      preferences = { ...preferences, speed: null }
      usualRate.keep(rate.value)
    },
    setUsualRate: usualRate.keep,
    setUsualVolume: usualVolume.keep,
    cycleRate() {
      rate.value = nextPlaybackRate(rate.value)
      if (preferences.speed === null) usualRate.keep(rate.value)
      else applyRate()
    },
    setVolume(percent: number) {
      volume.value = Math.min(MAX_VOLUME, Math.max(0, Math.round(percent)))
      isMuted.value = false
      if (preferences.boost === null) usualVolume.keep(volume.value)
      else applyVolume()
    },
    toggleMute() {
      isMuted.value = !isMuted.value
      applyVolume()
    },
    /** Speeds through silence, if the browser can. */
    toggleSkipSilence() {
      skipsSilence.toggle()
      engine.setSkipSilence(skipsSilence.isOn.value)
    },
    /** Lowers the volume to a share of it, 0 to 1, without changing the volume that is shown. */
    fade(share: number) {
      if (share === fadedTo) return
      fadedTo = share
      applyVolume()
    },
  }
}

/** Something that is on or off, and that this browser remembers. */
export function createSwitch(
  storage: Storage,
  key: string,
  fallback: 'on' | 'off' = 'off',
): { isOn: Signal<boolean>; toggle: () => void } {
  const isOn = signal((storage.getItem(key) ?? fallback) === 'on')
  return {
    isOn,
    toggle() {
      isOn.value = !isOn.value
      storage.setItem(key, isOn.value ? 'on' : 'off')
    },
  }
}

/** A number that this browser remembers. `read`: another tab may have changed it. */
function createNumber(storage: Storage, key: string, fallback: number, onKept: () => void) {
  const value = signal(fallback)
  function read() {
    const stored = Number(storage.getItem(key) ?? fallback)
    return (value.value = Number.isFinite(stored) ? stored : fallback)
  }
  read()
  return {
    value,
    read,
    keep(wanted: number) {
      value.value = wanted
      storage.setItem(key, String(wanted))
      onKept()
    },
  }
}
