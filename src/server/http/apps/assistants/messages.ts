import { parseJson } from '../../core/body'

/**
 * Versions of the protocol that begin with a handshake; they differ in nothing that is used here. The newest is first.
 */
const withHandshake = ['2025-11-25', '2025-06-18', '2025-03-26'] as const
/** The version without a handshake: each request names its version, and answers say that they are complete. */
export const STATELESS = '2026-07-28'

/** The version that a session has: the one that was wanted, or else the newest with a handshake. */
export const negotiate = (wanted: unknown) => withHandshake.find(version => version === wanted) ?? withHandshake[0]

/** Throws `RpcError` for a header `MCP-Protocol-Version` of a version that is not served; without one it is the oldest. */
export function requireServed(header: string | null) {
  if (header === null || header === STATELESS || withHandshake.some(version => version === header)) return
  const data = { supported: [STATELESS, ...withHandshake], requested: header.slice(0, 100) }
  throw new RpcError('version', 'This version of the protocol is not served', 400, data)
}

const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion'
const CAPABILITIES_KEY = 'io.modelcontextprotocol/clientCapabilities'
export const SERVER_KEY = 'io.modelcontextprotocol/serverInfo'

/** Checks what a request of the stateless version says of itself, which its headers repeat. Throws `RpcError`. */
export function requireSelfDescribed({ method, params }: Call, headers: Headers) {
  const meta = isObject(params._meta) ? params._meta : {}
  for (const key of [VERSION_KEY, CAPABILITIES_KEY])
    if (!(key in meta)) throw new RpcError('params', `params._meta lacks ${key}`, 400)
  const repeated = [
    ['MCP-Protocol-Version', headers.get('mcp-protocol-version'), meta[VERSION_KEY]],
    ['Mcp-Method', headers.get('mcp-method'), method],
    ...(method === 'tools/call' ? [['Mcp-Name', headers.get('mcp-name'), params.name] as const] : []),
  ] as const
  for (const [name, header, inBody] of repeated)
    if (header !== inBody) throw new RpcError('headers', `The header ${name} differs from what the message says`, 400)
}

/**
 * A message of JSON-RPC 2.0 that wants an answer, and one that wants none: notifications, and answers of the client.
 */
export type Call = { id: string | number; method: string; params: Record<string, unknown> }
export type Message = Call | 'unanswered'

/** The codes that JSON-RPC defines. */
const codes = {
  unreadable: -32700,
  invalid: -32600,
  method: -32601,
  params: -32602,
  failed: -32603,
  // Those of the Model Context Protocol.
  headers: -32020,
  version: -32022,
} as const

/** A refusal of a message as a whole; refusals of a tool are results that the model reads. */
export class RpcError extends Error {
  override name = 'RpcError'
  readonly code: number
  constructor(
    readonly kind: keyof typeof codes,
    message: string,
    readonly status: number = 200,
    readonly data?: object,
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
export const writeError = (id: Call['id'] | null, code: number, message: string, status: number, data?: object) =>
  Response.json({ jsonrpc: '2.0', id, error: { code, message, ...(data && { data }) } }, { status })
