import { parseJson } from '../../../core/body'

/**
 * A packet of Socket.IO 5 (https://github.com/socketio/socket.io-protocol). `id`: digits of the answer that it wants.
 */
export type Message =
  | { kind: 'connect'; namespace: string }
  | { kind: 'disconnect'; namespace: string }
  | { kind: 'event'; namespace: string; id: string; name: string; values: readonly unknown[] }
  /** An answer, or something binary, which this server ignores. */
  | { kind: 'other' }

const form = /^([0-6])(?:(\/[^,]*),?)?(\d{0,15})/

/** Reads the packet in an Engine.IO message; null for what is not Socket.IO. */
export function readMessage(text: string): Message | null {
  const [start, kind, namespace = '/', id = ''] = form.exec(text) ?? []
  if (start === undefined) return null
  if (kind === '0') return { kind: 'connect', namespace }
  if (kind === '1') return { kind: 'disconnect', namespace }
  return kind === '2' ? readEvent(namespace, id, text.slice(start.length)) : { kind: 'other' }
}

function readEvent(namespace: string, id: string, json: string): Message | null {
  const values = parsed(json)
  if (!Array.isArray(values)) return null
  const [name, ...rest] = values as unknown[]
  return typeof name === 'string' ? { kind: 'event', namespace, id, name, values: rest } : null
}

function parsed(json: string): unknown {
  try {
    return parseJson(json)
  } catch {
    return null
  }
}

export const DISCONNECT = '1'
export const connectMessage = (id: string) => `0${JSON.stringify({ sid: id })}`
export const eventMessage = (name: string, ...values: readonly unknown[]) => `2${JSON.stringify([name, ...values])}`
/** The answer to an event that asked for one. */
export const answerMessage = (id: string) => `3${id}[]`
export const noNamespaceMessage = (namespace: string) =>
  `4${namespace},${JSON.stringify({ message: 'Invalid namespace' })}`
