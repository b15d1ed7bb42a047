import { type ReadonlySignal, signal } from '@preact/signals-core'
import type { StoredAnswer } from '../device/answer-files'

/** The moment of the last answer, in milliseconds; absent if this browser keeps none. */
const KEY = 'answers'
const PATIENCE_MS = 4000
const PROBE_MS = 5000

type Files = Pick<typeof import('../device/answer-files'), 'keepAnswers' | 'findAnswer' | 'clearAnswers'>
type Needs = {
  storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>
  isPossible: boolean
  /** Edits an answer that is shown without the server by what was done here since. */
  revise?: (data: unknown, path: string) => Promise<unknown>
  files?: () => Promise<Files>
  now?: () => number
  /** Asks the server for anything. */
  probe?: () => Promise<unknown>
  later?: (work: () => void, ms: number) => unknown
}

export type KeptAnswers = ReturnType<typeof createKeptAnswers>

/**
 * The last answers about the library, which pages show while the server can't be reached, and whether it can. Kept only
 * for a sign-in that this browser remembers, and until it ends.
 */
export function createKeptAnswers({ storage, isPossible, ...rest }: Needs) {
  const { revise = async data => data, files = () => import('../device/answer-files'), now = Date.now, probe } = rest
  const { later = (work, ms) => setTimeout(work, ms) } = rest
  const isOffline = signal(false)
  let mayKeep: boolean | null = isPossible ? null : false
  /** Answers to be kept, once it is known whether they may be. */
  let waiting: [url: string, answer: StoredAnswer][] = []
  /** Whether the server has answered since this page began, or since it last did not. */
  let isSure = false
  let isLooking = false
  let flushing: Promise<unknown> = Promise.resolve()

  async function flush() {
    const { keepAnswers } = await files()
    if (await keepAnswers(waiting.splice(0))) storage.setItem(KEY, String(now()))
  }
  const flushNow = () => (flushing = Promise.allSettled([flushing, flush()]))
  /** Asks again until the server answers: the socket may be open all the while. */
  function look() {
    if (!isOffline.peek() || !probe || isLooking) return
    isLooking = true
    const ask = async () => {
      await probe().catch(() => undefined)
      isLooking = false
      look()
    }
    later(() => void ask(), PROBE_MS)
  }
  async function forget() {
    if (storage.getItem(KEY) === null) return
    await (await files()).clearAnswers()
    // The key stays until they are deleted: a browser that ends before that deletes them at the next sign-in.
    storage.removeItem(KEY)
  }
  async function clear() {
    mayKeep = false
    waiting = []
    // Answers that are being kept are deleted with the rest.
    await flushing
    await forget()
  }
  return {
    /** Whether the server can't be reached, so that only what is here can be shown and played. */
    isOffline: isOffline as ReadonlySignal<boolean>,
    reached(is: boolean) {
      isSure = is
      if (is === !isOffline.peek()) return
      isOffline.value = !is
      look()
    },
    /** The moment of the last answer, as ISO text; null if none is kept. */
    since: () => (storage.getItem(KEY) === null ? null : new Date(Number(storage.getItem(KEY))).toISOString()),
    keep(url: string, answer: StoredAnswer) {
      if (mayKeep === false) return
      waiting.push([url, answer])
      if (mayKeep) void flushNow()
    },
    async find(url: string): Promise<{ data: unknown; nextCursor: string | null } | null> {
      if (storage.getItem(KEY) === null) return null
      const answer = await (await files()).findAnswer(url)
      if (!answer) return null
      const { text, nextCursor } = answer
      return { data: await revise(JSON.parse(text) as unknown, new URL(url).pathname), nextCursor }
    },
    /** Milliseconds to wait for a server that may not answer, if there is something to show instead. */
    patience: () => (isSure || storage.getItem(KEY) === null ? undefined : PATIENCE_MS),
    /** Decides whether answers may be kept. `isOther`: the kept ones are another user's, who never signed out. */
    async decide(may: boolean, isOther: boolean) {
      if (!may) return clear()
      if (isOther) await forget()
      // Somebody has signed out in the meantime.
      if (mayKeep === false) return
      mayKeep = true
      await flushNow()
    },
    clear,
  }
}
