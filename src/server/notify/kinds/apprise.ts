import { isWarning, jsonHeaders, linkOf, type DestinationPost, type Telling } from './request'

/**
 * Sends to a configuration that an Apprise API keeps under a key. It has no field for a link, so the text ends with it.
 */
export function writeApprise(telling: Telling): DestinationPost {
  const { target, key, told, message } = telling
  const body = {
    title: message.title,
    body: `${message.text}\n${linkOf(telling)}`,
    type: isWarning(told) ? 'warning' : 'info',
    format: 'text',
  }
  return { address: target.address, headers: jsonHeaders(key), body: JSON.stringify(body) }
}
