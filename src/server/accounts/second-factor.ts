import type { Config } from '../config'
import type { Clock } from '../platform/clock'
import { ciphers, randomBytes, type Secret } from '../platform/secret'
import type { Publish } from '../platform/events'
import { Problem } from '../platform/problem'
import type { Store } from '../store'
import type { UserRow } from '../store/users'
import { keyHash } from './keys'
import { reportEnded } from './own-sessions'
import { requireCurrent } from './sign-in/credentials'
import type { Throttle } from './throttle'

// Why: docs/internals/decisions/0053

/** The size that RFC 4226 recommends for the secret with SHA-1. */
const SECRET_BYTES = 20
const RECOVERY_CODES = 10
/** 80 random bits, 16 letters: nobody can guess such a code, even from its hash. */
const RECOVERY_BYTES = 10

type Needs = {
  store: Store
  secret: Secret
  throttle: Throttle
  publish: Publish
  now: Clock
  /** Lets a right code be used up on a full disk. */
  makeRoom: () => void
}
export type SecondFactor = ReturnType<typeof createSecondFactor>

/**
 * Asks for a code of an authenticator app, or a recovery code, after the password. It counts once a code has confirmed
 * that the app has the secret. Then the sessions that the password alone had begun end.
 */
export function createSecondFactor(needs: Needs) {
  const { store, secret, publish, now } = needs
  const { secondFactors } = store
  /** Asks the database: the caller's row may have been read before the body arrived or a password was checked. */
  const isOn = ({ id }: UserRow) => store.users.find(id)?.second_factor === 1
  return {
    recoveryCodesLeft: (userId: number) => secondFactors.countRecoveryCodes(userId),
    /** Draws a secret for the app. It does not take effect yet. Throws `second-factor-on`. */
    begin(user: UserRow) {
      if (isOn(user)) throw alreadyOn()
      const { id, username } = user
      const drawn = randomBytes(SECRET_BYTES)
      secondFactors.begin(id, secret.seal(drawn.toString('hex')), now())
      return { secret: base32(drawn), address: totpAddress(drawn, username) }
    },
    /**
     * Turns the second factor on by a code of the app; returns the recovery codes, only this time. `keptId`: the
     * session that continues, under a token that the caller issues. Throws `second-factor-on`, `not-confirmed`,
     * `not-signed-in`, `too-many-attempts`.
     */
    async confirm(user: UserRow, code: string, address: string, keptId: number | null): Promise<string[]> {
      if (isOn(user)) throw alreadyOn()
      if (!(await isRight(needs, user, code, address)))
        throw new Problem('not-confirmed', 'The code is wrong. Check the clock of the phone.')
      const { codes, ended } = store.inTransaction(() => {
        if (isOn(user)) throw alreadyOn()
        requireCurrent(store, user)
        const codes = drawCodes(needs, user.id)
        secondFactors.turnOn(user.id)
        const ended = {
          sessions: store.sessions.removeOthers(user.id, keptId),
          apps: store.appSessions.removeOfOwnPassword(user.id),
        }
        // The remaining sessions began with app passwords and keys.
        store.appSessions.outlive(user.id, user.epoch)
        return { codes, ended }
      })
      reportEnded(publish, user.id, ended)
      publish({ type: 'signInChanged', userId: user.id, keptSessionId: keptId })
      publish({ type: 'recorded', kind: 'second-factor-on', about: user })
      return codes
    },
    /** Whether a code is required and none was given. */
    isMissing: (user: UserRow, code: string | null) => isOn(user) && isEmpty(code),
    /** Checks a code. Throws `second-factor-needed` without one, `wrong-second-factor`, `too-many-attempts`. */
    async require(user: UserRow, code: string | null, address: string) {
      if (!isOn(user)) return
      if (isEmpty(code)) throw codeNeeded()
      if (!(await isRight(needs, user, code, address))) throw wrongCode()
    },
    /** Makes new recovery codes; the old ones are no longer accepted. */
    renewCodes(user: UserRow): string[] {
      const codes = store.inTransaction(() => drawCodes(needs, user.id))
      publish({ type: 'recorded', kind: 'recovery-codes-renewed', about: user })
      return codes
    },
  }
}

/**
 * Checks a code and uses it up. Guesses are counted by user and address, as those of passwords are, and also by user
 * alone: someone who knows the password may have many addresses, and six digits are few.
 */
async function isRight(
  { store, secret, throttle, now, makeRoom }: Needs,
  user: UserRow,
  code: string,
  address: string,
) {
  const { secondFactors } = store
  function use(): true | null {
    const row = secondFactors.find(user.id)
    if (!row) return null
    const opened = openSecret(secret, row.secret)
    const step = opened && stepOf(opened, code, now())
    if (step === null && !secondFactors.hasRecoveryCode(user.id, recoveryHash(code))) return null
    makeRoom()
    if (step !== null) return secondFactors.useStep(user.id, step) || null
    return secondFactors.useRecoveryCode(user.id, recoveryHash(code)) || null
  }
  return (await throttle.guess({ way: 'code', name: user.username }, address, use, user.id)) !== null
}

/** The secret of an app; null if the server's secret was replaced since: recovery codes are still accepted. */
function openSecret(secret: Secret, sealed: Uint8Array): Uint8Array | null {
  try {
    return Buffer.from(secret.open(sealed), 'hex')
  } catch {
    return null
  }
}

function drawCodes({ store }: Needs, userId: number): string[] {
  const codes = Array.from({ length: RECOVERY_CODES }, () => base32(randomBytes(RECOVERY_BYTES)).toLowerCase())
  store.secondFactors.setRecoveryCodes(userId, codes.map(recoveryHash))
  return codes.map(code => code.match(/.{4}/g)!.join('-'))
}

const isEmpty = (code: string | null): code is null => code === null || code.trim() === ''

/** However it was typed: with or without hyphens and blanks, in any case. */
const recoveryHash = (code: string) => keyHash(code.slice(0, 100).replace(/[\s-]/g, '').toLowerCase())

const alreadyOn = () => new Problem('second-factor-on', 'The second factor is on already')
const wrongCode = () => new Problem('wrong-second-factor', 'The code is wrong, or was used before')
export const codeNeeded = () =>
  new Problem('second-factor-needed', 'Enter the code of your authenticator app. Apps need an app password.')

/** Codes of authenticator apps (RFC 6238) as all of them make them: SHA-1, six digits, another every 30 seconds. */
const STEP_MS = 30_000
const DIGITS = 6
/** Steps by which a clock may be off. */
const LEEWAY = 1

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Writes bytes in base32 (RFC 4648) without padding, as authenticator apps read them. */
export function base32(bytes: Uint8Array): string {
  const bits = [...bytes].map(byte => byte.toString(2).padStart(8, '0')).join('')
  return [...bits.matchAll(/.{1,5}/g)].map(([five]) => letters[Number.parseInt(five.padEnd(5, '0'), 2)]).join('')
}

/** The code of a time step. `digits`: six, except for the examples of the RFC. */
export function codeAt(secret: Uint8Array, step: number, digits = DIGITS): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const digest = ciphers().createHmac('sha1', secret).update(counter).digest()
  const chosen = digest.readUInt32BE(digest.at(-1)! & 15) & 0x7fffffff
  return String(chosen % 10 ** digits).padStart(digits, '0')
}

/** The time step of a code, near a time in milliseconds; null for a wrong one. Takes the same time for each. */
export function stepOf(secret: Uint8Array, code: string, now: number): number | null {
  const typed = code.replace(/\s/g, '')
  if (!/^\d{6}$/.test(typed)) return null
  const current = Math.floor(now / STEP_MS)
  let found: number | null = null
  for (let step = current - LEEWAY; step <= current + LEEWAY; step++)
    if (ciphers().timingSafeEqual(Buffer.from(codeAt(secret, step)), Buffer.from(typed))) found = step
  return found
}

/** The address from which an authenticator app imports a secret, as a QR code. */
const totpAddress = (secret: Uint8Array, username: string) =>
  `otpauth://totp/Castellan:${encodeURIComponent(username)}?secret=${base32(secret)}&issuer=Castellan`

type ProofNeeds = {
  store: Store
  config: Pick<Config, 'byPassword'>
  secondFactor: SecondFactor
  /** Checks a password; throws `wrong-user-or-password`, `too-many-attempts`. */
  checkPassword: (username: string, password: string, address: string) => Promise<UserRow>
}

/** The password, and a code if a second factor is on, typed again before a change of how somebody signs in. */
type Proof = { password: string; code?: string | null | undefined }

/** Verifies who is asking before a change of how they sign in: an open session is not enough. */
export function createProofs({ store, config, secondFactor, checkPassword }: ProofNeeds) {
  const hasPassword = (user: UserRow) => config.byPassword && user.password_hash !== null
  return {
    /** Whether somebody signs in with a password of this server: others have no passkeys and no second factor. */
    hasPassword,
    /** Throws `no-own-password`, `not-confirmed`, `not-signed-in`, `too-many-attempts`. */
    async require(user: UserRow, { password, code = null }: Proof, address: string) {
      if (!hasPassword(user)) throw new Problem('no-own-password', 'This account does not sign in with a password here')
      try {
        await checkPassword(user.username, password, address)
        await secondFactor.require(user, code, address)
      } catch (error) {
        // It says nothing about whether somebody is signed in, so no page should sign out because of it.
        if (error instanceof Problem && error.code !== 'too-many-attempts')
          throw new Problem('not-confirmed', 'The password or the code is wrong')
        throw error
      }
      requireCurrent(store, user)
    },
  }
}
