import { useTranslation } from 'react-i18next'
import type { LiveItem } from '../../shared/api/playables'
import type { Chat } from '../../shared/api/podcast-tags'
import { Cover } from '../components/cover'
import { Dialog } from '../components/dialog'
import { LiveMark } from './seek-bar'
import { Picture } from './picture'
import { isVideo, type Playing } from '../playback/state'
import { Transport } from './transport-buttons'
import './panels.css'

type Props = { playing: Playing & { live: LiveItem }; onClose: () => void }

/**
 * The player of a live stream over the page: its picture, its links and its chat. It has neither length nor position.
 */
export function LiveSheet({ playing, onClose }: Props) {
  const { episode, podcastName, live } = playing
  return (
    <Dialog title={episode.name} onClose={onClose}>
      {() => (
        <div className="live-sheet middle stack gap-12">
          {isVideo(playing) ? (
            <Picture playing={playing} />
          ) : (
            <Cover src={episode.local_image_url} name={podcastName} isMissing={episode.image_url === ''} size={256} />
          )}
          <p className="muted flush" dir="auto">
            {podcastName}
          </p>
          <LiveMark />
          <Transport />
          <LiveLinks item={live} />
        </div>
      )}
    </Dialog>
  )
}

/** The pages on which a stream can be followed, and the rooms in which its listeners chat. */
export function LiveLinks({ item }: { item: LiveItem }) {
  const { t } = useTranslation()
  const links = [
    ...(item.contentLinks ?? []).map(({ href, text }) => ({ href, text: text || t('live-page') })),
    ...(item.chat ?? []).map(chat => ({ href: chatAddress(chat), text: `${t('chat')}: ${chat.space ?? chat.server}` })),
  ]
  if (links.length === 0) return null
  return (
    <ul className="gap-4 x-16 breaks centred wrap">
      {links.map(({ href, text }) => (
        <li key={`${href} ${text}`}>
          {href === null ? (
            <span dir="auto">{text}</span>
          ) : (
            <a className="with-icon reachable" href={href} target="_blank" rel="noopener noreferrer" dir="auto">
              {text}
            </a>
          )}
        </li>
      ))}
    </ul>
  )
}

/** The address of a chat room; null for a protocol without one. */
export function chatAddress({ protocol, server, space = '' }: Chat): string | null {
  if (/^https?:\/\//i.test(space)) return space
  if (!/^[\w.-]+(:\d{1,5})?$/.test(server)) return null
  if (protocol === 'irc') return `ircs://${server}/${encodeURIComponent(space)}`
  if (protocol === 'xmpp') return `xmpp:${encodeURIComponent(space || server)}?join`
  if (protocol === 'matrix') return `https://matrix.to/#/${encodeURIComponent(space)}`
  return null
}
