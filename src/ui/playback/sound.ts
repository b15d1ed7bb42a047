import { signal, type Signal } from '@preact/signals-core'
import type { Preferences } from '../../shared/api/settings'
import { nextPlaybackRate } from '../../shared/limits'
import type { Engine } from './engine'

const MAX_VOLUME = 300

export type Sound = ReturnType<typeof createSound>
/** The sound that a listener chose for a podcast; null = as this browser has it. */
export type OwnSound = Pick<Preferences, 'speed' | 'boost' | 'skipSilence'>
type Storage = Pick<globalThis.Storage, 'getItem' | 'setItem'>

const noOwn: OwnSound = { speed: null, boost: null, skipSilence: null }

/**
 * Rate, volume and trimmed silence: those of the listener, which this browser remembers, or while a podcast with its own
 * sound plays, those, which change nothing that this browser remembers.
 */
export function createSound(engine: Engine, storage: Storage) {
  const values = createValues(engine, storage)
  const { usualRate, usualVolume, usualSilence, own, rate, volume, skipsSilence, isMuted, change } = values
  const isOwn = () => own.peek().speed !== null || own.peek().skipSilence !== null
  function toggleUsualSilence() {
    usualSilence.toggle()
    change({ skipSilence: own.peek().skipSilence })
  }
  function setRate(wanted: number) {
    if (isOwn()) change({ speed: wanted })
    else usualRate.keep(wanted)
  }
  return {
    rate,
    volume,
    isMuted,
    skipsSilence,
    /** The sound of the podcast that plays, as far as it differs from the usual one. */
    own,
    /** Those of podcasts without their own. */
    usualRate: usualRate.value,
    usualVolume: usualVolume.value,
    usualSilence: usualSilence.isOn,
    setUsualRate: usualRate.keep,
    setUsualVolume: usualVolume.keep,
    toggleUsualSilence,
    applyRate: values.applyRate,
    fade: values.fade,
    /** Follows the preferences of the podcast that plays now. */
    prefer: ({ speed, boost, skipSilence }: OwnSound) => change({ speed, boost, skipSilence }),
    /** Sets the rate of the podcast that plays. */
    chooseRate: (wanted: number) => change({ speed: wanted }),
    /** Sets the current rate for every podcast. */
    keepRate() {
      usualRate.keep(rate.peek())
      change({ speed: null })
    },
    /** Keeps the current sound for this podcast, or returns to the usual one. Only amplification belongs to a podcast. */
    setOwn(isWanted: boolean) {
      const boost = volume.peek() > 100 ? volume.peek() : null
      change(isWanted ? { speed: rate.peek(), skipSilence: skipsSilence.peek(), boost } : noOwn)
    },
    setRate,
    cycleRate: () => setRate(nextPlaybackRate(rate.peek())),
    setVolume(percent: number) {
      const wanted = Math.min(MAX_VOLUME, Math.max(0, Math.round(percent)))
      isMuted.value = false
      if (own.peek().boost !== null || (wanted > 100 && isOwn())) change({ boost: wanted })
      else usualVolume.keep(wanted)
    },
    toggleMute() {
      isMuted.value = !isMuted.value
      values.applyVolume()
    },
    /** Speeds through silence, if the browser can. */
    toggleSkipSilence() {
      if (isOwn()) change({ skipSilence: !skipsSilence.peek() })
      else toggleUsualSilence()
    },
  }
}

/** The values that apply now, and what the engine makes of them. */
function createValues(engine: Engine, storage: Storage) {
  const usualRate = createNumber(storage, 'player.rate', 1, followRate)
  const usualVolume = createNumber(storage, 'player.volume', 100, followVolume)
  const usualSilence = createSwitch(storage, 'player.skip-silence')
  const own = signal(noOwn)
  const rate = signal(1)
  const volume = signal(100)
  const isMuted = signal(false)
  const skipsSilence = signal(false)
  let fadedTo = 1

  const applyRate = () => engine.setRate(rate.peek())
  const applyVolume = () => engine.setVolume(isMuted.peek() ? 0 : volume.peek() * fadedTo)
  function followRate() {
    rate.value = own.peek().speed ?? usualRate.read()
    applyRate()
  }
  function followVolume() {
    volume.value = own.peek().boost ?? usualVolume.read()
    applyVolume()
  }
  function change(edit: Partial<OwnSound>) {
    own.value = { ...own.peek(), ...edit }
    if ('speed' in edit) followRate()
    if ('boost' in edit) followVolume()
    if (!('skipSilence' in edit)) return
    skipsSilence.value = own.peek().skipSilence ?? usualSilence.isOn.peek()
    engine.setSkipSilence(skipsSilence.peek())
  }
  change(noOwn)
  return {
    usualRate,
    usualVolume,
    usualSilence,
    own,
    rate,
    volume,
    isMuted,
    skipsSilence,
    applyRate,
    applyVolume,
    change,
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
