import { Check, CircleDashed, ListPlus } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { SwipeState } from './use-swipe'
import './swipe-hint.css'

/** Shows behind the row what a swipe will do. */
export function SwipeHint({ state: { side, isEnough }, isFinished }: { state: SwipeState; isFinished: boolean }) {
  const { t } = useTranslation()
  const [Icon, text] =
    side === 'forward' ? [ListPlus, t('queue')] : isFinished ? [CircleDashed, t('not-played')] : [Check, t('played')]
  return (
    <span className={`episode-swipe is-${side} ${isEnough ? 'is-enough' : ''}`} aria-hidden="true">
      <Icon size={20} />
      {text}
    </span>
  )
}
