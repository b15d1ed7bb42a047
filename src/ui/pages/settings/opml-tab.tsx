import { useSignals } from '@preact/signals-react/runtime'
import { Download } from 'lucide-react'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useApp } from '../../app-context'
import { saveFile } from '../../device/save-file'
import { OpmlOutlines } from './opml-outlines'
import { OpmlProgress } from './opml-progress'
import { OpmlSource } from './opml-source'
import './opml-tab.css'

/** Exports and imports subscriptions as OPML. */
export function OpmlTab() {
  useSignals()
  const { opmlImport, session } = useApp()
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
      <div className="setting-card opml-card">
        <p>{t('opml-export-text')}</p>
        <div className="opml-actions">
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
