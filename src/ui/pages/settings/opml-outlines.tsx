import { useSignals } from '@preact/signals-react/runtime'
import { useTranslation } from 'react-i18next'
import { useApp } from '../../app-context'
import { BusyButton } from '../../components/busy-button'
import { Check } from '../../components/check'
import { useAction } from '../../components/use-action'

/** The subscriptions that were read, to choose from and import. */
export function OpmlOutlines() {
  useSignals()
  const { opmlImport, failed } = useApp()
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
      <ul className="opml-outlines">
        {outlines.map(({ title, feedUrl, folder, known }) => (
          <li key={feedUrl}>
            <Check
              name={title ?? feedUrl}
              isDisabled={known}
              isOn={chosen.has(feedUrl)}
              onChange={isOn => opmlImport.choose([feedUrl], isOn)}
            >
              <span className="opml-outline">
                <span>{title ?? feedUrl}</span>
                <span className="muted">
                  {[known ? t('already-added') : null, folder, feedUrl].filter(Boolean).join(' · ')}
                </span>
              </span>
            </Check>
          </li>
        ))}
      </ul>
      <div className="opml-actions">
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
