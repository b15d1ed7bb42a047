import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { OpmlImport } from '../../../shared/api/job'
import { useApp } from '../../app-context'
import { Field } from '../../components/field'
import { onSubmit, useAction } from '../../components/use-action'
import { describeFailure } from '../../failure'
import { OpmlFileButton } from '../../library/podcasts/opml-file-button'

/** Reads subscriptions from a file, an address, or pasted text. */
export function OpmlSource() {
  const { opmlImport } = useApp()
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
      <form className="setting-card opml-card" onSubmit={onSubmit(read)}>
        <p>{t('way-import-text')}</p>
        <div className="opml-actions">
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
