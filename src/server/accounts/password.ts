import { isStrongPassword, MAX_PASSWORD_BYTES } from '../config'
import { Problem } from '../platform/problem'
import type { UserRow } from '../store/users'

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

// Why: docs/internals/decisions/0063

/** A password as another program stores it: SHA-256 without salt in hex, bcrypt, or argon2id in the PHC format. */
export type ForeignPassword = { scheme: 'sha256' | 'bcrypt' | 'argon2'; hash: string }

/** A hash of another program. Its kind is `sha256`, or names the costs: `bcrypt 10`, `argon2id m=65536,t=3,p=4`. */
export type OldPassword = { hash: string; kind: string }

const MAX_BCRYPT_COST = 14
const MAX_MEMORY_KIB = 131_072
/** Largest product of memory and passes: a check costs that much. */
const MAX_ARGON2_WORK = 524_288
const MAX_PARALLEL = 16
/** The longest part of a password that bcrypt reads. */
const BCRYPT_BYTES = 72

/** Reads a password of another program; null for one that is malformed, or too costly to check. */
function readForeignPassword({ scheme, hash }: ForeignPassword): OldPassword | null {
  if (scheme === 'sha256') {
    const digest = hash.toLowerCase()
    return /^[0-9a-f]{64}$/.test(digest) ? { hash: digest, kind: 'sha256' } : null
  }
  const kind = scheme === 'bcrypt' ? bcryptKind(hash) : argon2Kind(hash)
  return kind === null ? null : { hash, kind }
}

/** The last character of salt and digest holds fewer bits: others are not bcrypt, and checking them takes no time. */
const bcryptHash = /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{21}[.Oeu][./A-Za-z0-9]{30}[.CGKOSWaeimquy26]$/

function bcryptKind(hash: string): string | null {
  const cost = Number(bcryptHash.exec(hash)?.[1] ?? 0)
  return cost >= 4 && cost <= MAX_BCRYPT_COST ? `bcrypt ${cost}` : null
}

const argon2Hash =
  /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,2})\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{43})$/

function argon2Kind(hash: string): string | null {
  const [, memory, passes, parallel, salt, digest] = argon2Hash.exec(hash) ?? []
  if (!isBase64(salt) || !isBase64(digest)) return null
  const [m, t, p] = [Number(memory), Number(passes), Number(parallel)]
  const isBounded = t >= 1 && p >= 1 && p <= MAX_PARALLEL && m >= 8 * p && m <= MAX_MEMORY_KIB
  return isBounded && m * t <= MAX_ARGON2_WORK ? `argon2id m=${m},t=${t},p=${p}` : null
}

const withoutPadding = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '')
const isBase64 = (text: string | undefined) =>
  text !== undefined && withoutPadding(Buffer.from(text, 'base64')) === text

/** The bytes of a typed password that the other program hashed, in the code points in which they were typed. */
function typedAs(kind: string, password: string): string | Uint8Array {
  if (kind === 'sha256') return new Bun.CryptoHasher('sha256').update(password).digest('hex')
  return kind.startsWith('bcrypt') ? Buffer.from(password).subarray(0, BCRYPT_BYTES) : password
}

/** A well-formed hash of nobody's password, as costly to check as every other of its kind. */
function decoyOf(kind: string): string {
  const [scheme, costs = ''] = kind.split(' ')
  const random = (bytes: number) => withoutPadding(Buffer.from(crypto.getRandomValues(new Uint8Array(bytes))))
  if (scheme !== 'bcrypt') return `$argon2id$v=19$${costs}$${random(16)}$${random(32)}`
  const letters = (length: number) =>
    `${random(length)
      .slice(0, length - 1)
      .replaceAll('+', '.')}.`
  return `$2b$${costs.padStart(2, '0')}$${letters(22)}${letters(31)}`
}
