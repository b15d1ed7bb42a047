import { SECOND } from '../../platform/clock'
import type { Announcement } from '../news'
import { jsonHeaders, type Kind, linkOf } from './kind'

/** Sends the facts as JSON, signed with the secret of the webhook. Every attempt has the same body. */
export const webhook: Kind = {
  label: null,
  icon: [
    'M18 16.98h-5.99c-1.1 0-1.95.94-2.48 1.9A4 4 0 0 1 2 17c.01-.7.2-1.4.57-2',
    'M6 17l3.13-5.78c.53-.97.1-2.18-.5-3.1a4 4 0 1 1 6.89-4.06',
    'M12 6l3.13 5.73C15.66 12.7 16.9 13 18 13a4 4 0 0 1 0 8',
  ],
  address: () => undefined,
  token: 'none',
  isSigned: true,
  request(delivery) {
    const { target, key, announcement, message, baseUrl, createdAt, now } = delivery
    const body = JSON.stringify({
      id: key,
      type: announcement.type,
      createdAt: new Date(createdAt).toISOString(),
      title: message.title,
      text: message.text,
      url: linkOf(delivery),
      data: dataOf(announcement, baseUrl),
    })
    const at = Math.floor(now / SECOND)
    const headers = { ...jsonHeaders(key), 'X-Castellan-Event': announcement.type }
    return {
      address: target.address,
      headers: { ...headers, 'X-Castellan-Signature': `t=${at},v1=${sign(target.secret ?? '', at, body)}` },
      body,
    }
  },
}

/** HMAC-SHA256 over the time in seconds, a dot and the body, as hex digits. */
const sign = (secret: string, at: number, body: string): string =>
  new Bun.CryptoHasher('sha256', secret).update(`${at}.${body}`).digest('hex')

function dataOf({ type, facts }: Announcement, baseUrl: string) {
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
