import { useSignals } from '@preact/signals-react/runtime'
import { Download, FileUp, RotateCw } from 'lucide-react'
import { useEffect, useRef, useState, type FormEvent } from 'react'
import { useTranslation } from 'react-i18next'
import type { OpmlImport } from '../../../shared/api/job'
import { useApp } from '../../app-context'
import { describeFailure } from '../../failure'
import { Field } from '../../components/field'
import { Notice } from '../../components/notice'
import { saveFile } from '../../device/save-file'
import '../../components/table.css'
import './opml-tab.css'

/** Subscriptions in and out as OPML. */
export function OpmlTab() {
  useSignals()
  const { opmlImport, session } = useApp()
  useEffect(() => void opmlImport.load().catch(() => undefined), [opmlImport])
  return (
    <div className="opml">
      <ExportSection />
      <Progress />
      {session.mayAdd.value && (opmlImport.outlines.value ? <Preview /> : <SourceForm />)}
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
      <p>{t('opml-export-text')}</p>
      <div className="opml-actions">
        <button type="button" className="secondary with-icon" onClick={() => void save('online')}>
          <Download size={18} aria-hidden="true" />
          {t('opml-online')}
        </button>
        <button type="button" className="secondary with-icon" onClick={() => void save('local')}>
          <Download size={18} aria-hidden="true" />
          {t('opml-local')}
        </button>
      </div>
    </section>
  )
}

/** A file, an address, or the text itself. */
function SourceForm() {
  const { opmlImport } = useApp()
  const { t } = useTranslation()
  const [text, setText] = useState('')
  const [failure, setFailure] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const file = useRef<HTMLInputElement>(null)

  async function read(source: OpmlImport) {
    setBusy(true)
    setFailure(null)
    try {
      await opmlImport.preview(source)
    } catch (error) {
      setFailure(describeFailure(error))
      setBusy(false)
    }
  }
  function submit(event: FormEvent) {
    event.preventDefault()
    const given = text.trim()
    if (given === '') return
    void read(/^https?:\/\/\S+$/i.test(given) ? { url: given } : { content: given })
  }
  return (
    <section>
      <h2>{t('opml-import')}</h2>
      <form onSubmit={submit}>
        <div className="opml-actions">
          <button
            type="button"
            className="with-icon"
            disabled={isBusy}
            aria-busy={isBusy}
            onClick={() => file.current?.click()}
          >
            <FileUp size={18} aria-hidden="true" />
            {t('choose-file')}
          </button>
          <input
            ref={file}
            type="file"
            hidden
            aria-label={t('choose-file')}
            accept=".opml,.xml,text/x-opml,text/xml,application/xml"
            onChange={async event => {
              const [chosen] = event.target.files ?? []
              event.target.value = ''
              if (chosen) await read({ content: await chosen.text() })
            }}
          />
        </div>
        <Field label={t('opml-paste')} failure={failure}>
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
        <button type="submit" className="secondary" disabled={isBusy || text.trim() === ''}>
          {t('opml-read')}
        </button>
      </form>
    </section>
  )
}

function Preview() {
  useSignals()
  const { opmlImport, failed } = useApp()
  const { t } = useTranslation()
  const [isBusy, setBusy] = useState(false)
  const outlines = opmlImport.outlines.value ?? []
  const chosen = opmlImport.chosen.value
  const fresh = outlines.filter(({ known }) => !known).map(({ feedUrl }) => feedUrl)
  async function start() {
    setBusy(true)
    await opmlImport.start().catch(failed)
    setBusy(false)
  }
  return (
    <section>
      <h2>{t('opml-preview', { count: outlines.length })}</h2>
      <label className="check">
        <input
          type="checkbox"
          checked={fresh.length > 0 && fresh.every(url => chosen.has(url))}
          onChange={event => opmlImport.choose(fresh, event.target.checked)}
        />
        {t('all-new', { count: fresh.length })}
      </label>
      <ul className="opml-outlines">
        {outlines.map(({ title, feedUrl, folder, known }) => (
          <li key={feedUrl}>
            <label className="check">
              <input
                type="checkbox"
                aria-label={title ?? feedUrl}
                disabled={known}
                checked={chosen.has(feedUrl)}
                onChange={event => opmlImport.choose([feedUrl], event.target.checked)}
              />
              <span className="opml-outline">
                <span>{title ?? feedUrl}</span>
                <span className="muted">
                  {[known ? t('already-added') : null, folder, feedUrl].filter(Boolean).join(' · ')}
                </span>
              </span>
            </label>
          </li>
        ))}
      </ul>
      <div className="opml-actions">
        <button type="button" disabled={isBusy || chosen.size === 0} aria-busy={isBusy} onClick={() => void start()}>
          {t('import-count', { count: chosen.size })}
        </button>
        <button type="button" className="secondary" onClick={opmlImport.discard}>
          {t('cancel')}
        </button>
      </div>
    </section>
  )
}

function Progress() {
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
      {isRunning && opmlImport.latest.value && <p className="muted opml-latest">{opmlImport.latest.value}</p>}
      {isRunning && (
        <button type="button" className="secondary" onClick={() => void opmlImport.cancel().catch(failed)}>
          {t('cancel')}
        </button>
      )}
      {isRunning && <p className="muted">{t('import-goes-on')}</p>}
      {failures.length > 0 && (
        <>
          <Notice title={t('import-failures', { count: failures.length })} isFailure />
          <table className="table">
            <caption className="visually-hidden">{t('import-failures', { count: failures.length })}</caption>
            <thead>
              <tr>
                <th scope="col">{t('podcast')}</th>
                <th scope="col">{t('reason')}</th>
              </tr>
            </thead>
            <tbody>
              {failures.map(item => (
                <tr key={item.feedUrl}>
                  <th scope="row">
                    {item.title ?? item.feedUrl}
                    {item.title && <span className="muted opml-address">{item.feedUrl}</span>}
                  </th>
                  <td data-label={t('reason')}>
                    {t([`feed-error.${item.errorCode}`, `error.${item.errorCode}`], {
                      defaultValue: item.message ?? '',
                    })}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
          {!isRunning && (
            <button
              type="button"
              className="secondary with-icon opml-retry"
              onClick={() => void opmlImport.retry(failures).catch(failed)}
            >
              <RotateCw size={18} aria-hidden="true" />
              {t('retry-failed')}
            </button>
          )}
        </>
      )}
    </section>
  )
}
