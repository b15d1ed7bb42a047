import { TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { KnownPodcast } from '../../../shared/api/podcast'
import { FeedHelpDialog } from './dialogs'

/** Says why the feed of a podcast could not be read, and links to help. */
export function FeedFailure({ podcast }: { podcast: KnownPodcast }) {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  const { errorCode, message } = podcast.last_error!
  return (
    <p className="podcast-status flush caution wrap row" role="status">
      <span>
        <TriangleAlert size={14} aria-hidden="true" />{' '}
        {t('not-checked', { reason: t(`feed-error.${errorCode}`, { defaultValue: message }) })}
      </span>
      <button
        type="button"
        className="link-button plain accent underlined flush"
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        {t('what-can-i-do')}
      </button>
      {isOpen && <FeedHelpDialog podcast={podcast} onClose={() => setOpen(false)} />}
    </p>
  )
}
