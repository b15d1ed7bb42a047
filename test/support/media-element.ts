/** A file as its host sends it to a media element. */
export type HostKind = {
  /** Seconds of sound. */
  length: number
  /** The length that the element reports before it has played all of it; `Infinity` = unknown. */
  says: number
  /** Whether any second can be asked for; otherwise the element is given second 0. */
  hasParts: boolean
}

/**
 * A media element as browsers have it, as far as our engine knows it: nothing happens until the test lets time pass. It
 * seeks at once, at most to the end that it knows.
 */
export function createMediaElement(host: () => HostKind) {
  const listeners = new Map<string, Set<() => void>>()
  const fire = (...names: string[]) => names.forEach(name => listeners.get(name)?.forEach(listener => listener()))
  let time = 0
  let src: string | null = null
  const state = {
    preload: '',
    volume: 1,
    muted: false,
    playbackRate: 1,
    defaultPlaybackRate: 1,
    readyState: 0,
    seeking: false,
    duration: Number.NaN,
    paused: true,
    ended: false,
    error: null as { code: number } | null,
    buffered: { length: 0 },
  }
  function empty() {
    Object.assign(state, { readyState: 0, duration: Number.NaN, paused: true, ended: false, error: null })
    time = 0
  }
  const element = Object.assign(state, {
    addEventListener(name: string, listener: () => void) {
      if (!listeners.has(name)) listeners.set(name, new Set())
      listeners.get(name)!.add(listener)
    },
    getAttribute: () => src,
    removeAttribute: () => void (src = null),
    load: empty,
    async play() {
      state.paused = false
      if (state.ended) time = 0
      state.ended = false
      arrive()
      fire('playing')
    },
    pause() {
      if (state.paused) return
      state.paused = true
      fire('pause')
    },
  })
  const seekable = { length: 1, start: () => 0, end: () => (host().hasParts ? state.duration : 0) }
  Object.defineProperty(element, 'seekable', { get: () => (state.readyState === 0 ? { length: 0 } : seekable) })
  Object.defineProperty(element, 'src', {
    set(address: string) {
      src = address
    },
  })
  Object.defineProperty(element, 'currentTime', {
    get: () => time,
    set(seconds: number) {
      time = host().hasParts ? Math.min(seconds, state.duration) : 0
      state.ended = false
      fire('timeupdate')
    },
  })
  /** The first bytes are here. */
  function arrive() {
    if (state.readyState > 0 || src === null) return
    state.readyState = 4
    state.duration = host().says
    fire('durationchange', 'loadedmetadata')
  }
  return {
    element: element as unknown as HTMLAudioElement & HTMLVideoElement,
    isPlaying: () => !state.paused && state.readyState > 0,
    time: () => time,
    /** Plays for some seconds, or to the end. */
    pass(seconds: number) {
      const { length } = host()
      time = Math.min(time + seconds, length)
      if (time < length) return fire('timeupdate')
      Object.assign(state, { duration: length, ended: true, paused: true })
      fire('durationchange', 'timeupdate', 'ended')
    },
    /** The connection breaks: the element is back at its start. */
    breakOff() {
      state.error = { code: 2 }
      time = 0
      state.paused = true
      fire('error', 'timeupdate')
    },
  }
}
