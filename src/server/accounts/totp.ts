import { ciphers } from '../platform/crypto'

/** Codes of authenticator apps (RFC 6238) as all of them make them: SHA-1, six digits, another every 30 seconds. */
const STEP_MS = 30_000
const DIGITS = 6
/** A clock may be off by so many steps. */
const LEEWAY = 1

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Writes bytes in base32 (RFC 4648) without padding, as authenticator apps read them. */
export function base32(bytes: Uint8Array): string {
  const bits = [...bytes].map(byte => byte.toString(2).padStart(8, '0')).join('')
  return [...bits.matchAll(/.{1,5}/g)].map(([five]) => letters[Number.parseInt(five.padEnd(5, '0'), 2)]).join('')
}

/** The code of a time step. `digits`: six, but for the examples of the RFC. */
export function codeAt(secret: Uint8Array, step: number, digits = DIGITS): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const digest = ciphers().createHmac('sha1', secret).update(counter).digest()
  const chosen = digest.readUInt32BE(digest.at(-1)! & 15) & 0x7fffffff
  return String(chosen % 10 ** digits).padStart(digits, '0')
}

/** The time step of a code, near a time in milliseconds; null for a wrong one. Takes as long for each. */
export function stepOf(secret: Uint8Array, code: string, now: number): number | null {
  const typed = code.replace(/\s/g, '')
  if (!/^\d{6}$/.test(typed)) return null
  const current = Math.floor(now / STEP_MS)
  let found: number | null = null
  for (let step = current - LEEWAY; step <= current + LEEWAY; step++)
    if (ciphers().timingSafeEqual(Buffer.from(codeAt(secret, step)), Buffer.from(typed))) found = step
  return found
}

/** The address by which an authenticator app takes a secret over, from a QR code. */
export const totpAddress = (secret: Uint8Array, username: string) =>
  `otpauth://totp/Castellan:${encodeURIComponent(username)}?secret=${base32(secret)}&issuer=Castellan`
