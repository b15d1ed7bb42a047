import { DAY, SECOND } from '../../platform/clock'
import type { Message } from '../message'
import { isUrgent } from '../news'
import type { Kind } from './kind'

/** Limits of a text in characters: a push service accepts 4096 encrypted bytes. */
const MAX_TITLE = 120
const MAX_TEXT = 480

/** The content of a push message, for the worker that shows it. */
export type PushedNotice = Message & { key: string }

/**
 * Encrypts a message for a browser (RFC 8291), signed by the server's keys (RFC 8292). The push service replaces a
 * message that it still holds with a later one of the same key.
 */
export const push: Kind = {
  label: null,
  icon: [
    'M10.268 21a2 2 0 0 0 3.464 0',
    'M3.262 15.326A1 1 0 0 0 4 17h16a1 1 0 0 0 .74-1.673C19.41 13.956 18 12.499 18 8A6 6 0 0 0 6 8c0 4.499-1.411 5.956-2.738 7.326',
  ],
  address: null,
  token: 'none',
  endsAt: [404, 410],
  async request({ target, key, announcement, message, baseUrl, vapid }) {
    const { generateRequestDetails } = await import('web-push')
    const { title, text, path } = message
    const notice: PushedNotice = { key, title: cut(title, MAX_TITLE), text: cut(text, MAX_TEXT), path }
    const { headers, body } = generateRequestDetails(
      { endpoint: target.address, keys: target.keys! },
      JSON.stringify(notice),
      {
        vapidDetails: { subject: subjectOf(baseUrl), ...vapid() },
        TTL: DAY / SECOND,
        urgency: isUrgent(announcement.type) ? 'high' : 'normal',
        topic: key.replaceAll('-', ''),
      },
    )
    const { 'Content-Length': _, ...sent } = headers
    return {
      address: target.address,
      headers: Object.fromEntries(Object.entries(sent).map(([name, value]) => [name, String(value)])),
      body: new Uint8Array(body),
    }
  },
}

/**
 * Contact address for the operator of a push service. It has to be https: a server without https uses a placeholder.
 */
function subjectOf(baseUrl: string): string {
  const { protocol, origin } = new URL(baseUrl)
  return protocol === 'https:' ? origin : 'https://castellan.invalid'
}

function cut(text: string, most: number): string {
  const characters = [...text]
  return characters.length > most ? `${characters.slice(0, most - 1).join('')}…` : text
}
