import { computed, signal, type ReadonlySignal, type Signal } from '@preact/signals-core'
import type { Episode } from '../../shared/api/episode'
import type { EpisodeHistory, Progress } from '../../shared/api/history'
import type { EpisodeForm, LiveItem, PreferredForm } from '../../shared/api/playables'
import type { SkipLengths } from '../../shared/api/user'
import type { Preferences, PreferencesEdit } from '../../shared/api/settings'
import type { Part } from '../state/marked-parts'
import type { Engine, EngineEvents } from './engine'
import type { Sound } from './sound'

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
  /** Seconds that the buttons skip, as the listener chose. */
  skipLengths?: () => SkipLengths
  save: (progress: Progress, options: { leaving: boolean }) => Promise<unknown>
  /** `wasActive`: the listener had not paused it. */
  onFailed: (reason: 'playback' | 'autoplay' | 'preferences' | 'seeking', wasActive?: boolean) => void
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
  /** The length that the media element reports; null while it is unknown. */
  mediaDuration: Signal<number | null>
  /** The length that the server knows; 0 = unknown. */
  knownTotal: Signal<number>
  /** Seconds; 0 = unknown. */
  duration: ReadonlySignal<number>
  percentage: ReadonlySignal<number>
  preferences: Preferences
  /** Whether marked parts of this podcast are skipped. */
  skipsMarked: Signal<boolean>
  /** The second that the listener last sought to by hand; null = none in this episode. */
  soughtTo: number | null
  /** Counts how often that was. */
  seeks: Signal<number>
  /** The second from which the listener sought, until the element has followed; null = none. */
  soughtFrom: number | null
  /** Whether the host can send parts of the file, as far as is known. */
  canSeek: boolean
  /** The saved position that an unseekable stream has not reached yet; null = none. */
  unreached: number | null
  /** Whether the engine holds the current episode. */
  isLoaded: boolean
  /** True from the end of an episode until something else plays: what the element still reports is outdated. */
  hasFinished: boolean
  /** The moment of the last save, in milliseconds. */
  savedAt: number
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
export type Core = { state: State; needs: Required<Needs>; engine: Engine; sound: Sound }

export const noPreferences: Preferences = {
  speed: null,
  boost: null,
  skipIntro: 0,
  skipOutro: 0,
  skipMarked: false,
  queueNew: null,
  queueMost: 3,
  form: null,
}

export function createState(): State {
  const current = signal<Playing | null>(null)
  const position = signal(0)
  const mediaDuration = signal<number | null>(null)
  const knownTotal = signal(0)
  const duration = computed(() => mediaDuration.value ?? (knownTotal.value || current.value?.episode.total_time || 0))
  return {
    current,
    isPlaying: signal(false),
    isWaiting: signal(false),
    position,
    buffered: signal(0),
    mediaDuration,
    knownTotal,
    duration,
    percentage: computed(() => (duration.value > 0 ? Math.min(100, (100 * position.value) / duration.value) : 0)),
    preferences: noPreferences,
    skipsMarked: signal(false),
    soughtTo: null,
    soughtFrom: null,
    canSeek: true,
    unreached: null,
    seeks: signal(0),
    isLoaded: false,
    hasFinished: false,
    savedAt: 0,
    turn: 0,
    retries: 0,
    attempt: 0,
    ownAddress: null,
  }
}

export const isVideo = ({ episode, form }: Pick<Playing, 'episode' | 'form'>) =>
  (form?.type ?? episode.mime_type)?.startsWith('video/') ?? false

export const isAtEnd = ({ position, duration }: State) => duration.value > 0 && position.value >= duration.value

export const isLive = ({ current }: State) => current.value?.live !== undefined

export const isRecovering = ({ retries }: State) => retries > 0
