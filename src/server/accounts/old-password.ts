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
export function readForeignPassword({ scheme, hash }: ForeignPassword): OldPassword | null {
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
export function typedAs(kind: string, password: string): string | Uint8Array {
  if (kind === 'sha256') return new Bun.CryptoHasher('sha256').update(password).digest('hex')
  return kind.startsWith('bcrypt') ? Buffer.from(password).subarray(0, BCRYPT_BYTES) : password
}

/** A well-formed hash of nobody's password, as costly to check as every other of its kind. */
export function decoyOf(kind: string): string {
  const [scheme, costs = ''] = kind.split(' ')
  const random = (bytes: number) => withoutPadding(Buffer.from(crypto.getRandomValues(new Uint8Array(bytes))))
  if (scheme !== 'bcrypt') return `$argon2id$v=19$${costs}$${random(16)}$${random(32)}`
  const letters = (length: number) =>
    `${random(length)
      .slice(0, length - 1)
      .replaceAll('+', '.')}.`
  return `$2b$${costs.padStart(2, '0')}$${letters(22)}${letters(31)}`
}
