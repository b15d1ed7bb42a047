import { useSignals } from '@preact/signals-react/runtime'
import { PanelRight } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useApp } from '../../app-context'
import { lazily } from '../../components/lazily'
import { QueueSummary } from '../../player/queue-summary'

const QueueList = lazily(async () => (await import('../../player/queue-list')).QueueList)

/** The queue at the end of the home page, on wide screens and unless it is next to the page anyway. */
export function HomeQueue() {
  useSignals()
  const { upcoming, queuePanel } = useApp()
  const { t } = useTranslation()
  if (queuePanel.isDocked.value || upcoming.value.length === 0) return null
  return (
    <aside className="home-queue" aria-labelledby="home-queue">
      <div className="home-heading">
        <h2 id="home-queue">{t('queue')}</h2>
        <QueueSummary isFull={false} />
      </div>
      <QueueList />
      <button type="button" className="quiet small with-icon" onClick={queuePanel.toggle}>
        <PanelRight size={18} strokeWidth={1.75} aria-hidden="true" />
        {t('keep-queue-open')}
      </button>
    </aside>
  )
}
