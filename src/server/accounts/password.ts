import { isStrongPassword, MAX_PASSWORD_BYTES } from '../config'
import { Problem } from '../platform/problem'
import type { UserRow } from '../store/users'
import { decoyOf, readForeignPassword, typedAs, type ForeignPassword, type OldPassword } from './old-password'

/**
 * The cost of a hash: 19 MiB and two passes (OWASP's second choice for argon2id), of which a Raspberry Pi can do
 * several at a time. Tests, which sign in a thousand times, make it cheaper; each hash records its own cost.
 */
export const hashingCost = { memoryCost: 19_456, timeCost: 2 }

/** Throws `password-too-weak` unless there are 8 characters, a number, a lower-case and an upper-case letter. */
export function requireStrong(password: string) {
  if (!isStrongPassword(password) || Buffer.byteLength(password) > MAX_PASSWORD_BYTES)
    throw new Problem(
      'password-too-weak',
      'A password needs at least 8 characters, a number, a lower-case and an upper-case letter',
    )
}

// The same password typed on another system may arrive in other code points (RFC 8265, OpaqueString).
const normalised = (password: string) => password.normalize('NFC')

export const hashPassword = (password: string): Promise<string> =>
  Bun.password.hash(normalised(password), { algorithm: 'argon2id', ...hashingCost })

/** Hashes of nobody's password, by cost. */
const decoys = new Map<number, Promise<string>>()
function decoy(): Promise<string> {
  const known = decoys.get(hashingCost.memoryCost) ?? hashPassword(crypto.randomUUID())
  decoys.set(hashingCost.memoryCost, known)
  return known
}

type Account = Pick<UserRow, 'password_hash' | 'password_kind'>

/**
 * Verifies a password; takes as long when there is no account or no hash, so that nobody learns which names exist.
 * `kinds` are the hashes of other programs in use here: each is checked as well, so that nobody learns who has one.
 */
export async function passwordFits(password: string, account: Account | null, kinds: readonly string[] = []) {
  if (Buffer.byteLength(password) > MAX_PASSWORD_BYTES) return false
  const { password_hash: hash, password_kind: kind } = account ?? { password_hash: null, password_kind: null }
  const isOfOurs = kind === null || kind === 'sha256'
  const own = (isOfOurs ? hash : null) ?? (await decoy())
  let fits = await verify(kind === 'sha256' ? typedAs(kind, password) : normalised(password), own)
  for (const other of kinds) {
    if (other === 'sha256') continue
    const isTheirs = other === kind
    const isRight = await verify(typedAs(other, password), isTheirs && hash !== null ? hash : decoyOf(other))
    if (isTheirs) fits = isRight
  }
  return fits && hash !== null && password !== ''
}

const verify = (typed: string | Uint8Array, hash: string) => Bun.password.verify(typed, hash).catch(() => false)

/**
 * Prepares a password of another program for storage: a digest without salt is hashed again, others are kept as they
 * are. Null if it is malformed or too costly to check.
 */
export async function prepareForeignPassword(foreign: ForeignPassword): Promise<OldPassword | null> {
  const found = readForeignPassword(foreign)
  return found?.kind === 'sha256' ? { ...found, hash: await hashPassword(found.hash) } : found
}
