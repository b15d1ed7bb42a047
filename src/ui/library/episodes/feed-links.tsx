import { useTranslation } from 'react-i18next'
import type { Chat, CommonTags } from '../../../shared/api/podcast-tags'
import './extras.css'

type Props = Pick<CommonTags, 'social' | 'chat' | 'contentLinks'>

/** Links to where people talk, and to other places of the same content. */
export function FeedLinks(tags: Props) {
  const { t } = useTranslation()
  const { social = [], chat = [], contentLinks = [] } = tags
  const links = [
    ...contentLinks.map(({ href, text }) => ({ href, text: text || hostOf(href) })),
    ...social.map(({ uri, accountId }) => ({
      href: uri,
      text: [t('discussion-at', { host: hostOf(uri) }), accountId].filter(Boolean).join(' · '),
    })),
    ...chat.map(room => ({
      href: chatAddress(room),
      text: [t('chat-at', { host: room.server }), room.space].filter(Boolean).join(' · '),
    })),
  ]
  if (links.length === 0) return null
  return (
    <ul className="feed-links wrap spaced">
      {links.map(({ href, text }) => (
        <li key={`${href} ${text}`}>
          {href ? (
            <a className="with-icon" href={href} target="_blank" rel="noopener noreferrer" dir="auto">
              {text}
            </a>
          ) : (
            <span dir="auto">{text}</span>
          )}
        </li>
      ))}
    </ul>
  )
}

const hostOf = (address: string) => URL.parse(address)?.hostname ?? address

/** The address that opens a chat room in a program for its protocol; null for protocols without one. */
export function chatAddress({ server, protocol, space }: Chat): string | null {
  if (!/^[\w.-]+(:\d{1,5})?$/.test(server)) return null
  const room = encodeURIComponent(space ?? '')
  if (protocol === 'irc' || protocol === 'ircs') return `${protocol}://${server}/${room}`
  if (protocol === 'matrix') return space ? `https://matrix.to/#/${room}` : null
  if (protocol === 'xmpp')
    return space ? `xmpp:${space.includes('@') ? space.replace(/[?#].*/, '') : `${room}@${server}`}?join` : null
  return null
}
