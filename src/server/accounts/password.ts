import { MAX_PASSWORD_BYTES } from '../config'
import { Problem } from '../platform/problem'

/**
 * The cost of a hash: 19 MiB and two passes (OWASP's second choice for argon2id), of which a Raspberry Pi can do
 * several at a time. Tests, which sign in a thousand times, make it cheaper; each hash records its own cost.
 */
export const hashingCost = { memoryCost: 19_456, timeCost: 2 }

/** Throws `password-too-weak` unless there are 8 characters, a number, a lower-case and an upper-case letter. */
export function requireStrong(password: string) {
  const isStrong =
    [...password].length >= 8 &&
    Buffer.byteLength(password) <= MAX_PASSWORD_BYTES &&
    /\p{Nd}/u.test(password) &&
    /\p{Ll}/u.test(password) &&
    /\p{Lu}/u.test(password)
  if (!isStrong)
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

/** Verifies a password; takes as long when there is no hash, so that nobody learns which names exist. */
export async function passwordFits(password: string, hash: string | null): Promise<boolean> {
  if (Buffer.byteLength(password) > MAX_PASSWORD_BYTES) return false
  const fits = await Bun.password.verify(normalised(password), hash ?? (await decoy())).catch(() => false)
  return fits && hash !== null && password !== ''
}
