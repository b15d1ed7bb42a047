import { useSignals } from '@preact/signals-react/runtime'
import { RotateCw } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { JobItem } from '../../../shared/api/job'
import { useApp } from '../../app-context'
import { Notice } from '../../components/notice'
import { Table } from '../../components/table'

/** The import under way, or the last one with its failures. */
export function OpmlProgress() {
  useSignals()
  const { opmlImport, failed } = useApp()
  const { t } = useTranslation()
  const job = opmlImport.job.value
  if (!job) return null
  const failures = job.items.filter(({ state }) => state === 'failed')
  const isRunning = job.state === 'running'
  return (
    <section aria-label={t('import')}>
      <h2>{isRunning ? t('importing') : t('last-import')}</h2>
      <progress
        className={job.failed > 0 ? 'is-failed' : ''}
        value={job.done}
        max={job.total}
        aria-label={t('import')}
      />
      <p className="numbers" role="status">
        {t('import-progress', { done: job.done, total: job.total, failed: job.failed })}
      </p>
      {isRunning && (
        <Running latest={opmlImport.latest.value} onCancel={() => void opmlImport.cancel().catch(failed)} />
      )}
      {failures.length > 0 && <Failures items={failures} />}
      {failures.length > 0 && !isRunning && (
        <button
          type="button"
          className="secondary with-icon opml-retry"
          onClick={() => void opmlImport.retry(failures).catch(failed)}
        >
          <RotateCw size={18} aria-hidden="true" />
          {t('retry-failed')}
        </button>
      )}
    </section>
  )
}

/** The latest feed, and a button to cancel. */
function Running({ latest, onCancel }: { latest: string | null; onCancel: () => void }) {
  const { t } = useTranslation()
  return (
    <>
      {latest && <p className="muted opml-latest">{latest}</p>}
      <button type="button" className="secondary" onClick={onCancel}>
        {t('cancel')}
      </button>
      <p className="muted">{t('import-goes-on')}</p>
    </>
  )
}

function Failures({ items }: { items: readonly JobItem[] }) {
  const { t } = useTranslation()
  const title = t('import-failures', { count: items.length })
  return (
    <>
      <Notice title={title} isFailure />
      <Table
        title={title}
        items={items}
        keyOf={item => item.feedUrl}
        columns={[
          {
            title: t('podcast'),
            render: item => (
              <>
                {item.title ?? item.feedUrl}
                {item.title && <span className="muted opml-address">{item.feedUrl}</span>}
              </>
            ),
          },
          {
            title: t('reason'),
            render: ({ errorCode, message }) =>
              t([`feed-error.${errorCode}`, `error.${errorCode}`], { defaultValue: message ?? '' }),
          },
        ]}
      />
    </>
  )
}
