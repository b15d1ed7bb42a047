import type { IncomingMessage } from 'node:http'
import type { Fault } from './faults'
import type { Stored } from './shelf'

/** A request whose signature is right. */
export type Exchange = {
  method: string
  key: string
  query: ReadonlyMap<string, string>
  headers: ReadonlyMap<string, string>
  /** The signed digest of the body, or `UNSIGNED-PAYLOAD`. */
  payload: string
  request: IncomingMessage
  fault: Fault | undefined
  received: (bytes: number) => void
}

/** The answer; `file`: bytes of an object instead of text. */
export type Answer = {
  status: number
  headers?: Record<string, string>
  body?: string
  file?: { stored: Stored; from: number; to: number }
}

export const xmlAnswer = (body: string): Answer => ({
  status: 200,
  headers: { 'Content-Type': 'application/xml' },
  body,
})
