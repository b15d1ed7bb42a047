import { invalidField } from '../../platform/problem'
import { isWarning, jsonHeaders, type Kind, linkOf } from './kind'

/**
 * Sends to a configuration that an Apprise API keeps under a key. It has no field for a link, so the text ends with it.
 */
export const apprise: Kind = {
  label: 'Apprise',
  icon: [
    'M16.247 7.761a6 6 0 0 1 0 8.478',
    'M19.075 4.933a10 10 0 0 1 0 14.134',
    'M4.925 19.067a10 10 0 0 1 0-14.134',
    'M7.753 16.239a6 6 0 0 1 0-8.478',
    'M14 12a2 2 0 1 1-4 0 2 2 0 1 1 4 0z',
  ],
  address(url) {
    if (!/\/notify\/[^/]+\/?$/.test(url.pathname))
      throw invalidField('address', 'expected an address that ends with /notify/ and a key')
  },
  token: 'none',
  request(telling) {
    const { target, key, told, message } = telling
    const body = {
      title: message.title,
      body: `${message.text}\n${linkOf(telling)}`,
      type: isWarning(told) ? 'warning' : 'info',
      format: 'text',
    }
    return { address: target.address, headers: jsonHeaders(key), body: JSON.stringify(body) }
  },
}
