import { basicAuthorization } from '../../outbound/credentials'
import { isUrgent } from '../news'
import { isWarning, jsonHeaders, linkOf, type DestinationPost, type Telling } from './request'

/**
 * Publishes as JSON to the root of the server, since headers cannot carry titles in all scripts. ntfy from 2.16 on
 * replaces an earlier message of the same `sequence_id`.
 */
export function writeNtfy(telling: Telling): DestinationPost {
  const { target, key, told, message } = telling
  const url = new URL(target.address)
  const topic = url.pathname.slice(1)
  url.pathname = '/'
  const body = {
    topic,
    title: message.title,
    message: message.text,
    tags: [isWarning(told) ? 'warning' : 'headphones'],
    priority: isUrgent(told.type) ? 4 : 3,
    click: linkOf(telling),
    sequence_id: key,
  }
  return {
    address: url.href,
    headers: { ...jsonHeaders(key), ...authorization(target.token) },
    body: JSON.stringify(body),
  }
}

/** An access token, or a user name and a password with a colon between them. */
function authorization(token: string | null): Record<string, string> {
  if (token === null) return {}
  const colon = token.indexOf(':')
  if (colon === -1) return { Authorization: `Bearer ${token}` }
  return { Authorization: basicAuthorization({ user: token.slice(0, colon), password: token.slice(colon + 1) }) }
}
