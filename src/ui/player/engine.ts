/** What plays. The player knows it only by this, so that its rules are tested without a browser. */
export type Engine = {
  load: (address: string, at: number) => void
  play: () => Promise<void>
  pause: () => void
  seek: (seconds: number) => void
  setRate: (rate: number) => void
  /** Percent; above 100 the sound is amplified where the browser can. */
  setVolume: (percent: number) => void
  clear: () => void
}

export type EngineEvents = {
  onTime: (seconds: number) => void
  /** Null while unknown, as with a stream without a length. */
  onDuration: (seconds: number | null) => void
  onPlaying: () => void
  onPaused: () => void
  onWaiting: (isWaiting: boolean) => void
  onEnded: () => void
  onFailed: () => void
}

const isMobile = () => /android|iphone|ipad|ipod|mobile/i.test(navigator.userAgent)

/** The `<audio>` element, with an amplifier behind it from the first time it is turned above 100 %. */
export function createAudioEngine(audio: HTMLAudioElement, events: EngineEvents): Engine {
  let gain: GainNode | null = null
  let startAt = 0

  audio.preload = 'metadata'
  audio.addEventListener('timeupdate', () => events.onTime(audio.currentTime))
  audio.addEventListener('durationchange', () =>
    events.onDuration(Number.isFinite(audio.duration) ? audio.duration : null),
  )
  audio.addEventListener('loadedmetadata', () => {
    if (startAt > 0) audio.currentTime = startAt
    startAt = 0
  })
  audio.addEventListener('playing', () => {
    events.onWaiting(false)
    events.onPlaying()
  })
  audio.addEventListener('pause', () => {
    if (!audio.ended) events.onPaused()
  })
  audio.addEventListener('waiting', () => events.onWaiting(true))
  audio.addEventListener('ended', events.onEnded)
  audio.addEventListener('error', () => {
    if (audio.getAttribute('src')) events.onFailed()
  })

  function amplify(): GainNode {
    const context = new AudioContext()
    const node = context.createGain()
    context.createMediaElementSource(audio).connect(node).connect(context.destination)
    void context.resume()
    return node
  }

  return {
    load(address, at) {
      startAt = at
      audio.src = address
      audio.load()
    },
    play: () => audio.play(),
    pause: () => audio.pause(),
    seek(seconds) {
      if (audio.readyState === 0) startAt = seconds
      else audio.currentTime = seconds
    },
    setRate(rate) {
      audio.defaultPlaybackRate = rate
      audio.playbackRate = rate
    },
    setVolume(percent) {
      if (percent > 100 && !isMobile()) gain ??= amplify()
      if (gain) gain.gain.value = Math.max(1, percent / 100)
      audio.volume = Math.min(1, percent / 100)
    },
    clear() {
      audio.removeAttribute('src')
      audio.load()
    },
  }
}
