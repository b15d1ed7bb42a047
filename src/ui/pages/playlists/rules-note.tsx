import { useSignals } from '@preact/signals-react/runtime'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import type { SmartRules } from '../../../shared/api/playlist'
import { useApp } from '../../app-context'
import { goneOf } from '../../state/smart-rules'
import { RulesBadge } from './mosaic'

/** Says that a playlist fills itself, how much of it is kept here, and whether its rules name what is gone. */
export function RulesNote({ rules }: { rules: SmartRules }) {
  useSignals()
  const { library, tags } = useApp()
  const { t } = useTranslation()
  useEffect(() => void tags.load(), [tags])
  const isKnown = library.status.value === 'ready' && tags.all.value !== null
  const known = {
    podcasts: new Set(library.byId.value.keys()),
    tags: new Set(tags.all.value?.map(({ id }) => id)),
  }
  const isGone = isKnown && rules.rules.some(rule => goneOf(rule, known).length > 0)
  return (
    <p className="rules-note gap-4 x-12 flush wrap muted">
      <RulesBadge />
      {rules.keepDownloaded > 0 && <span>{t('kept-downloaded', { total: rules.keepDownloaded })}</span>}
      {isGone && <span className="field-failure">{t('rules-name-gone')}</span>}
    </p>
  )
}
