import type { Levelling } from './leveller'
import type { SoundGraph } from './sound-graph'

// Why: docs/internals/decisions/0014

/** Whether the sound may go through a graph of ours. Phones stop it when the screen turns off. */
export const canShapeSound = () =>
  typeof AudioContext !== 'undefined' && !/android|iphone|ipad|ipod|mobile/i.test(navigator.userAgent)

/** The loudest that this device can play, in percent. */
export const maxVolume = () => (canShapeSound() ? 300 : 100)

/** Whether the page can set the volume. iPhones leave it to their buttons, and ignore what an element is set to. */
export function canSetVolume(): boolean {
  const probe = new Audio()
  probe.volume = 0.5
  return probe.volume === 0.5
}

/**
 * Speed and loudness of the element that plays now: up to 100 percent by the element itself, louder by an amplifier. It
 * speeds through silence and levels the loudness on request. `beforeShaping` is called before the graph gets the sound.
 */
export function createShaper(elements: HTMLMediaElement[], current: () => HTMLMediaElement, beforeShaping: () => void) {
  let graph: SoundGraph | null = null
  let isLoading = false
  let rate = 1
  let percent = 100
  let skipsSilence = false
  let levelling: Levelling | null = null
  /** Whether the element that plays is one of ours; a speaker's is not changed. */
  let isOurs = true

  const isWanted = () => (percent > 100 || skipsSilence || levelling !== null) && canShapeSound()
  const isNeeded = () => isOurs && isWanted() && !current().paused
  /** Makes the graph as soon as something plays that needs it. */
  async function begin() {
    if (graph || isLoading || !isNeeded()) return
    isLoading = true
    const loaded = await import('./sound-graph').catch(() => null)
    isLoading = false
    // Without it the sound is unchanged, and the next press tries again.
    if (!loaded || !isNeeded()) return
    beforeShaping()
    graph = loaded.createSoundGraph()
    for (const element of elements) graph.add(element)
    apply()
  }
  function apply() {
    graph?.amplify(percent)
    graph?.skipSilence(skipsSilence && isOurs, { current, rate: () => rate })
    graph?.level(isOurs ? levelling : null, current)
  }
  function setElement(media: HTMLMediaElement) {
    media.volume = Math.min(1, percent / 100)
    // Even if the system sets the volume, an element can be muted.
    media.muted = percent === 0
  }
  return {
    begin,
    /** Shapes the sound of another element as well. */
    add(element: HTMLMediaElement) {
      elements.push(element)
      graph?.add(element)
    },
    /** Whether the graph shapes the sound, or will once it plays. */
    isShaping: () => graph !== null || isWanted(),
    /** Makes the element that plays from now on sound like the last one; one that is not ours keeps its volume. */
    changeTo(next: HTMLMediaElement, options: { isOurs: boolean }) {
      isOurs = options.isOurs
      if (isOurs) setElement(next)
      next.defaultPlaybackRate = rate
      next.playbackRate = rate
      apply()
    },
    setRate(wanted: number) {
      rate = wanted
      current().defaultPlaybackRate = rate
      current().playbackRate = rate
    },
    setVolume(wanted: number) {
      percent = wanted
      void begin()
      graph?.amplify(percent)
      if (isOurs) setElement(current())
    },
    setSkipSilence(isOn: boolean) {
      skipsSilence = isOn
      void begin()
      apply()
    },
    setLevelling(wanted: Levelling | null) {
      levelling = wanted
      void begin()
      apply()
    },
  }
}
