import { FileUp } from 'lucide-react'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { OpmlImport } from '../../../shared/api/job'
import { useApp } from '../../app-context'
import { BusyButton } from '../../components/busy-button'
import { Field } from '../../components/field'
import { onSubmit, useAction } from '../../components/use-action'
import { describeFailure } from '../../failure'

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
      <form onSubmit={onSubmit(read)}>
        <FileButton isBusy={reading.isBusy} onRead={content => reading.run({ content })} />
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

function FileButton({ isBusy, onRead }: { isBusy: boolean; onRead: (content: string) => void }) {
  const { t } = useTranslation()
  const file = useRef<HTMLInputElement>(null)
  return (
    <div className="opml-actions">
      <BusyButton className="with-icon" isBusy={isBusy} onClick={() => file.current?.click()}>
        <FileUp size={18} aria-hidden="true" />
        {t('choose-file')}
      </BusyButton>
      <input
        ref={file}
        type="file"
        hidden
        aria-label={t('choose-file')}
        accept=".opml,.xml,text/x-opml,text/xml,application/xml"
        onChange={async event => {
          const [chosen] = event.target.files ?? []
          // The same file can be chosen again.
          event.target.value = ''
          if (chosen) onRead(await chosen.text())
        }}
      />
    </div>
  )
}
