import type { UserRow } from '../../../store/users'
import type { Shown } from '../../../sync/devices'
import { parseJson } from '../../core/body'

/** The paths that podcast apps call. Some apps leave out the first part of Nextcloud's path, or double its slash. */
export const appPaths = [
  '/api/2/*',
  '/subscriptions/*',
  '/index.php/*',
  '/apps/gpoddersync/*',
  '//index.php/*',
  '/search.json',
  '/search.opml',
  '/search.txt',
  '/toplist.json',
  '/toplist.opml',
  '/toplist.txt',
  '/toplist/*',
  '/suggestions/*',
  '/clientconfig.json',
] as const

/** Removes the interface's `/ui` from a path: people paste its address into an app. */
export const withoutInterface = (path: string) => path.replace(/^\/ui\/?(?=\/)/, '')

/** Whether podcast apps call this path below `prefix`. */
export const isForApps = (path: string, prefix: string) =>
  appPaths.some(known =>
    known.endsWith('*') ? path.startsWith(`${prefix}${known.slice(0, -1)}`) : path === `${prefix}${known}`,
  )

/** A request of a podcast app, after sign-in and routing. */
export type SyncRequest = {
  user: UserRow
  /** Named parts of the path, decoded. */
  parts: Record<string, string>
  query: URLSearchParams
  /** The server's address as the app sees it, with a trailing slash. */
  base: string
  /** The app password and agent, which distinguish phones that have no device id. */
  shown: Shown
  /** The body as text, inflated; '' if there is none. */
  body: string
}

/** A refusal as the protocol answers it: a status and a line of text. */
export class SyncRefusal extends Error {
  override name = 'SyncRefusal'
  constructor(
    readonly status: 400 | 401 | 404 | 405 | 409 | 413,
    message: string,
  ) {
    super(message)
  }
}
export const badRequest = (message: string) => new SyncRefusal(400, message)

/** Parses JSON whatever its Content-Type: apps label it as forms and as text. */
export function readJsonBody(body: string): unknown {
  try {
    return parseJson(body)
  } catch {
    throw badRequest('The body is not valid JSON')
  }
}

export const asObject = (given: unknown): Record<string, unknown> => {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) throw badRequest('Expected an object')
  return given as Record<string, unknown>
}

/** Reads a list of texts, without empty ones and entries of other types. */
export function asTexts(given: unknown, name: string): string[] {
  if (given === undefined || given === null) return []
  if (!Array.isArray(given)) throw badRequest(`${name} must be a list`)
  return given.filter((value): value is string => typeof value === 'string' && value.trim() !== '')
}

/** Reads `since` in whole seconds; null if absent. Some apps send fractions. */
export function readSince(query: URLSearchParams): number | null {
  const given = query.get('since')
  if (given === null) return null
  if (!/^\d+(\.\d+)?$/.test(given)) throw badRequest('since must be a number of seconds')
  // A larger number would lose precision, and no clock ever shows it.
  return Math.min(Math.floor(Number(given)), Number.MAX_SAFE_INTEGER)
}

/** An empty response; 200 unless the protocol wants 204. */
export const emptyAnswer = (status: 200 | 204 = 200) =>
  new Response(status === 204 ? null : '', { status, headers: { 'Content-Type': 'text/plain' } })
