import { MAX_PASSWORD_BYTES } from '../config'
import { Problem } from '../platform/problem'

/**
 * 19 MiB and two passes (OWASP's second choice for argon2id): a Raspberry Pi can do several at a time. A hash holds the cost that
 * it was made at; tests, which sign in a thousand times, make cheaper ones.
 */
export const hashingCost = { memoryCost: 19_456, timeCost: 2 }

/** At least 8 characters with a number, a lower-case and an upper-case letter; throws `password-too-weak`. */
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
      'A password has at least 8 characters, a number, a lower-case and an upper-case letter',
    )
}

// The same password typed on another system may arrive in other code points (RFC 8265, OpaqueString).
const normalised = (password: string) => password.normalize('NFC')

export const hashPassword = (password: string): Promise<string> =>
  Bun.password.hash(normalised(password), { algorithm: 'argon2id', ...hashingCost })

/** By cost. */
const decoys = new Map<number, Promise<string>>()
function decoy(): Promise<string> {
  const known = decoys.get(hashingCost.memoryCost) ?? hashPassword(crypto.randomUUID())
  decoys.set(hashingCost.memoryCost, known)
  return known
}

/** Takes as long for an account without a password, or for none at all: nobody learns which names exist. */
export async function passwordFits(password: string, hash: string | null): Promise<boolean> {
  if (Buffer.byteLength(password) > MAX_PASSWORD_BYTES) return false
  const fits = await Bun.password.verify(normalised(password), hash ?? (await decoy())).catch(() => false)
  return fits && hash !== null && password !== ''
}
