import { createContext, useContext } from 'react'
import type { ReadonlySignal, Signal } from '@preact/signals-core'
import type { Client } from './api/client'
import type { createAppUpdate } from './device/app-update'
import type { createPlaces } from './device/places'
import type { Playback } from './playback/playback'
import type { AddPodcast, createDrafts, FirstRun, Overlay, QueuePanel, Sample } from './state/shell'
import type { keepActs } from './state/keep-acts'
import type { createAfterLogin } from './state/credentials'
import type { EpisodeChanges } from './state/episode-changes'
import type { createKept } from './state/kept'
import type { KeptAnswers } from './state/kept-answers'
import type {
  FeedChecks,
  LiveDownloads,
  LiveTranscriptions,
  Moving,
  Notifications,
  RoomState,
} from './state/live-state'
import type { Library, Tags } from './state/library'
import type { QueueState } from './state/queue'
import type { Session } from './state/session'
import type { createSingleKeys, createTheme, SkipLengthsState } from './state/preferences'
import type { Toasts } from './state/toasts'

/** Everything that the interface knows and can do. */
export type AppState = Omit<Playback, 'restore' | 'forget'> & {
  api: ReturnType<typeof keepActs>['api']
  client: Client
  /** The path below which the server runs. */
  prefix: string
  session: Session
  afterLogin: ReturnType<typeof createAfterLogin>
  /** Whether the socket is open. */
  isConnected: ReadonlySignal<boolean>
  answers: Pick<KeptAnswers, 'isOffline' | 'since'>

  library: Library
  feedChecks: FeedChecks
  downloads: LiveDownloads
  transcriptions: LiveTranscriptions
  changes: EpisodeChanges
  queue: QueueState
  tags: Tags
  notifications: Notifications
  firstRun: FirstRun
  moving: Moving
  room: RoomState

  addPodcast: AddPodcast
  searchOverlay: Overlay
  /** The sample that plays apart from the player; null = none. */
  sample: Signal<Sample | null>
  playerSheet: Overlay
  queuePanel: QueuePanel
  keysHelp: Overlay
  drafts: ReturnType<typeof createDrafts>
  skipLengths: SkipLengthsState
  toasts: Toasts
  /** Shows an error as a notice. */
  failed: (error: unknown) => void

  kept: ReturnType<typeof createKept>
  places: ReturnType<typeof createPlaces>
  singleKeys: ReturnType<typeof createSingleKeys>
  theme: ReturnType<typeof createTheme>
  appUpdate: ReturnType<typeof createAppUpdate>
}

const AppContext = createContext<AppState | null>(null)
export const AppProvider = AppContext.Provider

/** Returns the state of the application. Throws outside of its provider. */
export function useApp(): AppState {
  const app = useContext(AppContext)
  if (!app) throw new Error('useApp needs an AppProvider around it')
  return app
}
