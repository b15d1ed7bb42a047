import { invalidField } from '../../platform/problem'
import { isWarning, jsonHeaders, type Kind, linkOf } from './kind'

/** Slack advises at most 4,000 characters, and cuts after 40,000. */
const MAX_TEXT = 4000

/** Posts to a channel by an incoming webhook of Slack (docs.slack.dev, "Sending messages using incoming webhooks"). */
export const slack: Kind = {
  label: 'Slack',
  icon: ['M4 9h16', 'M4 15h16', 'M10 3 8 21', 'M16 3l-2 18'],
  address(url) {
    url.pathname = url.pathname.replace(/\/$/, '')
    url.search = ''
    if (!/^\/services\/\w+\/\w+\/\w+$/.test(url.pathname))
      throw invalidField('address', 'expected the address of a webhook, /services/TEAM/BOT/TOKEN')
  },
  token: 'none',
  // The webhook was deleted, or its channel was archived.
  endsAt: [404, 410],
  request(delivery) {
    const { target, key, announcement, message } = delivery
    const title = `${isWarning(announcement) ? '⚠️ ' : ''}${message.title}`
    const cut = [...`${title}\n${message.text}`].slice(0, MAX_TEXT).join('')
    const body = {
      text: `${escapeControls(cut)}\n<${escapeControls(new URL(linkOf(delivery)).href)}>`,
      // Titles are from feeds: stars in them are no bold type.
      mrkdwn: false,
      unfurl_links: false,
      unfurl_media: false,
    }
    return { address: target.address, headers: jsonHeaders(key), body: JSON.stringify(body) }
  },
}

/** Escapes the characters by which Slack marks links and mentions. */
const escapeControls = (text: string) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')

/** Discord's limit, in characters. */
const MAX_CONTENT = 2000
const MAX_TITLE = 300

/**
 * Posts to a channel by a webhook of Discord (discord.com/developers/docs/resources/webhook#execute-webhook). Without
 * `wait` it would answer 204 before it has stored a message. It restricts senders that repeat a 404.
 */
export const discord: Kind = {
  label: 'Discord',
  icon: [
    'M16 10a2 2 0 0 1-2 2H6.828a2 2 0 0 0-1.414.586l-2.202 2.202A.71.71 0 0 1 2 14.286V4a2 2 0 0 1 2-2h10a2 2 0 0 1 2 2z',
    'M20 9a2 2 0 0 1 2 2v10.286a.71.71 0 0 1-1.212.502l-2.202-2.202A2 2 0 0 0 17.172 19H10a2 2 0 0 1-2-2v-1',
  ],
  address(url) {
    url.pathname = url.pathname.replace(/\/$/, '')
    if (!/^\/api(\/v\d+)?\/webhooks\/\d+\/[\w-]+$/.test(url.pathname))
      throw invalidField('address', 'expected the address of a webhook, /api/webhooks/ID/TOKEN')
  },
  token: 'none',
  endsAt: [404],
  request(delivery) {
    const { target, key, announcement, message } = delivery
    const url = new URL(target.address)
    url.searchParams.set('wait', 'true')
    const title = `${isWarning(announcement) ? '⚠️ ' : ''}**${writePlain(message.title, MAX_TITLE)}**\n`
    // Brackets keep a preview of the page away.
    const link = `\n<${new URL(linkOf(delivery)).href}>`
    const text = writePlain(message.text, MAX_CONTENT - title.length - link.length)
    // Titles are from feeds, so they must mention nobody.
    const body = { content: title + text + link, allowed_mentions: { parse: [] } }
    return { address: url.href, headers: jsonHeaders(key), body: JSON.stringify(body) }
  },
}

/** Escapes Discord's Markdown, and cuts the text if it is too long. */
function writePlain(text: string, most: number): string {
  const escaped = text.replace(/[\\*_~`|<>[\]#]|^[-+]/gm, String.raw`\$&`)
  if (escaped.length <= most) return escaped
  let cut = ''
  for (const [piece] of escaped.matchAll(/\\?[^]/gu)) {
    if (cut.length + piece.length >= most) break
    cut += piece
  }
  return `${cut}…`
}
