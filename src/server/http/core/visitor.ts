import type { Visitor } from '../../accounts/arrivals'
import type { Config } from '../../config'
import { surroundingsOf } from '../../outbound/address'
import { addressOf, type Peer } from './server-url'

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
