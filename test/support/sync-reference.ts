import type { SaidAction } from './simulated-app'

export type Reference = ReturnType<typeof startReference>
export type KnownPlace = { atMs: number; position: number; finished: boolean }

export type Reported = { saidMs: number | null; position: number; total: number | null; finished: boolean }

/** The publisher's address of what an app named, and whether it named one of our private feeds. */
export type Published = (address: string) => { url: string; isPrivate: boolean }

/**
 * The expected outcome, in the simplest words: the latest subscription to arrive, the latest position to be heard.
 * Two addresses of a podcast are one podcast, and our private one is the one that counts.
 */
export function startReference(published: Published) {
  const subscriptions = new Map<string, { subscribed: boolean; isPrivate: boolean }>()
  const positions = new Map<string, KnownPlace>()
  const arrived = new Set<string>()
  /** Episodes whose length is known, from the feed or a report. */
  const measured = new Set<string>()
  let told = 0
  const second = (ms: number) => Math.floor(ms / 1000)
  const asTold = (ms: number) => Math.max(told, second(ms))
  return {
    /** The second that apps would be told now; these never go back. */
    second: asTold,
    /** They are told it. */
    tick: (ms: number) => void (told = asTold(ms)),
    subscribe(address: string) {
      const { url, isPrivate } = published(address)
      const known = subscriptions.get(url)
      subscriptions.set(url, {
        subscribed: true,
        isPrivate: isPrivate || (known?.subscribed === true && known.isPrivate),
      })
    },
    /** By an address that is not the one of the subscription, nobody is unsubscribed. */
    unsubscribe(address: string) {
      const { url, isPrivate } = published(address)
      const known = subscriptions.get(url)
      if (known && known.isPrivate === isPrivate) subscriptions.set(url, { ...known, subscribed: false })
    },
    /** In the browser, by whatever address it was last. */
    favour(url: string, favoured: boolean) {
      const isPrivate = subscriptions.get(url)?.isPrivate ?? false
      subscriptions.set(url, { subscribed: favoured, isPrivate })
    },
    /** An app's action: what is to come counts as now, the same twice as once, of one second the last to arrive. */
    upload(device: string, { episode, action, timestamp, position = 0, started, total }: SaidAction) {
      const { url } = published(episode)
      const at = Math.min(Date.parse(`${timestamp}Z`) / 1000, told)
      const key = [device, episode, action.toLowerCase(), timestamp, Math.max(position, 0)].join(' ')
      if (arrived.has(key)) return
      arrived.add(key)
      const known = positions.get(url)
      if (known && second(known.atMs) > at) return
      const isNew = action.toLowerCase() === 'new'
      const finished = !isNew && position === total && (total > 0 || started === total)
      positions.set(url, {
        atMs: Math.max(at * 1000, known?.atMs ?? 0),
        // A finished episode lowers nothing; only a length tells where its end is.
        position: isNew ? 0 : finished ? Math.max(position, known?.position ?? 0) : position,
        finished,
      })
      if (!isNew && total !== undefined && total > 0) measured.add(url)
    },
    /**
     * The report of a browser or another app, of a moment or of now (null), which is never before what is known,
     * whatever the clock says; answers whether it counts. `total` null: it does not say how long the episode is.
     */
    report(url: string, nowMs: number, { saidMs, position, total, finished }: Reported): boolean {
      const knownMs = positions.get(url)?.atMs ?? 0
      const latestMs = Math.max(nowMs, knownMs)
      const atMs = Math.min(saidMs ?? latestMs, latestMs)
      if (knownMs > atMs) return false
      positions.set(url, { atMs, position: Math.floor(position), finished })
      if (total !== null) measured.add(url)
      return true
    },
    isMeasured: (url: string) => measured.has(url),
    measure: (url: string) => void measured.add(url),
    subscriptions: () => [...subscriptions].flatMap(([url, { subscribed }]) => (subscribed ? [url] : [])).sort(),
    position: (url: string) => positions.get(url) ?? null,
  }
}
