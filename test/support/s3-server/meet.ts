import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Answer } from './exchange'
import type { Fault, SeenRequest } from './faults'
import { Refusal } from './answers'
import { send, sendEndless } from './send'

const bodies = { html: '<!doctype html><p>It works!</p>', empty: '' }

/** Fails a request at once if `fault` is of that kind; false if it is met later or only delays. */
export async function isMet(
  fault: Fault,
  request: IncomingMessage,
  response: ServerResponse,
  seen: SeenRequest,
): Promise<boolean> {
  if (fault.kind === 'slow') await Bun.sleep(fault.ms)
  if (fault.kind === 'hang') return true
  if (fault.kind === 'cut' && fault.when === 'before') {
    request.socket.destroy()
    return true
  }
  if (fault.kind !== 'refuse' && fault.kind !== 'body' && fault.kind !== 'redirect') return false
  request.resume()
  if (fault.kind === 'body' && fault.of === 'endless') await sendEndless(response, fault.status ?? 200, seen)
  else await send(response, answerOf(fault), seen, undefined)
  return true
}

function answerOf(fault: Extract<Fault, { kind: 'refuse' | 'body' | 'redirect' }>): Answer {
  if (fault.kind === 'redirect')
    return {
      status: fault.status,
      headers: { Location: fault.to, 'Content-Type': 'application/xml' },
      body: new Refusal(fault.status, 'PermanentRedirect').body,
    }
  if (fault.kind === 'refuse') {
    const body = new Refusal(fault.status, fault.code).body
    return { status: fault.status, headers: { 'Content-Type': 'application/xml', ...fault.headers }, body }
  }
  const body = fault.of === 'html' ? bodies.html : bodies.empty
  return { status: fault.status ?? 200, headers: { 'Content-Type': 'text/html' }, body }
}
