import { Sparkles } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import './playlists.css'

/** Marks a smart playlist. */
export function RulesBadge() {
  const { t } = useTranslation()
  return (
    <span className="rules-badge nowrap with-icon gap-4 muted">
      <Sparkles size={14} strokeWidth={1.75} aria-hidden="true" />
      {t('fills-itself')}
    </span>
  )
}
