import type { UserRow } from '../../../store/users'
import type { Shown } from '../../../sync/phones'
import { parseJson } from '../../core/body'

/** What a podcast app asks, its address taken apart. */
export type SyncRequest = {
  user: UserRow
  /** The parts of the address that the pattern of the call names. */
  parts: Record<string, string>
  query: URLSearchParams
  /** Where people find this server, with a slash at the end. */
  base: string
  /** Who asks, where it is a phone without a name. */
  shown: Shown
  /** The body as text, inflated; '' = none. */
  body: string
}

/** A refusal in the protocol's own way: a status and a line of text. */
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

/** JSON whatever its Content-Type says: apps label it as forms and as text. */
export function readJsonBody(body: string): unknown {
  try {
    return parseJson(body)
  } catch {
    throw badRequest('The body is no readable JSON')
  }
}

export const asObject = (given: unknown): Record<string, unknown> => {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) throw badRequest('An object is expected')
  return given as Record<string, unknown>
}

/** Texts of a list; what else is in it, and what is empty, is left out. */
export function asTexts(given: unknown, name: string): string[] {
  if (given === undefined || given === null) return []
  if (!Array.isArray(given)) throw badRequest(`${name} must be a list`)
  return given.filter((value): value is string => typeof value === 'string' && value.trim() !== '')
}

/** Seconds; some apps send fractions. */
export function readSince(query: URLSearchParams): number | null {
  const given = query.get('since')
  if (given === null) return null
  if (!/^\d+(\.\d+)?$/.test(given)) throw badRequest('since must be a time in seconds')
  // A time that no clock will show is as good as the latest.
  return Math.min(Math.floor(Number(given)), Number.MAX_SAFE_INTEGER)
}

/** 200 but for what the protocol answers otherwise. */
export const emptyAnswer = (status: 200 | 204 = 200) =>
  new Response(status === 204 ? null : '', { status, headers: { 'Content-Type': 'text/plain' } })
