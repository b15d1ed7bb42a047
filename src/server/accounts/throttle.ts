import { type Clock, DAY, MINUTE, SECOND } from '../platform/clock'
import type { Publish, RefusedAttempt } from '../platform/events'
import { Problem } from '../platform/problem'
import { nameKey } from '../store/users'

export type ThrottleLimits = {
  /** Failures of a pair before its guesses are slowed down. */
  freeFailures: number
  maxFailuresPerPair: number
  maxFailuresPerAddress: number
  /** Failures with the password of one name from all addresses that its account does not know. */
  freeFailuresOfStrangers: number
  /** From then on, all these addresses together have one guess per this time. */
  strangersPauseMs: number
  /** Doubles with each further failure, up to `longestPauseMs`. */
  firstPauseMs: number
  longestPauseMs: number
}

export const throttleLimits: ThrottleLimits = {
  freeFailures: 5,
  maxFailuresPerPair: 20,
  maxFailuresPerAddress: 100,
  freeFailuresOfStrangers: 30,
  strangersPauseMs: 30 * SECOND,
  firstPauseMs: 250,
  longestPauseMs: 8000,
}

const REFUSED_FOR_MS = 15 * MINUTE
const MAX_REMEMBERED = 10_000
/** In characters: a name that a stranger sends may have any length. */
const MAX_NAME_LENGTH = 100

/** `failures` includes guesses still in progress, so parallel guesses cannot get round the limit. */
type Guesses = { failures: number; lastAt: number; isReported: boolean }

/** The guesses at one name by all addresses that its account does not know. */
type Siege = { failures: number; lastAt: number; nextAt: number; reportedAt: number }

/** A way to sign in that is guessed at, and the name that was typed; '' if the way has none. */
export type Attempt = Pick<RefusedAttempt, 'way' | 'name'>

const wrong = {
  password: 'wrong-password',
  code: 'wrong-code',
  passkey: 'wrong-passkey',
  key: 'wrong-key',
  invite: 'unknown-invitation',
  'app-token': 'wrong-token',
  openid: 'wrong-token',
  proxy: 'not-accepted',
} as const

/**
 * Slows down guessing and later refuses it (429 `too-many-attempts`): each pair of user and address after
 * `maxFailuresPerPair` failures, an account after as many if it is counted, and an address after
 * `maxFailuresPerAddress` with any users, all for 15 minutes after the last failure. A correct guess clears the
 * failures of its pair and account. Publishes every refusal.
 *
 * Many addresses that guess at one password slow each other down: beyond `freeFailuresOfStrangers` they share one guess
 * in `strangersPauseMs`, right or wrong, until there was none for 15 minutes. Addresses where `isKnownPlace` are
 * exempt. Names without an account are treated in the same way. A check that throws, such as one at a provider that does
 * not answer, counts as no guess.
 */
export function createThrottle(
  now: Clock,
  publish: Publish,
  changed: Partial<ThrottleLimits> = {},
  isKnownPlace: (name: string, address: string) => boolean = () => false,
) {
  const limits = { ...throttleLimits, ...changed }
  const pairs = new Map<string, Guesses>()
  const addresses = new Map<string, Guesses>()
  /** By the id of the account. Only those who know its password make a record, so strangers cannot push one out. */
  const accounts = new Map<number, Guesses>()

  const report = (attempt: Attempt, address: string, reason: RefusedAttempt['reason'], isRepeated = false) =>
    publish({ type: 'signInRefused', ...attempt, address, reason, isRepeated })
  const sieges = createSieges(now, publish, limits, report)

  function refuseBeyond(record: Guesses, max: number, attempt: Attempt, address: string) {
    if (record.failures < max) return
    report(attempt, address, 'too-many-attempts', record.isReported)
    record.isReported = true
    const seconds = Math.ceil((record.lastAt + REFUSED_FOR_MS - now()) / 1000)
    throw tooMany(seconds)
  }

  async function guess<T>(
    attempt: Attempt,
    address: string,
    check: () => T | null | Promise<T | null>,
    account: number | null = null,
  ): Promise<T | null> {
    const all = findOrCreate(now(), addresses, address)
    // An address that is refused makes no further records.
    refuseBeyond(all, limits.maxFailuresPerAddress, attempt, address)
    const key = keyOf(attempt, address)
    const own = [findOrCreate(now(), pairs, key), ...(account === null ? [] : [findOrCreate(now(), accounts, account)])]
    for (const record of own) refuseBeyond(record, limits.maxFailuresPerPair, attempt, address)
    const siege =
      attempt.way === 'password' && !isKnownPlace(attempt.name, address)
        ? sieges.claimTurn(attempt, address, own[0]!)
        : null
    const beyondFree = Math.max(...own.map(({ failures }) => failures)) - limits.freeFailures
    const counted = [all, ...own, ...(siege ? [siege] : [])]
    for (const record of [all, ...own]) {
      record.failures += 1
      record.lastAt = now()
    }
    if (beyondFree >= 0) await Bun.sleep(Math.min(limits.firstPauseMs * 2 ** beyondFree, limits.longestPauseMs))
    const found = await Promise.try(check).catch((error: unknown) => {
      for (const record of counted) record.failures -= 1
      throw error
    })
    if (found === null) {
      report(attempt, address, wrong[attempt.way])
      if (siege) sieges.report(attempt, siege)
      return null
    }
    if (siege) siege.failures -= 1
    pairs.delete(key)
    if (account !== null) accounts.delete(account)
    all.failures = Math.max(0, all.failures - 1)
    return found
  }

  return {
    /**
     * Runs a guess, after a pause if earlier ones failed; `check` returns null for a wrong one. `account`: it is
     * counted for this account as well, from all addresses together; only for those who have shown its password.
     */
    guess,
    /** Counts a failure that needs no check, with the same pause and limits as `guess`. */
    recordFailure: (attempt: Attempt, address: string): Promise<null> => guess(attempt, address, () => null),
    /** Reports a refusal of what nobody can guess, such as a signed token, without counting it as a guess. */
    reportRefusal(attempt: Attempt, address: string) {
      const key = keyOf(attempt, address)
      const isRepeated = pairs.has(key) && findOrCreate(now(), pairs, key).isReported
      findOrCreate(now(), pairs, key).isReported = true
      report(attempt, address, wrong[attempt.way], isRepeated)
    },
  }
}

type Report = (attempt: Attempt, address: string, reason: RefusedAttempt['reason'], isRepeated?: boolean) => void

/** Lets strangers who guess at one password from many addresses share one guess at a time. */
function createSieges(now: Clock, publish: Publish, limits: ThrottleLimits, report: Report) {
  /** By name; those guessed at most recently are kept. */
  const sieges = new Map<string, Siege>()

  function siegeOf(name: string): Siege {
    const key = nameKey(name.slice(0, MAX_NAME_LENGTH))
    const known = sieges.get(key)
    const isOver = !known || now() - known.lastAt >= REFUSED_FOR_MS
    const siege = isOver
      ? { failures: 0, lastAt: now(), nextAt: 0, reportedAt: known?.reportedAt ?? Number.NEGATIVE_INFINITY }
      : known
    // The name guessed at most recently is dropped last.
    sieges.delete(key)
    if (sieges.size >= MAX_REMEMBERED) sieges.delete(sieges.keys().next().value!)
    sieges.set(key, siege)
    return siege
  }

  /** Claims a stranger's guess at a name. Throws if another stranger has guessed within the pause. */
  function claimTurn(attempt: Attempt, address: string, pair: Guesses): Siege {
    const siege = siegeOf(attempt.name)
    if (siege.failures >= limits.freeFailuresOfStrangers) {
      if (now() < siege.nextAt) {
        report(attempt, address, 'too-many-attempts', pair.isReported)
        pair.isReported = true
        throw tooMany(Math.ceil((siege.nextAt - now()) / SECOND))
      }
      siege.nextAt = now() + limits.strangersPauseMs
    }
    siege.failures += 1
    siege.lastAt = now()
    return siege
  }

  function reportSiege({ name }: Attempt, siege: Siege) {
    if (siege.failures < limits.freeFailuresOfStrangers || now() - siege.reportedAt < DAY) return
    siege.reportedAt = now()
    publish({ type: 'accountAttacked', name, failures: siege.failures })
  }

  return { claimTurn, report: reportSiege }
}

function findOrCreate<K>(at: number, records: Map<K, Guesses>, key: K): Guesses {
  const known = records.get(key)
  if (known && at - known.lastAt < REFUSED_FOR_MS) return known
  // A full map drops the record made first, so that an attacker cannot fill the memory.
  if (!known && records.size >= MAX_REMEMBERED) records.delete(records.keys().next().value!)
  const fresh = { failures: 0, lastAt: at, isReported: false }
  records.set(key, fresh)
  return fresh
}

const tooMany = (seconds: number) =>
  new Problem(
    'too-many-attempts',
    `Too many attempts. Try again in ${seconds} seconds.`,
    { seconds: String(seconds) },
    seconds,
  )

const keyOf = ({ way, name }: Attempt, address: string) =>
  `${address} ${way} ${nameKey(name.slice(0, MAX_NAME_LENGTH))}`

export type Throttle = ReturnType<typeof createThrottle>
