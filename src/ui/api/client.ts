import type { ProblemBody } from '../../shared/api/parts'

/** A refusal of the server, or a call that never arrived (`status` 0, code `offline`). The text is `error.<code>`. */
export class ApiError extends Error {
  override name = 'ApiError'
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly args: Record<string, string> = {},
    /** Resolves when the server has answered another call: then this one may succeed. Only if none was reached. */
    readonly whenReached: Promise<void> | null = null,
    /** Seconds after which the server asks to try again; null = it doesn't say. */
    readonly retryAfter: number | null = null,
  ) {
    super(message)
  }
}

export type Query = Record<string, string | number | boolean | null | undefined>
/** `as`: the Authorization header of a user whom this browser has already forgotten. */
export type ChangeOptions = { keepalive?: boolean; signal?: AbortSignal | undefined; as?: string | null }
type Options = ChangeOptions & { query?: Query; body?: unknown }

export type Client = ReturnType<typeof createClient>
type Fetch = (request: Request) => Promise<Response>
/** Answers on this device, for when the server can't be reached. */
type Answers = {
  keep: (url: string, answer: { text: string; nextCursor: string | null }) => void
  find: (url: string) => Promise<{ data: unknown; nextCursor: string | null } | null>
  /** Milliseconds to wait for the server; undefined = as long as it takes. */
  patience: () => number | undefined
  /** Called with whether the server has answered. */
  reached: (is: boolean) => void
}
type ClientNeeds = {
  fetch?: Fetch
  /** Returns the Authorization header to send now; null = none. */
  authorization?: () => string | null
  /** Called when the server does not know the user, or no longer does. */
  onNotSignedIn?: () => void
  answers?: Answers
}

/** Makes calls to the API below `prefix`: the one place that knows the shape of a request and of a refusal. */
export function createClient(
  prefix: string,
  {
    fetch = request => globalThis.fetch(request),
    authorization = () => null,
    onNotSignedIn,
    answers,
  }: ClientNeeds = {},
) {
  const known = createKnownAnswers()
  const absence = createAbsence(answers)

  /** Sends a request. Throws an `ApiError` for a refusal, and for a server that cannot be reached. */
  async function send(method: string, path: string, { query, body, keepalive, signal, as }: Options) {
    const url = addressOf(prefix, path, query)
    const credentials = as ?? authorization()
    const etag = method === 'GET' ? known.etagOf(url.href) : null
    const patience = method === 'GET' ? waitFor(answers, url.href) : null
    const request = new Request(url, {
      method,
      headers: {
        ...(credentials !== null && { Authorization: credentials }),
        ...(body !== undefined && { 'Content-Type': typeOf(body) }),
        ...(etag !== null && { 'If-None-Match': etag }),
        ...(method !== 'GET' && ours),
      },
      ...(body !== undefined && { body: body instanceof Blob ? body : JSON.stringify(body) }),
      ...(keepalive && { keepalive }),
      ...eitherOf(signal, patience?.signal),
    })
    const response = await fetch(request)
      .catch(error => {
        if (signal?.aborted) throw error
        throw new ApiError(0, 'offline', 'The server cannot be reached', {}, absence.begin())
      })
      .finally(patience?.end)
    if (response.status === 401) onNotSignedIn?.()
    const failure = await refusal(response, absence.begin)
    if (!isAway(failure)) absence.end()
    if (failure) throw failure
    return { url: url.href, response }
  }

  const call = <T>(method: string, path: string, options: Options): Promise<Answer<T>> =>
    callServer<T>(method, path, options).catch(async (error: unknown) => {
      const kept =
        method === 'GET' && isAway(error) && (await answers?.find(addressOf(prefix, path, options.query).href))
      if (!kept) throw error
      return kept as Answer<T>
    })

  async function callServer<T>(method: string, path: string, options: Options): Promise<Answer<T>> {
    const { url, response } = await send(method, path, options)
    const same = response.status === 304 ? known.find<T>(url) : undefined
    if (same) return same
    const text = response.status === 204 ? '' : await response.text()
    const answer = { data: read<T>(text, response), nextCursor: response.headers.get('x-next-cursor') }
    const etag = response.headers.get('etag')
    if (etag && method === 'GET') known.keep(url, etag, answer)
    if (method === 'GET' && isJson(response)) answers?.keep(url, { text, nextCursor: answer.nextCursor })
    return answer
  }

  const change = <T>(method: string, path: string, body?: unknown, options: ChangeOptions = {}) =>
    dataOf(call<T>(method, path, { body, ...options }))
  return {
    get: <T>(path: string, query?: Query, signal?: AbortSignal) =>
      dataOf(call<T>('GET', path, { ...(query && { query }), ...(signal && { signal }) })),
    page: <T>(path: string, query: Query, signal?: AbortSignal) =>
      call<T>('GET', path, { query, ...(signal && { signal }) }),
    /** The address of a call that a browser saves to its disk, for which the session's cookie suffices. */
    address: (path: string) => `${prefix}/api/v1${path}`,
    file: async (path: string, query: Query = {}): Promise<Blob> =>
      (await send('GET', path, { query })).response.blob(),
    post: <T>(path: string, body?: unknown, options?: ChangeOptions) => change<T>('POST', path, body, options),
    put: <T>(path: string, body?: unknown, options?: ChangeOptions) => change<T>('PUT', path, body, options),
    remove: (path: string, body?: unknown, options?: ChangeOptions) => change<void>('DELETE', path, body, options),
  }
}

/** The time in which no server answers, from the first call that fails. */
function createAbsence(answers: Answers | undefined) {
  let current: PromiseWithResolvers<void> | null = null
  return {
    /** Resolves at its end. */
    begin() {
      answers?.reached(false)
      return (current ??= Promise.withResolvers()).promise
    },
    end() {
      answers?.reached(true)
      current?.resolve()
      current = null
    },
  }
}

/**
 * Ends the wait for a server that has not begun to answer by then, neither this request nor another one, if there is
 * something to show instead.
 */
function waitFor(answers: Answers | undefined, url: string) {
  const ms = answers?.patience()
  if (ms === undefined) return null
  const wait = new AbortController()
  const isOver = () => answers!.patience() === undefined
  const timer = setTimeout(async () => {
    if (!isOver() && (await answers!.find(url)) && !isOver()) wait.abort()
  }, ms)
  return { signal: wait.signal, end: () => clearTimeout(timer) }
}

function eitherOf(one: AbortSignal | undefined, other: AbortSignal | undefined) {
  const signal = one && other ? AbortSignal.any([one, other]) : (one ?? other)
  return signal && { signal }
}

function addressOf(prefix: string, path: string, query: Query = {}): URL {
  const url = new URL(`${prefix}/api/v1${path}`, globalThis.location?.href ?? 'http://localhost')
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== null && value !== false && value !== '')
      url.searchParams.set(name, String(value))
  return url
}

const dataOf = async <T>(answer: Promise<Answer<T>>) => (await answer).data

/** Proves to the server that our page sends it: browsers say so only over https. */
const ours = { 'X-Requested-With': 'castellan' }

/** Bytes are sent as they are, everything else as JSON. */
const typeOf = (body: unknown) => (body instanceof Blob ? 'application/octet-stream' : 'application/json')

/** Reads an answer: JSON, except for the few calls that answer text. */
function read<T>(text: string, response: Response): T {
  if (text === '') return undefined as T
  return (isJson(response) ? JSON.parse(text) : text) as T
}

const isJson = (response: Response) => response.headers.get('content-type')?.includes('json') ?? false

/** Whether no server answered, or only a proxy in front of it. */
const isAway = (error: unknown) => error instanceof ApiError && error.whenReached !== null

async function refusal(response: Response, untilReached: () => Promise<void>): Promise<ApiError | null> {
  if (response.ok || response.status === 304) return null
  const { status, statusText } = response
  const problem = (await response.json().catch(() => null)) as ProblemBody | null
  const after = Number(response.headers.get('retry-after') ?? '') || null
  if (!problem?.errorCode)
    return new ApiError(status, 'unexpected', statusText, {}, status >= 502 ? untilReached() : null, after)
  return new ApiError(status, problem.errorCode, problem.message, problem.arguments, null, after)
}

const MAX_ANSWERS = 30

type Answer<T> = { data: T; nextCursor: string | null }
type Known = { etag: string; answer: Answer<unknown> }

/** The last answers with a validator, by their address: the server needn't send them again. */
function createKnownAnswers() {
  const known = new Map<string, Known>()
  return {
    etagOf: (url: string): string | null => known.get(url)?.etag ?? null,
    /** The same object as before, so that nothing is drawn again. */
    find: <T>(url: string) => known.get(url)?.answer as Answer<T> | undefined,
    keep<T>(url: string, etag: string, answer: Answer<T>) {
      known.delete(url)
      known.set(url, { etag, answer })
      if (known.size > MAX_ANSWERS) known.delete(known.keys().next().value!)
    },
  }
}
/** Widths in pixels that the server scales covers to. */
export type CoverSize = 64 | 128 | 256 | 512 | 1024

/** The address of a cover, scaled by the server. */
export const withSize = (src: string, size: CoverSize) => `${src}${src.includes('?') ? '&' : '?'}size=${size}`
