import { Copy, Download } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { saveFile } from '../../device/save-file'
import { useCopyKey } from '../../library/forms/use-copy-key'
import './recovery-codes.css'

/** New recovery codes, which are shown this once: to be copied, saved or written down. */
export function RecoveryCodeList({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const { t } = useTranslation()
  const copy = useCopyKey()
  const text = codes.join('\n')
  return (
    <>
      <p>{t('recovery-codes-text')}</p>
      <ol className="recovery-codes">
        {codes.map(code => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ol>
      <div className="profile-actions">
        <button type="button" className="secondary with-icon" onClick={() => void copy(text)}>
          <Copy size={18} aria-hidden="true" />
          {t('copy')}
        </button>
        <button
          type="button"
          className="secondary with-icon"
          onClick={() => saveFile('castellan-recovery-codes.txt', new Blob([`${text}\n`], { type: 'text/plain' }))}
        >
          <Download size={18} aria-hidden="true" />
          {t('save')}
        </button>
      </div>
      <footer>
        <button type="button" onClick={onDone}>
          {t('done')}
        </button>
      </footer>
    </>
  )
}
