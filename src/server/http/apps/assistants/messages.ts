import { parseJson } from '../../core/body'

/** Versions of the protocol that are served; they differ in nothing that is used here. The newest is first. */
const versions = ['2025-11-25', '2025-06-18', '2025-03-26'] as const
export type Version = (typeof versions)[number]

/** The version that a session has: the one that was wanted, or else the newest. */
export const negotiate = (wanted: unknown): Version => versions.find(version => version === wanted) ?? versions[0]

/** Whether a header `MCP-Protocol-Version` names a version that is served; without one it is the oldest. */
export const isServed = (header: string | null) => header === null || versions.some(version => version === header)

/**
 * A message of JSON-RPC 2.0 that wants an answer, and one that wants none: notifications, and answers of the client.
 */
export type Call = { id: string | number; method: string; params: Record<string, unknown> }
export type Message = Call | 'unanswered'

/** The codes that JSON-RPC defines. */
const codes = { unreadable: -32700, invalid: -32600, method: -32601, params: -32602, failed: -32603 } as const

/** A refusal of a message as a whole; refusals of a tool are results that the model reads. */
export class RpcError extends Error {
  override name = 'RpcError'
  readonly code: number
  constructor(
    kind: keyof typeof codes,
    message: string,
    readonly status: number = 200,
  ) {
    super(message)
    this.code = codes[kind]
  }
}

/** Reads one message; batches left the protocol again. Throws `RpcError`. */
export function readMessage(body: string): Message {
  const message = readObject(body)
  if (message.jsonrpc !== '2.0') throw new RpcError('invalid', 'Expected a message of JSON-RPC 2.0', 400)
  const { id, method, params } = message
  if (typeof method !== 'string') {
    if (id !== undefined && ('result' in message || 'error' in message)) return 'unanswered'
    throw new RpcError('invalid', 'The message names no method', 400)
  }
  if (id === undefined) return 'unanswered'
  if (typeof id !== 'string' && typeof id !== 'number') throw new RpcError('invalid', 'id: a text or a number', 400)
  return { id, method, params: isObject(params) ? params : {} }
}

function readObject(body: string): Record<string, unknown> {
  let json: unknown
  try {
    json = parseJson(body)
  } catch {
    throw new RpcError('unreadable', 'The body is not valid JSON', 400)
  }
  if (!isObject(json)) throw new RpcError('invalid', 'Expected one message, not a list of messages', 400)
  return json
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const writeResult = (id: Call['id'], result: unknown) => Response.json({ jsonrpc: '2.0', id, result })

/** `id`: null if the message could not be read. */
export const writeError = (id: Call['id'] | null, code: number, message: string, status: number) =>
  Response.json({ jsonrpc: '2.0', id, error: { code, message } }, { status })
