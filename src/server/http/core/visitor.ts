import type { Visitor } from '../../accounts/arrivals'
import type { Config } from '../../config'
import { surroundingsOf } from '../../outbound/address'
import { addressOf, type Peer } from './links'
import { SESSION_DAYS } from '../../accounts/sign-in/session'

/** Longest name that is shown. */
const MAX_NAME = 60

type Known = readonly (readonly [word: string, name: string])[]

/** By words of their User-Agent in lower case; a browser often names those that it is made of, too. */
const browsers: Known = [
  ['edg', 'Edge'],
  ['opr/', 'Opera'],
  ['samsungbrowser/', 'Samsung Internet'],
  ['vivaldi/', 'Vivaldi'],
  ['firefox/', 'Firefox'],
  ['fxios/', 'Firefox'],
  ['crios/', 'Chrome'],
  ['chrome/', 'Chrome'],
  ['safari/', 'Safari'],
]
const systems: Known = [
  ['iphone', 'iPhone'],
  ['ipad', 'iPad'],
  ['android', 'Android'],
  ['windows', 'Windows'],
  ['cros ', 'ChromeOS'],
  ['mac os x', 'macOS'],
  ['linux', 'Linux'],
]

/** Names the device of a User-Agent: `Firefox, Linux`, or what an app calls itself; '' if nothing does. */
export function deviceOf(userAgent: string | null): string {
  const agent = (userAgent ?? '').replace(/[\p{Cc}\p{Cf}]/gu, '').trim()
  const lower = agent.toLowerCase()
  const nameIn = (known: Known) => known.find(([word]) => lower.includes(word))?.[1]
  const browser = lower.startsWith('mozilla/') ? nameIn(browsers) : undefined
  if (browser === undefined) return agent.split(/[/(]/, 1)[0]!.trim().slice(0, MAX_NAME)
  return [browser, nameIn(systems)].filter(Boolean).join(', ')
}

/** The device and the network that a request comes from. */
export const visitorOf = (request: Request, peer: Peer, config: Config): Visitor => ({
  device: deviceOf(request.headers.get('user-agent')),
  address: surroundingsOf(addressOf(request, peer, config)),
})

const COOKIE = 'castellan'

/** The session token in a request's cookie; null if there is none. */
export function readCookie(request: Request): string | null {
  const header = request.headers.get('cookie')
  if (!header?.includes(COOKIE)) return null
  for (const part of header.split(';')) {
    const [name, value] = part.trim().split('=', 2)
    if (name === COOKIE && value) return value
  }
  return null
}

/**
 * A `Set-Cookie` for the session, valid below the server's own path. With `remember` it survives the end of the
 * browser; an empty token deletes the cookie.
 */
export function sessionCookie(base: string, token: string, remember: boolean): string {
  const { pathname, protocol } = new URL(base)
  const age = token === '' ? '; Max-Age=0' : remember ? `; Max-Age=${SESSION_DAYS * 86_400}` : ''
  return `${COOKIE}=${token}; HttpOnly; SameSite=Strict; Path=${pathname}${protocol === 'https:' ? '; Secure' : ''}${age}`
}
