import { Radio } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import './bar.css'

/** Is shown where an episode has its position: a live stream has none. */
export function LiveMark() {
  const { t } = useTranslation()
  return (
    <span className="live-mark with-icon gap-6">
      <Radio size={16} aria-hidden="true" />
      {t('live-now')}
    </span>
  )
}
