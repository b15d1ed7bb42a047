/**
 * Packets of Engine.IO 4 (https://github.com/socketio/engine.io-protocol): a digit and text. In the bodies of polling
 * they stand behind one another; binary ones, which nobody needs here, begin with a `b`.
 */
export type Packet = { kind: (typeof kinds)[number]; data: string }

const kinds = ['open', 'close', 'ping', 'pong', 'message', 'upgrade', 'noop'] as const

export const CLOSE = '1'
export const PING = '2'
export const PROBE = '2probe'
export const PROBE_ANSWER = '3probe'
export const UPGRADE = '5'
export const NOOP = '6'

export const openPacket = (handshake: object) => `0${JSON.stringify(handshake)}`
export const messagePacket = (text: string) => `4${text}`

/** Reads a packet; null for what is none. */
export function readPacket(text: string): Packet | null {
  const kind = kinds[text.charCodeAt(0) - 48]
  return kind === undefined ? null : { kind, data: text.slice(1) }
}

const SEPARATOR = '\u001E'

export const joinPackets = (packets: readonly string[]) => packets.join(SEPARATOR)
/** The packets of a body, without binary ones. */
export const splitPackets = (body: string) => body.split(SEPARATOR).filter(packet => !packet.startsWith('b'))
