import type { ToldChange, ToldSession } from './player-reference'
import type { Random } from './random'
import { Offline } from './offline'

/** An episode that an app can play, by the ids of the protocol. */
export type Playable = { podcast: string; episode: string; total: number }

export type PlayerAnswer = { status: number; json: any }
/** A request of an app; throws `Offline` where no answer comes, though the request may have arrived. */
export type PlayerWire = (method: string, path: string, body?: unknown) => Promise<PlayerAnswer>

type Needs = {
  name: string
  wire: PlayerWire
  random: Random
  /** Its own clock, in milliseconds. */
  now: () => number
  /** Playing takes time. */
  pass: (seconds: number) => void
  episodes: () => readonly Playable[]
}

/**
 * An app that plays with sessions. `act`: its owner does something. `sync`: it says so, one request after the other.
 */
export type SimulatedPlayer = { name: string; act: () => string; sync: () => AsyncGenerator }

const somewhere = (random: Random) => random.below(6) * 100

/** The official app with a network: it syncs while it plays, and keeps what did not arrive until it does. */
export function onlinePlayer({ name, wire, random, now, pass, episodes }: Needs): SimulatedPlayer {
  type Session = ToldSession & { libraryItemId: string; total: number; unsynced: number; isDue: boolean }
  let wanted: Playable | null = null
  let session: Session | null = null
  let isClosing = false
  const left = new Map<string, Session>()

  async function* begin(episode: Playable) {
    const device = { deviceId: name, model: name, clientVersion: '1' }
    const { json } = await wire('POST', `/api/items/${episode.podcast}/play/${episode.episode}`, { deviceInfo: device })
    wanted = null
    session = {
      id: json.id,
      libraryItemId: episode.podcast,
      episodeId: episode.episode,
      currentTime: json.startTime,
      timeListening: 0,
      startedAt: now(),
      updatedAt: now(),
      duration: json.duration,
      total: episode.total,
      unsynced: 0,
      isDue: false,
    }
    yield
  }

  async function report(current: Session, call: 'sync' | 'close') {
    const { currentTime, unsynced: timeListened, duration } = current
    const body = current.isDue ? { currentTime, timeListened, duration } : undefined
    try {
      const { status } = await wire('POST', `/api/session/${current.id}/${call}`, body)
      if (status === 404) {
        if (current.isDue) left.set(current.id, { ...current })
        session = null
        return
      }
      left.delete(current.id)
      current.unsynced -= timeListened
      current.isDue = false
      if (call === 'close') session = null
    } catch (error) {
      if (error instanceof Offline && current.isDue) left.set(current.id, { ...current })
      throw error
    }
  }

  return {
    name,
    act() {
      const act = random.weighted({ begin: session ? 1 : 20, listen: 12, seek: 3, finish: 2, close: 2 })
      if (act === 'begin' || !session) {
        wanted = random.pick(episodes())
        return `begin ${wanted.episode}`
      }
      if (act === 'close') isClosing = true
      else {
        const seconds = act === 'listen' ? 1 + random.below(60) : 0
        pass(seconds)
        session.timeListening += seconds
        session.unsynced += seconds
        // It stops at the end of the file, whatever length it was told.
        session.currentTime =
          act === 'seek'
            ? somewhere(random)
            : act === 'finish'
              ? session.total - 5
              : Math.min(session.currentTime + seconds + 0.5, session.total)
        session.updatedAt = now()
        session.isDue = true
      }
      return `${act} at ${session.currentTime}`
    },
    async *sync() {
      if (session?.isDue && !isClosing) {
        await report(session, 'sync')
        yield
      }
      if (session && isClosing) {
        isClosing = false
        await report(session, 'close')
        yield
      }
      // A new session ends the one before: what it did not tell goes with those without a network.
      if (wanted) {
        if (session?.isDue) left.set(session.id, { ...session })
        session = null
        yield* begin(wanted)
      }
      if (left.size > 0) {
        const sent = [...left.values()]
        await wire('POST', '/api/session/local-all', { sessions: sent, deviceInfo: { model: name } })
        for (const one of sent) if (left.get(one.id) === one) left.delete(one.id)
      }
    },
  }
}

/** The official app without a network for days: sessions of its own, which may go on after they were sent. */
export function offlinePlayer({ name, wire, random, now, pass, episodes }: Needs): SimulatedPlayer {
  const left = new Map<string, ToldSession & { libraryItemId: string }>()
  let current: (ToldSession & { libraryItemId: string }) | null = null
  let count = 0
  return {
    name,
    act() {
      if (!current || random.chance(30)) {
        const { podcast, episode, total } = random.pick(episodes())
        current = {
          id: `${name}-${count++}`,
          libraryItemId: podcast,
          episodeId: episode,
          currentTime: somewhere(random),
          timeListening: 0,
          startedAt: now(),
          updatedAt: now(),
          duration: total,
        }
      }
      const seconds = 1 + random.below(120)
      pass(seconds)
      current = {
        ...current,
        currentTime: Math.min(current.currentTime + seconds + 0.25, current.duration),
        timeListening: current.timeListening + seconds,
        updatedAt: now(),
      }
      left.set(current.id, current)
      return `${current.id} ${current.episodeId} at ${current.currentTime}`
    },
    async *sync() {
      if (left.size === 0) return
      const sent = [...left.values()]
      const { json } = await wire('POST', '/api/session/local-all', { sessions: sent })
      const ids = json.results.map(({ id }: { id: string }) => id)
      if (ids.join() !== sent.map(({ id }) => id).join()) throw new Error(`Results of others: ${ids}`)
      for (const one of sent) if (left.get(one.id) === one) left.delete(one.id)
      yield
    },
  }
}

type Entry = ToldChange & { libraryItemId: string; episodeId: string }

/** ShelfPlayer: sets positions by its own clock, and sends them together when there is a network. */
export function batchPlayer({ name, wire, random, now, episodes }: Needs): SimulatedPlayer {
  let queue: Entry[] = []
  return {
    name,
    act() {
      const { podcast, episode, total } = random.pick(episodes())
      const act = random.weighted({ seek: 5, finish: 2, unplayed: 1 })
      const changes = {
        seek: { currentTime: somewhere(random), duration: total, isFinished: false },
        finish: { currentTime: total, duration: total, isFinished: true },
        unplayed: { currentTime: 0, isFinished: false },
      }
      queue.push({ libraryItemId: podcast, episodeId: episode, ...changes[act], lastUpdate: now() })
      return `${act} ${episode}`
    },
    async *sync() {
      if (queue.length === 0) return
      const sent = queue
      await wire('PATCH', '/api/me/progress/batch/update', [...sent, { libraryItemId: 'none', episodeId: 'none' }])
      queue = queue.filter(entry => !sent.includes(entry))
      yield
    },
  }
}

type Call = { method: 'PATCH' | 'DELETE'; path: string; body?: ToldChange }

/** Music Assistant: position, length and mark one after the other; unplayed is a deletion. */
export function patchPlayer({ name, wire, random, episodes }: Needs): SimulatedPlayer {
  const queue: Call[] = []
  return {
    name,
    act() {
      const { podcast, episode, total } = random.pick(episodes())
      const act = random.weighted({ seek: 5, finish: 2, unplayed: 1 })
      if (act === 'unplayed') queue.push({ method: 'DELETE', path: `/api/me/progress/${episode}` })
      else {
        const path = `/api/me/progress/${podcast}/${episode}`
        const currentTime = act === 'finish' ? total : somewhere(random)
        for (const body of [{ currentTime }, { duration: total }, { isFinished: act === 'finish' }])
          queue.push({ method: 'PATCH', path, body })
      }
      return `${act} ${episode}`
    },
    async *sync() {
      while (queue.length > 0) {
        const [{ method, path, body }] = queue as [Call]
        await wire(method, path, body)
        queue.shift()
        yield
      }
    },
  }
}
