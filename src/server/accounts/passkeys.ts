import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import { type Clock, MINUTE } from '../platform/clock'
import type { Publish } from '../platform/events'
import { Problem } from '../platform/problem'
import type { Store } from '../store'
import type { PasskeyRow } from '../store/passkeys'
import type { UserRow } from '../store/users'
import type { Throttle } from './throttle'
import { ciphers, randomBytes } from '../platform/secret'

// Why: docs/internals/decisions/0053

/** Loaded when somebody uses a passkey. */
const library = () => import('@simplewebauthn/server')

/** More than anybody has devices. */
const MAX_PER_USER = 25
const MAX_NAME = 100

/**
 * The server as a browser sees it: `pod.example:8443`, and its name. Browsers offer a passkey to the pages of every
 * port of a name; here it is accepted only from pages of the port where it was created.
 */
export type Host = { host: string; name: string }

type Needs = {
  store: Store
  throttle: Throttle
  publish: Publish
  now: Clock
  /** Lets a sign-in succeed on a full disk. */
  makeRoom: () => void
  /** Whether an account may sign in by passkey. */
  mayHave: (user: UserRow) => boolean
}
export type Passkeys = ReturnType<typeof createPasskeys>

/**
 * Signs people in by passkeys (WebAuthn, level 3): without a name, and always after the device has verified its owner.
 * Each challenge is valid for one purpose, once, for some minutes.
 */
export function createPasskeys(needs: Needs) {
  const { store, now } = needs
  const challenges = createChallenges(now)
  return {
    /** Options for `navigator.credentials.create`. Throws `too-many-passkeys`. */
    async registration(user: UserRow, host: Host) {
      const all = store.passkeys.list(user.id)
      requireRoom(all)
      const known = all.filter(one => one.host === host.host)
      const { generateRegistrationOptions } = await library()
      return generateRegistrationOptions({
        rpName: 'Castellan',
        rpID: host.name,
        userName: user.username,
        userDisplayName: user.username,
        userID: Uint8Array.from(Buffer.from(user.uuid)),
        challenge: challenges.draw(registrationOf(user)),
        attestationType: 'none',
        excludeCredentials: known.map(({ credential_id, transports }) => ({
          id: credential_id,
          transports: JSON.parse(transports) as string[],
        })),
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      })
    },
    /** Adds a passkey. Throws `passkey-invalid`, `too-many-passkeys`. */
    add: (user: UserRow, host: Host, made: Made) => addPasskey(needs, challenges, user, host, made),
    rename(userId: number, uuid: string, name: string): PasskeyRow {
      const row = store.passkeys.rename(userId, uuid, cutName(name))
      if (!row) throw notFound()
      return row
    },
    remove(userId: number, uuid: string) {
      const name = store.passkeys.remove(userId, uuid)
      if (name === null) throw notFound()
      needs.publish({ type: 'recorded', kind: 'passkey-removed', detail: name })
    },
    /** Options for `navigator.credentials.get`: any passkey of this server will do. */
    async request(host: Host) {
      const { generateAuthenticationOptions } = await library()
      return generateAuthenticationOptions({
        rpID: host.name,
        challenge: challenges.draw(SIGN_IN),
        userVerification: 'required',
      })
    },
    /** The user of a passkey. Throws `passkey-refused`, `too-many-attempts`. */
    async signIn(response: unknown, host: Host, address: string): Promise<UserRow> {
      const found = await needs.throttle.guess({ way: 'passkey', name: '' }, address, () =>
        findUser(needs, challenges, response, host),
      )
      if (!found) throw new Problem('passkey-refused', 'The passkey was not accepted. Try again, or use your password.')
      return found
    },
  }
}

const SIGN_IN = 'sign in'
const registrationOf = ({ id, epoch }: UserRow) => `register ${id} ${epoch}`

type Challenges = ReturnType<typeof createChallenges>
export type Made = { name: string; device: string; response: unknown }

async function addPasskey(
  { store, publish, now }: Needs,
  challenges: Challenges,
  user: UserRow,
  host: Host,
  { name, device, response }: Made,
): Promise<PasskeyRow> {
  const { verifyRegistrationResponse } = await library()
  const verified = await verifyRegistrationResponse({
    response: response as RegistrationResponseJSON,
    expectedChallenge: challenge => challenges.use(challenge, registrationOf(user)),
    expectedOrigin: originsOf(host),
    expectedRPID: host.name,
    requireUserVerification: true,
  }).catch(() => null)
  const credential = verified?.registrationInfo?.credential
  if (!credential) throw invalid()
  const row = store.inTransaction(() => {
    requireRoom(store.passkeys.list(user.id))
    if (store.passkeys.findByCredential(credential.id)) throw invalid()
    return store.passkeys.add(
      user.id,
      {
        credential_id: credential.id,
        public_key: credential.publicKey,
        counter: credential.counter,
        transports: JSON.stringify((credential.transports ?? []).slice(0, 10)),
        host: host.host,
        name: cutName(name) || device || '–',
        device,
      },
      now(),
    )
  })
  publish({ type: 'recorded', kind: 'passkey-added', about: user, detail: row.name })
  return row
}

/** The user whose passkey answered a challenge; null if anything about the answer is wrong. */
async function findUser(
  { store, now, mayHave, makeRoom }: Needs,
  challenges: Challenges,
  response: unknown,
  host: Host,
): Promise<UserRow | null> {
  const answer = response as AuthenticationResponseJSON
  const row = typeof answer.id === 'string' ? store.passkeys.findByCredential(answer.id) : null
  const user = row && store.users.find(row.user_id)
  if (!row || !user || !mayHave(user) || row.host !== host.host) return null
  const { verifyAuthenticationResponse } = await library()
  const verified = await verifyAuthenticationResponse({
    response: answer,
    expectedChallenge: challenge => challenges.use(challenge, SIGN_IN),
    expectedOrigin: originsOf(host),
    expectedRPID: host.name,
    credential: {
      id: row.credential_id,
      publicKey: Uint8Array.from(row.public_key),
      counter: row.counter,
      transports: JSON.parse(row.transports) as string[],
    },
    requireUserVerification: true,
  }).catch(() => null)
  if (!verified?.verified) return null
  makeRoom()
  // Two answers with the same count: one is from a copy of the passkey.
  return store.passkeys.noteUse(row, verified.authenticationInfo.newCounter, now()) ? user : null
}

/** Browsers offer passkeys only to pages loaded over https or from the machine itself. */
const originsOf = ({ host, name }: Host) => [
  `https://${host}`,
  ...(name === 'localhost' || name.endsWith('.localhost') ? [`http://${host}`] : []),
]

function requireRoom(known: readonly unknown[]) {
  if (known.length >= MAX_PER_USER)
    throw new Problem('too-many-passkeys', `An account has at most ${MAX_PER_USER} passkeys`, {
      limit: String(MAX_PER_USER),
    })
}

const cutName = (name: string) => name.trim().slice(0, MAX_NAME)
const invalid = () => new Problem('passkey-invalid', 'The passkey could not be added. Try again.')
const notFound = () => new Problem('not-found', 'Passkey not found')

const VALID_MS = 10 * MINUTE
const RANDOM_BYTES = 16
const MARK_BYTES = 32
/** More than people sign in within ten minutes; the oldest are forgotten first. */
const MAX_USED = 10_000

/**
 * Draws challenges for passkeys. A challenge carries its own expiry and purpose under a keyed digest, so strangers who
 * ask for many fill no memory; only those that were used are remembered. A restart invalidates all open challenges.
 */
function createChallenges(now: Clock) {
  const key = randomBytes(32)
  /** By the challenge, when it expires. */
  const used = new Map<string, number>()

  const markOf = (body: Uint8Array, purpose: string) =>
    ciphers().createHmac('sha256', key).update(body).update(purpose).digest()

  function forgetExpired() {
    for (const [challenge, expiresAt] of used) {
      if (expiresAt > now() && used.size < MAX_USED) break
      used.delete(challenge)
    }
  }

  return {
    /** The bytes of a new challenge. */
    draw(purpose: string): Uint8Array<ArrayBuffer> {
      const body = Buffer.alloc(8 + RANDOM_BYTES)
      body.writeBigUInt64BE(BigInt(now() + VALID_MS))
      randomBytes(RANDOM_BYTES).copy(body, 8)
      return Uint8Array.from(Buffer.concat([body, markOf(body, purpose)]))
    },
    /** Uses a challenge up, in base64url; false for one of another purpose, an expired one, or one used before. */
    use(challenge: string, purpose: string): boolean {
      const bytes = Buffer.from(challenge, 'base64url')
      if (bytes.length !== 8 + RANDOM_BYTES + MARK_BYTES) return false
      const body = bytes.subarray(0, -MARK_BYTES)
      if (!ciphers().timingSafeEqual(markOf(body, purpose), bytes.subarray(-MARK_BYTES))) return false
      const expiresAt = Number(body.readBigUInt64BE())
      const written = bytes.toString('base64url')
      if (expiresAt <= now() || used.has(written)) return false
      forgetExpired()
      used.set(written, expiresAt)
      return true
    },
  }
}
