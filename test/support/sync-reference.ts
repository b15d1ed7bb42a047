import type { SaidAction } from './simulated-app'

export type Reference = ReturnType<typeof startReference>

/** What should be so, in the simplest words: of subscriptions the latest to arrive, of positions the latest to be heard. */
export function startReference() {
  const subscriptions = new Map<string, boolean>()
  const positions = new Map<string, { atMs: number; position: number }>()
  const arrived = new Set<string>()
  let told = 0
  const second = (ms: number) => Math.floor(ms / 1000)
  const asTold = (ms: number) => Math.max(told, second(ms))
  return {
    /** The second that apps would be told now; these never go back. */
    second: asTold,
    /** They are told it. */
    tick: (ms: number) => void (told = asTold(ms)),
    subscribe: (url: string, subscribed: boolean) => void subscriptions.set(url, subscribed),
    /** An app's action: what is to come counts as now, the same twice as once, of one second the last to arrive. */
    upload(device: string, { episode, action, timestamp, position = 0 }: SaidAction) {
      const at = Math.min(Date.parse(`${timestamp}Z`) / 1000, told)
      const key = [device, episode, action.toLowerCase(), timestamp, position].join(' ')
      if (arrived.has(key)) return
      arrived.add(key)
      const known = positions.get(episode)
      if (known && second(known.atMs) > at) return
      positions.set(episode, { atMs: Math.max(at * 1000, known?.atMs ?? 0), position })
    },
    /**
     * The browser's report of a moment, or of now (null), which is never before what is known, whatever the clock says;
     * answers whether it counts.
     */
    report(url: string, saidMs: number | null, nowMs: number, position: number): boolean {
      const knownMs = positions.get(url)?.atMs ?? 0
      const latestMs = Math.max(nowMs, knownMs)
      const atMs = Math.min(saidMs ?? latestMs, latestMs)
      if (knownMs > atMs) return false
      positions.set(url, { atMs, position })
      return true
    },
    subscriptions: () => [...subscriptions].flatMap(([url, subscribed]) => (subscribed ? [url] : [])).sort(),
    position: (url: string) => positions.get(url) ?? null,
  }
}
