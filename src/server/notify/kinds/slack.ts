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
  request(telling) {
    const { target, key, told, message } = telling
    const title = `${isWarning(told) ? '⚠️ ' : ''}${message.title}`
    const cut = [...`${title}\n${message.text}`].slice(0, MAX_TEXT).join('')
    const body = {
      text: `${escapeControls(cut)}\n<${escapeControls(new URL(linkOf(telling)).href)}>`,
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
