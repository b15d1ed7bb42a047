import type { UserRow } from '../../../store/users'
import type { IncomingRequest } from '../../core/links'

/** A call of an app, routed and with its body. */
export type OpenRequest = IncomingRequest & {
  /** Named parts of the path, decoded. */
  parts: Record<string, string>
  query: URLSearchParams
  /** The JSON of the body; null if there is none, or none that can be read. */
  body: unknown
  /** The server's address as the app sees it, with a trailing slash. */
  base: string
  /** The IP address of the app. */
  address: () => string
}

/** A call after sign-in. */
export type AppRequest = OpenRequest & { user: UserRow; appSessionId: number }

/** JSON that is written already. */
export class WrittenJson {
  constructor(readonly text: string) {}
}

/** The answer to a call: a value, which is sent as JSON, or a response as it is. */
type Answer<R> = (request: R) => unknown

/** A call, written as `GET /api/items/:item`, and how it is answered. */
export type OpenCall = readonly [call: string, answer: Answer<OpenRequest>]
/** `changes` marks a GET that does more than read: no link may make it, and HEAD does not. */
export type AppCall = readonly [call: string, answer: Answer<AppRequest>, effect?: 'changes']

/** A refusal as the apps expect it: a status and a line of text, or JSON. */
export class AppRefusal extends Error {
  override name = 'AppRefusal'
  constructor(
    readonly status: 400 | 401 | 403 | 404 | 405 | 413 | 429 | 503,
    message: string,
    readonly json: object | null = null,
  ) {
    super(message)
  }
}
export const notFound = (message = 'Not Found') => new AppRefusal(404, message)
export const forbidden = () => new AppRefusal(403, 'Forbidden')

/** The answer to whatever was done. Never an empty one, which an app counts as a failure. */
export const done = () => new Response('OK', { headers: { 'Content-Type': 'text/plain;charset=utf-8' } })

/** Reads an object leniently: anything else has no fields. */
export const fieldsOf = (given: unknown): Record<string, unknown> =>
  typeof given === 'object' && given !== null && !Array.isArray(given) ? (given as Record<string, unknown>) : {}
export const textOf = (given: unknown): string => (typeof given === 'string' ? given : '')
/** Reads a finite number, which may be written as text; null = something else. */
export const numberOf = (given: unknown): number | null => {
  const number = typeof given === 'string' && given.trim() !== '' ? Number(given) : given
  return typeof number === 'number' && Number.isFinite(number) ? number : null
}

/** Whether the list `include` of an address names something, given in lower case. */
export const includes = (query: URLSearchParams, name: string) =>
  (query.get('include') ?? '').split(',').some(one => one.trim().toLowerCase() === name)

const MAX_COUNTED = 1_000_000

/** Reads a whole number from an address. Throws `AppRefusal` (400) for anything else. */
export function readCount(query: URLSearchParams, name: string, fallback: number): number {
  const given = query.get(name)
  if (given === null || given === '') return fallback
  if (!/^\d+$/.test(given)) throw new AppRefusal(400, `Invalid ${name}. It must be a whole number`)
  return Math.min(Number(given), MAX_COUNTED)
}

/** Longest name that is shown. */
const MAX_NAME = 60

/** Apps by words of their User-Agent in lower case, all of which are there; the more exact ones first. */
const known: readonly (readonly [words: readonly string[], name: string])[] = [
  [['shelfplayer'], 'ShelfPlayer'],
  [['plappa'], 'Plappa'],
  [['soundleaf'], 'SoundLeaf'],
  [['music assistant'], 'Music Assistant'],
  [['aiohttp'], 'Music Assistant'],
  [['audiobookshelf', 'cfnetwork'], 'Audiobookshelf (iOS)'],
  [['okhttp'], 'Audiobookshelf (Android)'],
  [['dalvik'], 'Audiobookshelf (Android)'],
  // The pages of the official app are shown by the system's web view.
  [['android', '; wv)'], 'Audiobookshelf (Android)'],
  [['iphone', 'mobile/'], 'Audiobookshelf (iOS)'],
  [['ipad', 'mobile/'], 'Audiobookshelf (iOS)'],
  [['audiobookshelf'], 'Audiobookshelf'],
  [['firefox/'], 'Firefox'],
  [['chrome/'], 'Chrome'],
  [['safari/'], 'Safari'],
]

/** The name under which a sign-in is listed: the app's, else what the app calls itself up to the first detail. */
export function nameOfApp({ headers }: Request): string {
  const agent = (headers.get('user-agent') ?? '').replace(/[\p{Cc}\p{Cf}]/gu, '').trim()
  const lower = agent.toLowerCase()
  const name = known.find(([words]) => words.every(word => lower.includes(word)))?.[1]
  return (name ?? agent.split(/[ /(]/)[0]!).slice(0, MAX_NAME) || '–'
}

/** Second parts of the addresses below `/api/` that the apps know; `v1` and the digits are ours. */
const areas = [
  'authorize',
  'me',
  'libraries',
  'items',
  'podcasts',
  'session',
  'sessions',
  'playlists',
  'collections',
  'series',
  'authors',
  'search',
  'tags',
  'genres',
  'tasks',
  'feeds',
  'users',
  'backups',
  'notifications',
  'settings',
  'logger-data',
  'stats',
  'filesystem',
  'emails',
  'upload',
]

/** The paths of Audiobookshelf that apps call. */
export const appPaths: readonly string[] = [
  '/status',
  '/ping',
  '/healthcheck',
  '/login',
  '/logout',
  '/auth/*',
  '/public/*',
  '/hls/*',
  ...areas.flatMap(area => [`/api/${area}`, `/api/${area}/*`]),
]

export const SOCKET_PATH = '/socket.io/'

/**
 * The path that an app means: people paste the address of the interface, or one that ends with a slash, and the app
 * appends its own paths to that.
 */
export const meantBy = (path: string) => path.replace(/^\/+ui(?=\/)/, '').replace(/^\/{2,}/, '/')

/**
 * Whether an address that does not begin as it should is meant as a call of an app. The interface's own addresses take
 * precedence.
 */
export function isMisplaced(method: string, path: string): boolean {
  const meant = meantBy(path)
  if (meant === path || !isForApps(meant)) return false
  const isPage = method === 'GET' && (meant === '/login' || meant === '/logout')
  return !isPage && (!meant.startsWith('/public/') || meant.startsWith('/public/session/'))
}

/** Whether these apps call a path below our prefix. */
export const isForApps = (path: string) =>
  path.startsWith(SOCKET_PATH) ||
  appPaths.some(known => (known.endsWith('*') ? path.startsWith(known.slice(0, -1)) : path === known))
