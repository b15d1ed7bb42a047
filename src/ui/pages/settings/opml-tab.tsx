import { useSignals } from '@preact/signals-react/runtime'
import { Download, RotateCw } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApp } from '../../app-context'
import { saveFile } from '../../device/share'
import './settings.css'
import type { JobItem, OpmlImport } from '../../../shared/api/job'
import { Check, Field } from '../../components/fields'
import { onSubmit, useAction } from '../../components/use-action'
import { describeFailure } from '../../failure'
import { OpmlFileButton } from '../../library/podcasts/opml-file-button'
import { BusyButton } from '../../components/buttons'
import { Notice } from '../../components/notice'
import { Table } from '../../components/table'
import { opmlImportOf } from '../../state/opml-import'

/** Exports and imports subscriptions as OPML. */
export function OpmlTab() {
  useSignals()
  const { api, session } = useApp()
  const opmlImport = opmlImportOf(api.opml)
  useEffect(() => void opmlImport.load().catch(() => undefined), [opmlImport])
  return (
    <div className="opml">
      <ExportSection />
      <OpmlProgress />
      {session.mayAdd.value && (opmlImport.outlines.value ? <OpmlOutlines /> : <OpmlSource />)}
    </div>
  )
}

function ExportSection() {
  const { api, failed } = useApp()
  const { t } = useTranslation()
  async function save(type: 'local' | 'online') {
    try {
      saveFile(`podcast_${type}.opml`, new Blob([await api.opml.exported(type)], { type: 'text/x-opml' }))
    } catch (error) {
      failed(error)
    }
  }
  return (
    <section>
      <h2>{t('opml-export')}</h2>
      <div className="card padded">
        <p>{t('opml-export-text')}</p>
        <div className="wrap gap-8 spaced">
          {(['online', 'local'] as const).map(type => (
            <button key={type} type="button" className="secondary with-icon" onClick={() => void save(type)}>
              <Download size={18} aria-hidden="true" />
              {t(`opml-${type}`)}
            </button>
          ))}
        </div>
      </div>
    </section>
  )
}

/** Reads subscriptions from a file, an address, or pasted text. */
function OpmlSource() {
  const opmlImport = opmlImportOf(useApp().api.opml)
  const { t } = useTranslation()
  const [text, setText] = useState('')
  const given = text.trim()
  const reading = useAction((source: OpmlImport) => opmlImport.preview(source))
  function read() {
    if (given !== '') reading.run(/^https?:\/\/\S+$/i.test(given) ? { url: given } : { content: given })
  }
  return (
    <section>
      <h2>{t('opml-import')}</h2>
      <form className="card padded" onSubmit={onSubmit(read)}>
        <p>{t('way-import-text')}</p>
        <div className="wrap gap-8 spaced">
          <OpmlFileButton label={t('choose-file')} isBusy={reading.isBusy} onRead={reading.run} />
        </div>
        <Field label={t('opml-paste')} failure={reading.failure === null ? null : describeFailure(reading.failure)}>
          {props => (
            <textarea
              {...props}
              rows={3}
              value={text}
              spellCheck={false}
              onChange={event => setText(event.target.value)}
            />
          )}
        </Field>
        <button type="submit" className="secondary" disabled={reading.isBusy || given === ''}>
          {t('opml-read')}
        </button>
      </form>
    </section>
  )
}

/** The subscriptions that were read, to choose from and import. */
function OpmlOutlines() {
  useSignals()
  const { api, failed } = useApp()
  const opmlImport = opmlImportOf(api.opml)
  const { t } = useTranslation()
  const starting = useAction(opmlImport.start, failed)
  const outlines = opmlImport.outlines.value ?? []
  const chosen = opmlImport.chosen.value
  const fresh = outlines.filter(({ known }) => !known).map(({ feedUrl }) => feedUrl)
  return (
    <section>
      <h2>{t('opml-preview', { count: outlines.length })}</h2>
      <Check
        isOn={fresh.length > 0 && fresh.every(url => chosen.has(url))}
        onChange={isOn => opmlImport.choose(fresh, isOn)}
      >
        {t('all-new', { count: fresh.length })}
      </Check>
      <ul className="opml-outlines long card scroll-list scrolls is-long lined spaced">
        {outlines.map(({ title, feedUrl, folder, known }) => (
          <li key={feedUrl}>
            <Check
              name={title ?? feedUrl}
              isDisabled={known}
              isOn={chosen.has(feedUrl)}
              onChange={isOn => opmlImport.choose([feedUrl], isOn)}
            >
              <span className="shrinks stack">
                <span className="truncate">{title ?? feedUrl}</span>
                <span className="muted truncate">
                  {[known ? t('already-added') : null, folder, feedUrl].filter(Boolean).join(' · ')}
                </span>
              </span>
            </Check>
          </li>
        ))}
      </ul>
      <div className="wrap gap-8 spaced">
        <BusyButton isBusy={starting.isBusy} disabled={chosen.size === 0} onClick={() => starting.run()}>
          {t('import-count', { count: chosen.size })}
        </BusyButton>
        <button type="button" className="secondary" onClick={opmlImport.discard}>
          {t('cancel')}
        </button>
      </div>
    </section>
  )
}

/** The running import, or the last one with its failures. */
function OpmlProgress() {
  useSignals()
  const { api, failed } = useApp()
  const opmlImport = opmlImportOf(api.opml)
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
          className="secondary with-icon above-16"
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
      {latest && <p className="muted truncate">{latest}</p>}
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
                {item.title && <span className="muted truncate block regular">{item.feedUrl}</span>}
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
