import { basicAuthorization } from '../../outbound/credentials'
import { invalidField } from '../../platform/problem'
import { isUrgent } from '../news'
import { isWarning, jsonHeaders, type Kind, linkOf } from './kind'

/**
 * Publishes as JSON to the root of the server, since headers cannot carry titles in all scripts. ntfy from 2.16 on
 * replaces an earlier message of the same `sequence_id`.
 */
export const ntfy: Kind = {
  label: 'ntfy',
  icon: [
    'M14.536 21.686a.5.5 0 0 0 .937-.024l6.5-19a.496.496 0 0 0-.635-.635l-19 6.5a.5.5 0 0 0-.024.937l7.93 3.18a2 2 0 0 1 1.112 1.11z',
    'M21.854 2.147l-10.94 10.939',
  ],
  address(url) {
    url.pathname = url.pathname.replace(/\/$/, '')
    url.search = ''
    if (!/^\/[\w-]{1,64}$/.test(url.pathname))
      throw invalidField('address', 'expected an address that ends with a topic')
  },
  token: 'optional',
  request(delivery) {
    const { target, key, announcement, message } = delivery
    const url = new URL(target.address)
    const topic = url.pathname.slice(1)
    url.pathname = '/'
    const body = {
      topic,
      title: message.title,
      message: message.text,
      tags: [isWarning(announcement) ? 'warning' : 'headphones'],
      priority: isUrgent(announcement.type) ? 4 : 3,
      click: linkOf(delivery),
      sequence_id: key,
    }
    return {
      address: url.href,
      headers: { ...jsonHeaders(key), ...authorization(target.token) },
      body: JSON.stringify(body),
    }
  },
}

/** An access token, or a user name and a password with a colon between them. */
function authorization(token: string | null): Record<string, string> {
  if (token === null) return {}
  const colon = token.indexOf(':')
  if (colon === -1) return { Authorization: `Bearer ${token}` }
  return { Authorization: basicAuthorization({ user: token.slice(0, colon), password: token.slice(colon + 1) }) }
}

/** Sends a message by the token of an application, in a header: addresses end up in logs. */
export const gotify: Kind = {
  label: 'Gotify',
  icon: [
    'M22 17a2 2 0 0 1-2 2H6.828a2 2 0 0 0-1.414.586l-2.202 2.202A.71.71 0 0 1 2 21.286V5a2 2 0 0 1 2-2h16a2 2 0 0 1 2 2z',
  ],
  address(url) {
    url.pathname = url.pathname.replace(/\/message\/?$/, '/')
  },
  token: 'required',
  request(delivery) {
    const { target, key, announcement, message } = delivery
    const url = new URL(target.address)
    url.pathname = `${url.pathname.replace(/\/$/, '')}/message`
    const body = {
      title: message.title,
      message: message.text,
      priority: isWarning(announcement) ? 6 : 4,
      extras: { 'client::notification': { click: { url: linkOf(delivery) } }, 'castellan::delivery': { id: key } },
    }
    return {
      address: url.href,
      headers: { ...jsonHeaders(key), 'X-Gotify-Key': target.token ?? '' },
      body: JSON.stringify(body),
    }
  },
}

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
  request(delivery) {
    const { target, key, announcement, message } = delivery
    const body = {
      title: message.title,
      body: `${message.text}\n${linkOf(delivery)}`,
      type: isWarning(announcement) ? 'warning' : 'info',
      format: 'text',
    }
    return { address: target.address, headers: jsonHeaders(key), body: JSON.stringify(body) }
  },
}
