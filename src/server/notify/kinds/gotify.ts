import { isWarning, jsonHeaders, linkOf, type DestinationPost, type Telling } from './request'

/** Sends a message by the token of an application, in a header: addresses end up in logs. */
export function writeGotify(telling: Telling): DestinationPost {
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
}
