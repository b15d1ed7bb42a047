import { Copy, Link as LinkIcon, Share2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { formatTenths } from '../../shared/duration'
import { useApp } from '../app-context'
import { canShare, copyText, shareLink } from '../device/share'
import { useMomentAddress } from './use-moment-address'
import type { Passage } from '../playback/passage'
import type { Playing } from '../playback/state'

type Props = { playing: Playing; passage: Passage; quote: string }

/** Buttons that copy a link, or a link with title and quotation, or share them. */
export function ShareTexts({ playing, passage, quote }: Props) {
  const { toasts } = useApp()
  const { t } = useTranslation()
  const address = useMomentAddress(playing)(passage.start)
  const { episode, podcastName } = playing
  const isPassage = passage.end > passage.start
  const times = [passage.start, ...(isPassage ? [passage.end] : [])].map(formatTenths).join('–')
  const source = `${episode.name} – ${podcastName} (${times})`
  const text = [...(quote ? [`“${quote}”`] : []), source, address].join('\n')

  async function copy(what: string, done: string) {
    if (await copyText(what)) toasts.done(t(done))
    else toasts.failed(t('link-not-copied', { link: address }))
  }
  return (
    <div className="share-buttons wrap gap-8">
      <button type="button" className="secondary with-icon" onClick={() => void copy(address, 'link-copied')}>
        <LinkIcon size={18} aria-hidden="true" />
        {t('copy-link')}
      </button>
      <button type="button" className="secondary with-icon" onClick={() => void copy(text, 'copied')}>
        <Copy size={18} aria-hidden="true" />
        {t('copy-text')}
      </button>
      {canShare && (
        <button
          type="button"
          className="secondary with-icon"
          onClick={() => void shareLink(quote ? `“${quote}” ${source}` : source, address)}
        >
          <Share2 size={18} aria-hidden="true" />
          {t('share-link')}
        </button>
      )}
    </div>
  )
}
