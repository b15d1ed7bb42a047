import type { EpisodeWrapper } from '../../src/shared/api/episode'
import type { SkipLengths } from '../../src/shared/api/user'
import type { EpisodeHistory, History, Progress } from '../../src/shared/api/history'
import type { Preferences, PreferencesEdit } from '../../src/shared/api/settings'
import type { Engine, EngineEvents } from '../../src/ui/playback/engine'
import { createPlayer } from '../../src/ui/playback/player'
import { noPreferences, type Skipped } from '../../src/ui/playback/state'
import { partAt, type Part } from '../../src/ui/state/marked-parts'

/** An audio engine that records its calls and reports only what the test makes it report. */
function createAudio() {
  const calls: string[] = []
  let events: EngineEvents | null = null
  const engine: Engine = {
    load: (address, at) => calls.push(`load ${address} at ${at}`),
    play: async () => {
      calls.push('play')
      if (!audio.stuck) events!.onPlaying()
    },
    prepare: (address, at) => calls.push(`prepare ${address} at ${at}`),
    pause: () => {
      calls.push('pause')
      events!.onPaused()
    },
    seek: seconds => calls.push(`seek ${seconds}`),
    setRate: rate => calls.push(`rate ${rate}`),
    setVolume: percent => calls.push(`volume ${percent}`),
    setSkipSilence: isOn => isOn && calls.push('skip silence'),
    setLevelling: wanted => wanted && calls.push(`level ${wanted.known?.lufs}`),
    moveTo: (element, at) => calls.push(`move ${element ? 'away' : 'back'} at ${at}`),
    clear: () => calls.push('clear'),
  }
  const audio = {
    /** Whether `play` never begins to play. */
    stuck: false,
    calls,
    create: (given: EngineEvents) => {
      events = given
      return engine
    },
    get events() {
      return events!
    },
  }
  return audio
}

export const wrapper = (history: Partial<History> | null = null, total_time = 600): EpisodeWrapper =>
  ({
    podcastEpisode: {
      id: 'row',
      episode_id: 'eid',
      podcast_id: 'pod',
      name: 'Fog',
      local_url: '/media/eid.mp3',
      total_time,
    },
    podcastHistoryItem: history,
  }) as EpisodeWrapper

/** The server's event that an episode was played or marked; '' = by something that does not say who it is. */
export const heard = (position: number, { sender = '', finished = false } = {}) => ({
  episode_id: 'eid',
  position,
  total: 600,
  finished,
  device: 'webview',
  sender,
})

const memoryOf = (entries: Map<string, string>) => ({
  getItem: (key: string) => entries.get(key) ?? null,
  setItem: (key: string, value: string) => void entries.set(key, value),
  removeItem: (key: string) => void entries.delete(key),
})

/** `storage`: what the tabs of a browser share. `answered`: resolves when the server answers a save. */
export function startPlayer({
  history = null as Partial<History> | null,
  stored = {} as Record<string, string>,
  preferences = {} as Partial<Preferences>,
  addressOf = async (_eid: string): Promise<string | null> => null,
  findHistory = null as ((eid: string) => Promise<EpisodeHistory>) | null,
  skipLengths = undefined as (() => SkipLengths) | undefined,
  markedParts = () => [] as readonly Part[],
  storage = new Map<string, string>(Object.entries(stored)),
  answered = async (): Promise<unknown> => undefined,
  preferencesOf = async (_podcastId: string): Promise<Partial<Preferences>> => preferences,
} = {}) {
  const audio = createAudio()
  const saved: (Progress & { leaving: boolean })[] = []
  const asked: string[] = []
  const ended: string[] = []
  const failures: string[] = []
  const preferred: string[] = []
  const edits: PreferencesEdit[] = []
  const skipped: Skipped[] = []
  const waiting: { work: () => void; ms: number }[] = []
  const tab = new Map<string, string>()
  let time = 0
  const player = createPlayer({
    createEngine: audio.create,
    findHistory: async eid => {
      asked.push(eid)
      if (findHistory) return findHistory(eid)
      return { position: 0, total: null, finished: false, ...history } as EpisodeHistory
    },
    preferencesOf: async podcastId => ({ ...noPreferences, ...(await preferencesOf(podcastId)) }),
    async savePreferences(podcast, edit) {
      const { speed, skipMarked } = edit
      edits.push(edit)
      preferred.push(`${podcast} ${skipMarked === undefined ? speed : `skips ${skipMarked}`}`)
    },
    ...(skipLengths && { skipLengths }),
    sender: 'this tab',
    addressOf,
    markedPartAt: seconds => partAt(markedParts(), seconds),
    onSkipped: one => void skipped.push(one),
    onEnded: () => void ended.push('ended'),
    async save(progress, { leaving }) {
      saved.push({ ...progress, leaving })
      await answered()
    },
    onFailed: reason => void failures.push(reason),
    storage: memoryOf(storage),
    tab: memoryOf(tab),
    now: () => time,
    later: (work, ms) => void waiting.push({ work, ms }),
  })
  return {
    waiting,
    failures,
    preferred,
    edits,
    player,
    audio,
    saved,
    asked,
    ended,
    skipped,
    storage,
    advance: (ms: number) => (time += ms),
  }
}
