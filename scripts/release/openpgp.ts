import { createHash, createPublicKey, sign, type KeyObject } from 'node:crypto'

// OpenPGP as apt verifies it: version 4, EdDSA over Ed25519, SHA-512. https://www.rfc-editor.org/rfc/rfc4880 and
// https://www.ietf.org/archive/id/draft-koch-eddsa-for-openpgp-04.html

const ED25519 = Buffer.from('092b06010401da470f01', 'hex')
const EDDSA = 22
const SHA512 = 10
/** Part of the fingerprint, so it must never change: 2026-01-01. */
const KEY_MADE = 1_767_225_600
const types = { text: 0x01, certification: 0x13 }
const packets = { signature: 2, key: 6, user: 13 }

/** Writes the public half of a signing key as an armoured OpenPGP key with one name. The same key gives the same text. */
export function publicKeyBlock(key: KeyObject, user: string): string {
  const name = Buffer.from(user)
  const body = keyBody(key)
  const certified = Buffer.concat([hashedKey(body), Buffer.from([0xb4]), number(name.length, 4), name])
  // It may certify and sign.
  const signature = signatureOf(key, types.certification, certified, KEY_MADE, [subpacket(27, Buffer.from([0x03]))])
  const parts = [packet(packets.key, body), packet(packets.user, name), packet(packets.signature, signature)]
  return armour('PUBLIC KEY BLOCK', Buffer.concat(parts))
}

/** Signs a text that ends with a newline inside the text itself, as apt's `InRelease` is signed. */
export function signInline(text: string, key: KeyObject, epoch: number): string {
  const lines = text.replace(/\n$/, '').split('\n')
  const hashed = Buffer.from(lines.map(line => line.replace(/[ \t\r]+$/, '')).join('\r\n'))
  const signature = packet(packets.signature, signatureOf(key, types.text, hashed, Math.max(epoch, KEY_MADE), []))
  const escaped = lines.map(line => (line.startsWith('-') ? `- ${line}` : line)).join('\n')
  return `-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA512\n\n${escaped}\n${armour('SIGNATURE', signature)}`
}

function signatureOf(key: KeyObject, type: number, data: Buffer, at: number, more: Buffer[]): Buffer {
  const fingerprint = fingerprintOf(keyBody(key))
  const issued = [subpacket(2, number(at, 4)), subpacket(33, Buffer.concat([Buffer.from([4]), fingerprint]))]
  const hashed = Buffer.concat([...issued, ...more])
  const head = Buffer.concat([Buffer.from([4, type, EDDSA, SHA512]), number(hashed.length, 2), hashed])
  const trailer = Buffer.concat([Buffer.from([4, 0xff]), number(head.length, 4)])
  const digest = createHash('sha512').update(data).update(head).update(trailer).digest()
  const raw = sign(null, digest, key)
  const unhashed = subpacket(16, fingerprint.subarray(-8))
  const values = [integer(raw.subarray(0, 32)), integer(raw.subarray(32))]
  return Buffer.concat([head, number(unhashed.length, 2), unhashed, digest.subarray(0, 2), ...values])
}

function keyBody(key: KeyObject): Buffer {
  const { x } = createPublicKey(key).export({ format: 'jwk' })
  const point = integer(Buffer.concat([Buffer.from([0x40]), Buffer.from(x!, 'base64url')]))
  return Buffer.concat([Buffer.from([4]), number(KEY_MADE, 4), Buffer.from([EDDSA]), ED25519, point])
}

const hashedKey = (body: Buffer) => Buffer.concat([Buffer.from([0x99]), number(body.length, 2), body])
const fingerprintOf = (body: Buffer) => createHash('sha1').update(hashedKey(body)).digest()

/** A packet of the new format. Lengths above 191 take two octets; ours are below 8,384. */
function packet(tag: number, body: Buffer): Buffer {
  const far = body.length - 192
  const length = far < 0 ? [body.length] : [(far >> 8) + 192, far & 0xff]
  return Buffer.concat([Buffer.from([0xc0 | tag, ...length]), body])
}

const subpacket = (type: number, body: Buffer) => Buffer.concat([Buffer.from([body.length + 1, type]), body])

function number(value: number, octets: number): Buffer {
  const buffer = Buffer.alloc(octets)
  buffer.writeUIntBE(value, 0, octets)
  return buffer
}

/** A number with its length in bits before it, without zeros at its head. */
function integer(bytes: Buffer): Buffer {
  const start = bytes.findIndex(byte => byte !== 0)
  const value = start === -1 ? Buffer.alloc(0) : bytes.subarray(start)
  const bits = value.length === 0 ? 0 : 8 * (value.length - 1) + (32 - Math.clz32(value[0]!))
  return Buffer.concat([number(bits, 2), value])
}

function armour(kind: string, bytes: Buffer): string {
  const lines = bytes.toString('base64').replace(/.{64}(?=.)/g, '$&\n')
  const sum = number(checksum(bytes), 3).toString('base64')
  return `-----BEGIN PGP ${kind}-----\n\n${lines}\n=${sum}\n-----END PGP ${kind}-----\n`
}

/** CRC-24 of RFC 4880. */
function checksum(bytes: Buffer): number {
  let sum = 0xb704ce
  for (const byte of bytes) {
    sum ^= byte << 16
    for (let bit = 0; bit < 8; bit++) {
      sum <<= 1
      if (sum & 0x1000000) sum ^= 0x1864cfb
    }
  }
  return sum & 0xffffff
}
