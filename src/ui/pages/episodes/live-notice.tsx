import { Radio } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { LiveItem } from '../../../shared/api/playables'
import { formatMoment } from '../../format'
import { liveNow } from './live'
import './live-notice.css'

/** Tells of a live stream that is on or about to be. */
export function LiveNotice({ items }: { items: readonly LiveItem[] | undefined }) {
  const { t } = useTranslation()
  const [now] = useState(() => Date.now())
  const live = liveNow(items, now)
  if (!live) return null
  const { item, isOn } = live
  return (
    <p className={`live-notice ${isOn ? 'is-on' : ''}`} role="status">
      <Radio size={18} aria-hidden="true" />
      <span>
        <b>{isOn ? t('live-now') : t('live-at', { when: formatMoment(item.start) })}</b>{' '}
        <span dir="auto">{item.title}</span>
      </span>
      {item.url && (
        <a href={item.url} target="_blank" rel="noopener noreferrer">
          {t(isOn ? 'live-join' : 'live-page')}
        </a>
      )}
    </p>
  )
}
