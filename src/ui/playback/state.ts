import { computed, signal, type ReadonlySignal, type Signal } from '@preact/signals-core'
import type { Episode } from '../../shared/api/episode'
import type { EpisodeHistory, Progress } from '../../shared/api/history'
import type { EpisodeForm, LiveItem, PreferredForm } from '../../shared/api/playables'
import type { SkipLengths } from '../../shared/api/user'
import type { Preferences, PreferencesEdit } from '../../shared/api/settings'
import type { Part } from '../state/marked-parts'
import type { Engine, EngineEvents } from './engine'
import type { Sound } from './sound'
import type { TimeSaved } from './time-saved'

export type Playing = {
  episode: Episode
  podcastName: string
  podcastId: string
  /** The form of the episode that its listener chose or prefers; absent or null = the file on the server, or the main one. */
  form?: EpisodeForm | null
  /** The live stream that it is, in place of an episode: it has no length, and no position is saved. */
  live?: LiveItem
}

/** A marked part that was skipped, in the episode that played, and the second at which that happened. */
export type Skipped = { part: Part; at: number; playing: Playing }

export type Needs = {
  createEngine: (events: EngineEvents) => Engine
  findHistory: (eid: string) => Promise<EpisodeHistory>
  /** Preferences of the listener for a podcast. */
  preferencesOf?: (podcastId: string) => Promise<Preferences>
  savePreferences?: (podcastId: string, edit: PreferencesEdit) => Promise<unknown>
  /** Distinguishes the reports of this player from those of others. */
  sender?: string
  /** Seconds that the buttons skip, and whether a little is heard again after a pause, as the listener chose. */
  skipLengths?: () => SkipLengths
  /** Saves a position; resolves with nothing where it was only noted for later. */
  save: (progress: Progress, options: { leaving: boolean }) => Promise<unknown>
  /** `wasActive`: the listener had not paused it. */
  onFailed: (reason: 'playback' | 'autoplay' | 'preferences' | 'seeking' | 'short', wasActive?: boolean) => void
  /** Finds an episode on this device, as an address within the page; null if the server has to send it. */
  addressOf?: (eid: string, form: EpisodeForm | null) => Promise<string | null>
  /** Finds the form of an episode that its listener prefers; null = the main one. */
  formFor?: (episode: Episode, preference: PreferredForm) => Promise<EpisodeForm | null>
  /** Finds the marked part of the current episode at a second. */
  markedPartAt?: (seconds: number) => Part | undefined
  onSkipped?: (skipped: Skipped) => void
  /** Called when the episode was played to the end. */
  onEnded?: (episode: Playing) => void
  /** Remembers rate, volume and the episode that any tab played last. */
  storage: Memory
  /** Remembers the last episode of this tab, which counts first. */
  tab: Memory
  now?: () => number
  later?: (work: () => void, ms: number) => unknown
}

type Memory = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/** The state of the player: signals for those who show it, plain values for its own rules. */
export type State = {
  current: Signal<Playing | null>
  isPlaying: Signal<boolean>
  /** Waits for the first bytes, or for the connection. */
  isWaiting: Signal<boolean>
  /** Seconds. */
  position: Signal<number>
  /** The second up to which the sound has arrived. */
  buffered: Signal<number>
  /** The length that the media element reports, which may be an estimate; null while it is unknown. */
  mediaDuration: Signal<number | null>
  /** The length with which the position was saved; 0 = unknown. Counts where neither feed nor file says it. */
  knownTotal: Signal<number>
  /** The length that the feed, the file's frames or the last save know; 0 = unknown. */
  known: ReadonlySignal<number>
  /** Seconds; 0 = unknown. */
  duration: ReadonlySignal<number>
  percentage: ReadonlySignal<number>
  preferences: Preferences
  /** The podcast whose preferences these are, which may be the one shown before; null = none. */
  preferredFor: string | null
  /** Whether marked parts of this podcast are skipped. */
  skipsMarked: Signal<boolean>
  /** The second that the listener last sought to by hand; null = none in this episode. */
  soughtTo: number | null
  /** Counts how often that was. */
  seeks: Signal<number>
  /** The place that was reached before the listener sought, until the element has followed; null = none. */
  soughtFrom: number | null
  /** Whether the host can send parts of the file, as far as is known. */
  canSeek: boolean
  /** The place that was asked for and is not reached yet, below which nothing is saved; null = none. */
  unreached: number | null
  /** Whether the engine holds the current episode. */
  isLoaded: boolean
  /** True from the end of an episode until something else plays: what the element still reports is outdated. */
  hasFinished: boolean
  /** The moment of the last save, in milliseconds. */
  savedAt: number
  /** The number of saves that the server has not answered yet. */
  saving: number
  /** Whether a position from elsewhere arrived in the meantime: which of the two is newer, only the server knows. */
  hasMissed: boolean
  /** The moment at which the listener left this place, in milliseconds; null = they chose it, or are still there. */
  leftAt: number | null
  /** Counts the episodes that were shown, so that answers about an earlier one are dropped. */
  turn: number
  /** Number of attempts to reconnect; 0 = connected. */
  retries: number
  /** Counts the attempts to load, so that an overtaken one is dropped. */
  attempt: number
  /** An address within this page, which must be released. */
  ownAddress: string | null
}

/** State and collaborators that every part of the player uses. */
export type Core = {
  state: State
  needs: Required<Needs>
  engine: Engine
  sound: Sound
  timeSaved: TimeSaved
  /** Answers about the episode that plays next; null = none, or they are outdated. */
  ahead: { eid: string; start: Promise<Start> } | null
  keepPreferences: (podcastId: string, edit: PreferencesEdit) => void
}

/** The place at which an episode begins, its known length, and how its podcast is played. */
export type Start = [{ position: number; total: number | null; leftAt: number | null }, Preferences]

export const noPreferences: Preferences = {
  speed: null,
  boost: null,
  skipIntro: 0,
  skipOutro: 0,
  skipSilence: null,
  skipMarked: false,
  queueNew: null,
  queueMost: 3,
  form: null,
  notify: null,
  inTimeline: true,
}

export function createState(): State {
  const current = signal<Playing | null>(null)
  const position = signal(0)
  const mediaDuration = signal<number | null>(null)
  const knownTotal = signal(0)
  const known = computed(() => current.value?.episode.total_time || knownTotal.value)
  const duration = computed(() => lengthOf(mediaDuration.value, known.value))
  return {
    current,
    isPlaying: signal(false),
    isWaiting: signal(false),
    position,
    buffered: signal(0),
    mediaDuration,
    knownTotal,
    known,
    duration,
    percentage: computed(() => (duration.value > 0 ? Math.min(100, (100 * position.value) / duration.value) : 0)),
    preferences: noPreferences,
    preferredFor: null,
    skipsMarked: signal(false),
    soughtTo: null,
    soughtFrom: null,
    canSeek: true,
    unreached: null,
    seeks: signal(0),
    isLoaded: false,
    hasFinished: false,
    savedAt: 0,
    saving: 0,
    hasMissed: false,
    leftAt: null,
    turn: 0,
    retries: 0,
    attempt: 0,
    ownAddress: null,
  }
}

export const isVideo = ({ episode, form }: Pick<Playing, 'episode' | 'form'>) =>
  (form?.type ?? episode.mime_type)?.startsWith('video/') ?? false

/** The share of a known length below which a browser's length is an estimate, or that of a cut file. */
const MIN_SHARE = 0.9

/** Hosts put advertising into files, so a browser may know better than the feed, but not that most of it is missing. */
const lengthOf = (media: number | null, known: number) =>
  media !== null && media >= known * MIN_SHARE ? media : known || (media ?? 0)

/** Whether the position is the end. Beyond a length that is too short, it is not. */
export const isAtEnd = ({ position, duration }: State) =>
  duration.value > 0 && position.value >= duration.value && position.value < duration.value + 1

export const isLive = ({ current }: State) => current.value?.live !== undefined

export const isRecovering = ({ retries }: State) => retries > 0
