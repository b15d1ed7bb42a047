/** Path of a call and the number of rows in its answer; an answer of another shape is thrown. */
export type List = { path: string; rowsOf: (answer: unknown) => number }
export type Stored = { id: string; feed: string }

/** A podcast server, as far as it is measured. What it answers otherwise than expected is thrown. */
export type Peer = {
  name: string
  /** Its own process, then others that work for it, such as a database; none where they run on another machine. */
  pids: readonly number[]
  /** Signs in, and keeps it from downloading by itself; answers with what undoes the latter. */
  open: () => Promise<() => Promise<void>>
  /** A request with its credentials, of a path or of an address of its own. */
  fetch: (path: string, init?: RequestInit) => Promise<Response>
  timeline: (limit: number) => List
  podcasts: () => List
  episodes: (podcast: string, limit: number) => List
  search: (text: string) => List
  stored: () => Promise<Stored[]>
  /** Episodes of the whole library; null where only downloaded ones are stored. */
  countEpisodes: () => Promise<number | null>
  /** Begins an import; what is imported appears in `stored`. */
  importFeeds: (addresses: readonly string[]) => Promise<void>
  refresh: (podcast: string) => Promise<void>
  /** Adds the feed of one episode, downloads it, and answers with the file's address and the headers it needs. */
  download: (feed: string) => Promise<{ address: string; headers: Record<string, string> }>
  remove: (podcast: string) => Promise<void>
}

/** Facts of a peer from the command line. */
export type Place = {
  name: string
  origin: string
  /** The header with its credentials; null = none is needed. */
  credentials: Credentials | null
  pids: readonly number[]
}
type Credentials = readonly [name: string, value: string]

const PATIENCE_MS = 60_000

/** Requests to one server with its credentials. */
export function clientOf(place: Pick<Place, 'origin' | 'credentials'>) {
  let { credentials } = place
  const headers = (): Record<string, string> => (credentials === null ? {} : Object.fromEntries([credentials]))
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(new URL(path, place.origin), {
      ...init,
      headers: { ...headers(), 'Accept-Encoding': 'identity', ...(init.headers as Record<string, string>) },
      signal: AbortSignal.timeout(PATIENCE_MS),
    })
  return {
    headers,
    fetch: ask,
    signIn: (token: string) => (credentials = ['Authorization', `Bearer ${token}`]),
    /** The JSON of an answer, null for one without; a refusal is thrown. */
    async call<T>(method: string, path: string, body?: unknown, more: Record<string, string> = {}): Promise<T> {
      const response = await ask(path, {
        method,
        headers: { ...more, ...(body !== undefined && { 'Content-Type': 'application/json' }) },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      const text = await response.text()
      if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}`)
      return (/json/.test(response.headers.get('content-type') ?? '') ? JSON.parse(text) : null) as T
    },
  }
}

/** The number of rows of a list, which lies below `keys` of an answer. */
export const rowsAt =
  (...keys: string[]) =>
  (answer: unknown): number => {
    const list = keys.reduce<unknown>((inner, key) => (inner as Record<string, unknown> | null)?.[key], answer)
    if (!Array.isArray(list)) throw new Error(`expected a list${keys.length ? ` in ${keys.join('.')}` : ''}`)
    return list.length
  }

/** Asks again until there is an answer. Throws after `minutes`, naming what is missing. */
export async function until<T>(missing: string, minutes: number, ask: () => Promise<T | null>): Promise<T> {
  const end = performance.now() + minutes * 60_000
  for (;;) {
    const answer = await ask()
    if (answer !== null) return answer
    if (performance.now() > end) throw new Error(`${missing} after ${minutes} minutes`)
    await Bun.sleep(100)
  }
}
