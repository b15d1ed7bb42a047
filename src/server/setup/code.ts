import { ciphers, randomBytes } from '../platform/secret'

/** Letters and digits that nobody confuses when typing them from a log. */
const ALPHABET = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789'
const GROUPS = 3
const GROUP_LENGTH = 4

/** Draws a code of 59 bits, which nobody guesses over a network: `K7MQ-2XPA-RT4W`. */
export function makeCode(): string {
  const letters: string[] = []
  // Bytes above the last whole multiple would make the first letters likelier.
  while (letters.length < GROUPS * GROUP_LENGTH)
    for (const byte of randomBytes(16)) if (byte < 248) letters.push(ALPHABET[byte % ALPHABET.length]!)
  return Array.from({ length: GROUPS }, (_, group) =>
    letters.slice(group * GROUP_LENGTH, (group + 1) * GROUP_LENGTH).join(''),
  ).join('-')
}

const bare = (code: string) => code.toUpperCase().replace(/[^A-Z0-9]/g, '')

/** Compares a typed code, whose case and hyphens don't matter, in constant time. */
export function isCode(typed: string, code: string): boolean {
  const digest = (text: string) => new Bun.CryptoHasher('sha256').update(bare(text)).digest()
  return ciphers().timingSafeEqual(digest(typed), digest(code))
}
