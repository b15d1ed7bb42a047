import { SECOND } from '../../platform/clock'
import type { Told } from '../news'
import { jsonHeaders, linkOf, type DestinationPost, type Telling } from './request'

/** Sends the facts as JSON, signed with the secret of the webhook. Every attempt has the same body. */
export function writeWebhook(telling: Telling): DestinationPost {
  const { target, key, told, message, baseUrl, createdAt, now } = telling
  const body = JSON.stringify({
    id: key,
    type: told.type,
    createdAt: new Date(createdAt).toISOString(),
    title: message.title,
    text: message.text,
    url: linkOf(telling),
    data: dataOf(told, baseUrl),
  })
  const at = Math.floor(now / SECOND)
  const headers = { ...jsonHeaders(key), 'X-Castellan-Event': told.type }
  return {
    address: target.address,
    headers: { ...headers, 'X-Castellan-Signature': `t=${at},v1=${sign(target.secret ?? '', at, body)}` },
    body,
  }
}

/** HMAC-SHA256 over the time in seconds, a dot and the body, as hex digits. */
const sign = (secret: string, at: number, body: string): string =>
  new Bun.CryptoHasher('sha256', secret).update(`${at}.${body}`).digest('hex')

function dataOf({ type, facts }: Told, baseUrl: string) {
  switch (type) {
    case 'newEpisodes':
    case 'downloadFinished':
    case 'downloadFailed':
      return {
        ...facts,
        episodes: facts.episodes.map(episode => ({
          ...episode,
          url: `${baseUrl}ui/podcasts/${episode.podcastId}/episodes/${episode.id}`,
        })),
      }
    case 'feedFailing':
      return { ...facts, feeds: facts.feeds.map(feed => ({ ...feed, since: new Date(feed.since).toISOString() })) }
    case 'signedInElsewhere':
      return { ...facts, at: new Date(facts.at).toISOString() }
    default:
      return facts
  }
}
