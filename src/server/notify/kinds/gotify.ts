import { isWarning, jsonHeaders, type Kind, linkOf } from './kind'

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
  request(telling) {
    const { target, key, told, message } = telling
    const url = new URL(target.address)
    url.pathname = `${url.pathname.replace(/\/$/, '')}/message`
    const body = {
      title: message.title,
      message: message.text,
      priority: isWarning(told) ? 6 : 4,
      extras: { 'client::notification': { click: { url: linkOf(telling) } }, 'castellan::delivery': { id: key } },
    }
    return {
      address: url.href,
      headers: { ...jsonHeaders(key), 'X-Gotify-Key': target.token ?? '' },
      body: JSON.stringify(body),
    }
  },
}
