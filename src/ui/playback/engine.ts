import type { Levelling } from './leveller'
import { createShaper } from './shaper'
import { createSpare, empty } from './spare'

/** The media elements, as the player sees them, so that its rules can be tested without a browser. */
export type Engine = {
  load: (address: string, at: number, options: { isVideo: boolean }) => void
  play: () => Promise<void>
  /** Fetches the beginning of the audio that plays next, so that `load` of the same address needs no wait. */
  prepare: (address: string, at: number) => void
  pause: () => void
  seek: (seconds: number) => void
  setRate: (rate: number) => void
  /** Sets the volume in percent; above 100 the sound is amplified if the browser can. */
  setVolume: (percent: number) => void
  /** Speeds through silence, if the browser can. */
  setSkipSilence: (isOn: boolean) => void
  /** Levels the loudness of what is loaded, if the browser can; null = leaves it as it is. */
  setLevelling: (wanted: Levelling | null) => void
  /**
   * Continues at a second on another element, whose sound we can't shape; null: on ours again, once something is
   * loaded.
   */
  moveTo: (element: HTMLMediaElement | null, at: number) => void
  clear: () => void
}

export type EngineEvents = {
  onTime: (seconds: number) => void
  /** The second up to which the sound can be heard without waiting. */
  onBuffered: (seconds: number) => void
  /** Null while the length is unknown, as with a stream without one. */
  onDuration: (seconds: number | null) => void
  onPlaying: () => void
  onPaused: () => void
  onWaiting: (isWaiting: boolean) => void
  onEnded: () => void
  /** The host can't send parts of the file: it did not seek as requested, but continues at `seconds`. */
  onSeekRefused: (seconds: number) => void
  /** The host can't send parts, so the browser receives everything up to the requested second. */
  onSeekSlow: () => void
  /** `isNetwork`: the file was there, and the connection broke. */
  onFailed: (isNetwork: boolean) => void
}

/** Seconds by which a media element may miss the second that it should seek to. */
const TOLERANCE = 10
/** The number of reports of arriving bytes, three a second, after which a seek counts as slow. */
const PATIENCE = 9

type Elements = { audio: HTMLAudioElement; video: HTMLVideoElement }

/**
 * An `<audio>` and a `<video>` element, used one at a time; both are connected to an amplifier once it is needed.
 * `mayRedirect`: the server redirects to the bucket that has a file.
 */
export function createMediaEngine(elements: Elements, events: EngineEvents, { mayRedirect = false } = {}): Engine {
  const deck = createDeck(elements, events)
  const { now, source, shaper, seeks, follow, change, seek } = deck
  const spare = createSpare(elements, shaper.add)
  const isDirect = (address: string) =>
    mayRedirect && now.media !== now.away && !shaper.isShaping() && !address.startsWith('blob:')

  /** Continues on the element that has the beginning of an address already. */
  function takeSpare(next: HTMLMediaElement, at: number) {
    follow(next)
    change(next)
    source.adopt()
    now.startAt = 0
    reportFile(next, events)
    if (Math.abs(next.currentTime - at) > 1) seek(at)
  }
  /** Plays on the element that has played before: some browsers refuse others without a press. */
  function playOnKnown(error: unknown) {
    const known = nameOf(error) === 'NotAllowedError' && spare.giveBack(now.media)
    if (!known) throw error
    const address = now.media.getAttribute('src')!
    now.startAt = now.media.currentTime
    change(known)
    source.load(address, false)
    return source.play()
  }
  return {
    load(address, at, { isVideo }) {
      seeks.begin(null)
      const ready = !now.away && !isVideo && spare.take(address)
      if (ready) return takeSpare(ready, at)
      spare.drop()
      change(now.away ?? (isVideo ? elements.video : elements.audio))
      now.startAt = at
      source.load(address, isDirect(address))
    },
    prepare(address, at) {
      if (!now.away && !isDirect(address)) spare.begin(address, at)
    },
    play: () => source.play().catch(playOnKnown),
    pause: () => now.media.pause(),
    seek,
    setRate: shaper.setRate,
    setVolume: shaper.setVolume,
    setSkipSilence: shaper.setSkipSilence,
    setLevelling: shaper.setLevelling,
    moveTo(element, at) {
      spare.drop()
      now.away = element
      if (element) follow(element)
      change(element ?? elements.audio)
      seek(at)
    },
    clear() {
      spare.drop()
      empty(now.media)
    },
  }
}

/** The element that plays now, followed and shaped, and its change to another one. */
function createDeck(elements: Elements, events: EngineEvents) {
  /** `away`: the element of a speaker or a television; null = none. */
  const now = { media: elements.audio as HTMLMediaElement, startAt: 0, away: null as HTMLMediaElement | null }
  const current = () => now.media
  const source = createSource(current)
  const followed = new Set<HTMLMediaElement>()
  const shaper = createShaper([elements.audio, elements.video], current, useRelay)
  const seeks = watchSeeks(current, events)

  function follow(element: HTMLMediaElement) {
    if (followed.has(element)) return
    followed.add(element)
    const on: Listen = (name, handler) =>
      element.addEventListener(name, () => element === now.media && handler(now.media))
    // Before the time is reported, which would not be the one that the listener wants.
    on('timeupdate', seeks.check)
    // An element that is being loaded is at 0, wherever it is to begin.
    reportState(on, { ...events, onTime: seconds => now.startAt > 0 || events.onTime(seconds) }, useRelay)
    on('progress', () => seeks.wait(1))
    on('stalled', () => seeks.wait(PATIENCE))
    on('loadedmetadata', () => {
      if (now.startAt > 0) goTo(now.startAt)
      now.startAt = 0
    })
    // Only once something plays: a graph that was made before anybody pressed a key stays silent.
    on('playing', () => void shaper.begin())
  }
  function useRelay(): boolean {
    const at = now.media.readyState > 0 ? now.media.currentTime : now.startAt
    if (!source.useRelay()) return false
    now.startAt = at
    return true
  }
  function change(next: HTMLMediaElement) {
    const last = now.media
    now.media = next
    if (last === next) return
    shaper.changeTo(next, { isOurs: next !== now.away })
    empty(last)
  }
  function seek(seconds: number) {
    if (now.media.readyState === 0) now.startAt = seconds
    else goTo(seconds)
  }
  function goTo(seconds: number) {
    // It would go to its start.
    if (seconds > TOLERANCE && !hasParts(now.media)) return events.onSeekRefused(now.media.currentTime)
    seeks.begin(now.media === now.away ? null : seconds)
    now.media.currentTime = seconds
  }
  for (const element of [elements.audio, elements.video]) {
    element.preload = 'metadata'
    follow(element)
  }
  return { now, source, shaper, seeks, follow, change, seek }
}

/** The address of what is loaded: by the server itself, or by a redirect to a bucket. */
function createSource(current: () => HTMLMediaElement) {
  /** The address by which the server itself sends a bucket sends; null = it already does. */
  let relayed: string | null = null
  let replayed: Promise<void> | null = null
  function put(address: string) {
    current().src = address
    current().load()
  }
  return {
    load(address: string, isDirect: boolean) {
      replayed = null
      relayed = isDirect ? address : null
      put(isDirect ? `${address}${address.includes('?') ? '&' : '?'}direct=1` : address)
    },
    /** Follows an element that the server sends an address already. */
    adopt() {
      replayed = null
      relayed = null
    },
    /** Continues through the server: a bucket may be out of reach, and browsers mute its sound in a graph. */
    useRelay(): boolean {
      if (relayed === null) return false
      const wasPlaying = !current().paused
      put(relayed)
      relayed = null
      if (wasPlaying) {
        replayed = current().play()
        replayed.catch(() => undefined)
      }
      return true
    },
    play: () =>
      current()
        .play()
        .catch((error: unknown) => replayed ?? Promise.reject(error)),
  }
}

/** Whether an element can go anywhere but to its start; true as long as it does not say. */
const hasParts = ({ seekable }: HTMLMediaElement) => seekable.length === 0 || seekable.end(seekable.length - 1) > 0

/** Notices seeks that the host of the file refuses or answers slowly, because it can't send parts. */
function watchSeeks(current: () => HTMLMediaElement, events: Pick<EngineEvents, 'onSeekRefused' | 'onSeekSlow'>) {
  /** The second that the element should seek to and has not reached yet. */
  let sought: number | null = null
  /** Counts reports of the element since then. */
  let waited = 0
  return {
    /** Expects a second to be reached; null = none. */
    begin(seconds: number | null) {
      sought = seconds
      waited = 0
    },
    wait(count: number) {
      const media = current()
      // A stream without a length can't be requested in parts.
      if (!media.seeking || media.duration !== Infinity) return
      waited += count
      if (waited >= PATIENCE && waited - count < PATIENCE) events.onSeekSlow()
    },
    check() {
      const media = current()
      if (sought === null || media.seeking) return
      const missed = Math.abs(media.currentTime - Math.min(sought, media.duration || sought))
      sought = null
      if (missed > TOLERANCE) events.onSeekRefused(media.currentTime)
    },
  }
}

type Listen = (name: keyof HTMLMediaElementEventMap, handler: (media: HTMLMediaElement) => void) => void

function reportState(on: Listen, events: EngineEvents, useRelay: () => boolean) {
  // During a seek it names the second that it should get to.
  on('timeupdate', media => media.seeking || events.onTime(media.currentTime))
  on('progress', media => events.onBuffered(bufferedBy(media)))
  on('durationchange', media => events.onDuration(Number.isFinite(media.duration) ? media.duration : null))
  on('playing', () => {
    events.onWaiting(false)
    events.onPlaying()
  })
  on('pause', media => {
    if (!media.ended) events.onPaused()
  })
  on('waiting', () => events.onWaiting(true))
  on('ended', () => events.onEnded())
  on('error', media => {
    if (media.getAttribute('src') && !useRelay()) events.onFailed(media.error?.code === MediaError.MEDIA_ERR_NETWORK)
  })
}

/** Reports what an element knows of its file since before it was followed. */
function reportFile(media: HTMLMediaElement, { onDuration, onBuffered }: EngineEvents) {
  onDuration(Number.isFinite(media.duration) ? media.duration : null)
  onBuffered(bufferedBy(media))
}

const nameOf = (error: unknown) => (error instanceof DOMException ? error.name : '')

/** The end of the stretch around the current position that was received; 0 if there is none. */
function bufferedBy({ buffered, currentTime }: HTMLMediaElement): number {
  for (let index = 0; index < buffered.length; index++)
    if (buffered.start(index) <= currentTime && currentTime <= buffered.end(index)) return buffered.end(index)
  return 0
}
