import { createHash, generateKeyPairSync, sign } from 'node:crypto'

const base64url = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url')
const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest()

/** Writes the few kinds of CBOR (RFC 8949) that WebAuthn needs: whole numbers, texts, bytes, maps. */
function cbor(value: number | string | Uint8Array | Map<number | string, unknown>): Buffer {
  const head = (major: number, length: number) => {
    if (length < 24) return Buffer.from([(major << 5) | length])
    return length < 256
      ? Buffer.from([(major << 5) | 24, length])
      : Buffer.from([(major << 5) | 25, length >> 8, length & 255])
  }
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (value instanceof Uint8Array) return Buffer.concat([head(2, value.length), value])
  return Buffer.concat([head(5, value.size), ...[...value].flatMap(([key, one]) => [cbor(key), cbor(one as string)])])
}

type Ceremony = { challenge: string; origin?: string; host?: string; isVerified?: boolean; count?: number }

/** A device with one passkey (ES256), and a browser that says for which page it is. Both may lie. */
export function passkeyDevice({ id = crypto.getRandomValues(new Uint8Array(16)) } = {}) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x, y } = publicKey.export({ format: 'jwk' })
  const coordinate = (text: string | undefined) => Buffer.from(text!, 'base64url')
  const cose = cbor(
    new Map<number, unknown>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, coordinate(x)],
      [-3, coordinate(y)],
    ]),
  )

  const clientData = (type: string, { challenge, origin = 'http://localhost' }: Ceremony) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))

  function authenticatorData({ host = 'localhost', isVerified = true, count = 0 }: Ceremony, attested: Uint8Array) {
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(count)
    const flags = 0x01 | (isVerified ? 0x04 : 0) | (attested.length > 0 ? 0x40 : 0)
    return Buffer.concat([sha256(host), Buffer.from([flags]), counter, attested])
  }

  return {
    /** Answers `navigator.credentials.create`. */
    create(ceremony: Ceremony) {
      const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, cose])
      const attestation = new Map<string, unknown>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', authenticatorData(ceremony, attested)],
      ])
      return {
        id: base64url(id),
        rawId: base64url(id),
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          clientDataJSON: base64url(clientData('webauthn.create', ceremony)),
          attestationObject: base64url(cbor(attestation)),
          transports: ['internal'],
        },
      }
    },
    /** Answers `navigator.credentials.get`. */
    get(ceremony: Ceremony) {
      const data = authenticatorData(ceremony, new Uint8Array())
      const client = clientData('webauthn.get', ceremony)
      return {
        id: base64url(id),
        rawId: base64url(id),
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          clientDataJSON: base64url(client),
          authenticatorData: base64url(data),
          signature: base64url(sign('sha256', Buffer.concat([data, sha256(client)]), privateKey)),
        },
      }
    },
  }
}
