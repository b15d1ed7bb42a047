import { batch, computed, signal } from '@preact/signals-core'
import type { EpisodeHit, PersonListed, SearchResult } from '../../shared/api/search'
import type { Podcast } from '../../shared/api/podcast'
import type { Api } from '../api'
import type { DirectoryHit } from '../api/directory'
import { createResource } from '../resource'

const OWN_REST_MS = 150
const DIRECTORY_REST_MS = 300
const MAX_RECENT = 6
const STORAGE_KEY = 'search.recent'

export const scopes = ['everything', 'podcasts', 'episodes', 'transcripts', 'directory'] as const
export type Scope = (typeof scopes)[number]

/** A page of hits; `cursor` is null at the end. */
type Page = { hits: readonly EpisodeHit[]; cursor: string | null }
/** The results for some words. Each part is empty outside of its scope. */
export type Found = {
  words: string
  podcasts: readonly Podcast[]
  people: readonly PersonListed[]
  episodes: Page
  said: Page
}

type Storage = Pick<globalThis.Storage, 'getItem' | 'setItem'>
type Needs = {
  api: Pick<Api['search'], 'find'>
  /** Finds podcasts that are not in the library; null for those who may not add any. */
  findInDirectory: ((words: string, signal: AbortSignal) => Promise<DirectoryHit[]>) | null
  storage: Storage
  ownRestMs?: number
  directoryRestMs?: number
  /** Starts the timer of these pauses; returns the function that cancels it. */
  later?: (work: () => void, ms: number) => () => void
}

export type Search = ReturnType<typeof createSearch>

/**
 * Searches when the typing pauses, the directory after a longer pause than the library. The library gets one request at
 * a time: more typing aborts a running one. A result for earlier words never replaces that for the latest.
 */
export function createSearch({ api, findInDirectory, storage, later, ...rests }: Needs) {
  const words = signal('')
  const scope = signal<Scope>('everything')
  const wanted = computed(() => words.value.trim())
  const { recent, remember, forget } = createRecentWords(storage)
  const { own, nextPage, loadMore } = createOwnSearch(api, {
    debounceMs: rests.ownRestMs ?? OWN_REST_MS,
    ...(later && { later }),
  })
  const directory = createResource<DirectoryHit[], [string]>(
    (signal, q) => findInDirectory?.(q, signal) ?? Promise.resolve([]),
    { debounceMs: rests.directoryRestMs ?? DIRECTORY_REST_MS, ...(later && { later }) },
  )
  const asksDirectory = () => findInDirectory !== null && ['everything', 'directory'].includes(scope.peek())

  function restart() {
    const q = wanted.peek()
    nextPage.cancel()
    if (q === '' || scope.peek() === 'directory') own.set(null)
    else void own.load(q, scope.peek())
    // Results for other words must not be shown among the new ones.
    directory.set(null)
    if (q !== '' && asksDirectory()) void directory.load(q)
  }
  return {
    words,
    scope,
    wanted,
    found: own.data,
    error: computed(() => own.error.value ?? nextPage.error.value),
    inDirectory: directory.data,
    directoryError: directory.error,
    isBusy: computed(() => own.isLoading.value || directory.isLoading.value),
    isSearchingDirectory: directory.isLoading,
    recent,
    hasDirectory: findInDirectory !== null,
    type(text: string) {
      const before = wanted.peek()
      words.value = text
      if (wanted.peek() !== before) restart()
    },
    choose(next: Scope) {
      if (next === scope.peek()) return
      batch(() => {
        scope.value = next
        restart()
      })
    },
    loadMore: () => loadMore(scope.peek()),
    /** Adds the words to the recent searches; called when the user opens a result. */
    remember: () => remember(wanted.peek()),
    forgetRecent: forget,
    end() {
      own.cancel()
      nextPage.cancel()
      directory.cancel()
    },
  }
}

const nothing: Page = { hits: [], cursor: null }
const fields = { podcasts: 'podcasts,people', episodes: 'titles,notes,chapters', transcripts: 'transcripts' } as const

/** Searches the library: first episodes, then, if there are transcripts, what is said in them. */
function createOwnSearch(api: Needs['api'], pacing: NonNullable<Parameters<typeof createResource>[1]>) {
  const pageOf = ({ data, nextCursor }: { data: SearchResult; nextCursor: string | null }): Page => ({
    hits: data.episodes,
    cursor: nextCursor,
  })
  async function find(signal: AbortSignal, q: string, scope: Scope): Promise<Found> {
    const ask = (part: string) => api.find({ q, in: part }, null, signal)
    if (scope !== 'everything') {
      const answer = await ask(fields[scope as keyof typeof fields])
      const page = pageOf(answer)
      return {
        words: q,
        podcasts: answer.data.podcasts,
        people: answer.data.people,
        episodes: scope === 'episodes' ? page : nothing,
        said: scope === 'transcripts' ? page : nothing,
      }
    }
    const first = await ask(`${fields.podcasts},${fields.episodes}`)
    signal.throwIfAborted()
    const { podcasts, people, hasTranscripts } = first.data
    const said = hasTranscripts ? pageOf(await ask(fields.transcripts)) : nothing
    return { words: q, podcasts, people, episodes: pageOf(first), said }
  }
  const own = createResource(find, pacing)
  const nextPage = createResource(async (signal, part: 'episodes' | 'said', shown: Found) => {
    const field = part === 'said' ? fields.transcripts : fields.episodes
    const next = pageOf(await api.find({ q: shown.words, in: field }, shown[part].cursor, signal))
    if (signal.aborted || own.data.peek() !== shown) return
    own.set({ ...shown, [part]: { hits: [...shown[part].hits, ...next.hits], cursor: next.cursor } })
  })
  return {
    own,
    nextPage,
    /** Loads the next page of the scope and appends its hits. */
    async loadMore(scope: Scope) {
      const part = scope === 'transcripts' ? 'said' : 'episodes'
      const shown = own.data.peek()
      if (shown && shown[part].cursor !== null && !own.isLoading.peek() && !nextPage.isLoading.peek())
        await nextPage.load(part, shown)
    },
  }
}

/** The words of recent searches in this browser, latest first. */
function createRecentWords(storage: Storage) {
  const recent = signal<readonly string[]>(read())

  function read(): string[] {
    try {
      const stored: unknown = JSON.parse(storage.getItem(STORAGE_KEY) ?? '[]')
      return Array.isArray(stored) ? stored.filter(item => typeof item === 'string').slice(0, MAX_RECENT) : []
    } catch {
      return []
    }
  }
  return {
    recent,
    remember(text: string) {
      if (text === '') return
      recent.value = [text, ...recent.peek().filter(other => other !== text)].slice(0, MAX_RECENT)
      storage.setItem(STORAGE_KEY, JSON.stringify(recent.peek()))
    },
    forget() {
      recent.value = []
      storage.setItem(STORAGE_KEY, '[]')
    },
  }
}
