import type { Reference } from './sync-reference'

/** A session as an app tells of it; moments by the app's own clock. */
export type ToldSession = {
  id: string
  episodeId: string
  currentTime: number
  timeListening: number
  startedAt: number
  updatedAt: number
  duration: number
}
/** Changes of one progress. */
export type ToldChange = { currentTime?: number; duration?: number; isFinished?: boolean; lastUpdate?: number }

type Known = {
  episode: string
  position: number
  listened: number
  heardMs: number
  saidMs: number | null
  isOpen: boolean
}

const HOUR = 3_600_000
const TOTAL = 600
const GUESS = 3600

/**
 * The expected effect of reports by apps with sessions, in the simplest words. A session counts by what was heard in it: more
 * of it is later. Each call answers whether a position counts by it.
 */
export function startPlayerReference(reference: Reference) {
  const sessions = new Map<string, Known>()
  const toldLength = (duration: number | undefined) => (duration === undefined || duration === GUESS ? null : duration)
  const isAtEnd = (url: string, position: number, duration: number | null) =>
    (duration !== null || reference.isMeasured(url)) && TOTAL - position < 10
  const write = (url: string, nowMs: number, saidMs: number | null, position: number, duration: number | null) =>
    reference.report(url, nowMs, {
      saidMs,
      position,
      total: duration,
      finished: isAtEnd(url, position, duration),
    })

  return {
    /** A session of the server's begins where the last report was. */
    begin(id: string, nowMs: number, position: number, episode: string) {
      sessions.set(id, { episode, position, listened: 0, heardMs: nowMs, saidMs: null, isOpen: true })
    },
    episodeOf: (id: string) => sessions.get(id)!.episode,
    isOpen: (id: string, nowMs: number) =>
      sessions.get(id)?.isOpen === true && sessions.get(id)!.heardMs >= nowMs - 36 * HOUR,
    end(id: string) {
      const session = sessions.get(id)
      if (session) session.isOpen = false
    },
    sync(
      url: string,
      id: string,
      nowMs: number,
      said: { currentTime: number; timeListened: number; duration: number },
    ) {
      const session = sessions.get(id)!
      const heard = Math.min(said.timeListened, Math.max(0, nowMs - session.heardMs) / 1000 + 15)
      const isNews = said.currentTime !== session.position || heard > 0
      Object.assign(session, {
        position: said.currentTime,
        listened: session.listened + heard,
        heardMs: nowMs,
        saidMs: null,
      })
      return isNews && write(url, nowMs, null, said.currentTime, toldLength(said.duration))
    },
    offline(url: string, nowMs: number, said: ToldSession) {
      const known = sessions.get(said.id)
      const { updatedAt: saidMs, timeListening: listened, currentTime: position } = said
      if (known) {
        const isOlder =
          known.saidMs === null ? listened < known.listened : saidMs < known.saidMs && listened <= known.listened
        if (isOlder) return false
      }
      const isNews = !known || known.position !== position || listened > known.listened
      // After its own last report, by whatever clock.
      const lastMs = known && Math.min(known.saidMs ?? Infinity, known.heardMs)
      const isOwn = lastMs !== undefined && reference.position(url)?.atMs === lastMs
      const atMs = isOwn ? Math.max(saidMs, lastMs) : saidMs
      sessions.set(said.id, {
        episode: said.episodeId,
        position,
        listened: Math.max(known?.listened ?? 0, listened),
        heardMs: nowMs,
        saidMs,
        isOpen: known?.isOpen ?? false,
      })
      return isNews && write(url, nowMs, atMs, position, toldLength(said.duration))
    },
    change(url: string, nowMs: number, { currentTime, duration, isFinished, lastUpdate }: ToldChange) {
      const known = reference.position(url)
      const total = toldLength(duration)
      const saidMs = lastUpdate ?? null
      const put = (position: number, finished: boolean, at = saidMs) =>
        reference.report(url, nowMs, { saidMs: at, position, total, finished })
      if (isFinished === true) return put(currentTime ?? known?.position ?? 0, true)
      if (currentTime !== undefined)
        return put(currentTime, isFinished === false ? false : isAtEnd(url, currentTime, total))
      if (isFinished === false && known?.finished) return put(0, false)
      if (total !== null && known) return put(known.position, known.finished, known.atMs)
      return false
    },
    /** Marks it as unplayed. */
    remove: (url: string, nowMs: number) =>
      reference.report(url, nowMs, { saidMs: null, position: 0, total: null, finished: false }),
  }
}
export type PlayerReference = ReturnType<typeof startPlayerReference>
