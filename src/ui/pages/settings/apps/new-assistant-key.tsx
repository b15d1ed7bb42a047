import { useSignals } from '@preact/signals-react/runtime'
import { Copy } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { NewAppPassword } from '../../../../shared/api/app-password'
import { Check } from '../../../components/check'
import { useCopyKey } from '../../../library/forms/use-copy-key'
import { useAdministrationApi } from '../../../use-administration'
import { configFor } from './assistant-config'
import { CopyLine } from '../../../library/forms/copy-line'
import { ShownOnce } from './shown-once'
import { useServerAddress } from './use-server-address'

type Props = { onMade: () => void; onClose: () => void }

/** Makes a key for one assistant, and shows it once, with what the assistant wants to know. */
export function NewAssistantKey(props: Props) {
  const { t } = useTranslation()
  const { appPasswords } = useAdministrationApi()
  const [mayChange, setMayChange] = useState(false)
  return (
    <ShownOnce
      {...props}
      title={t('new-assistant-key')}
      label={t('assistant-name')}
      create={name => appPasswords.create(name, mayChange ? 'changes' : 'reads')}
      renderMade={(made, close) => <Made made={made} onClose={close} />}
    >
      <Check isOn={mayChange} onChange={setMayChange}>
        {t('assistant-may-change')}
      </Check>
      <p className="muted">{t(mayChange ? 'assistant-may-change-text' : 'assistant-reads-text')}</p>
    </ShownOnce>
  )
}

function Made({ made: { name, password }, onClose }: { made: NewAppPassword; onClose: () => void }) {
  useSignals()
  const { t } = useTranslation()
  const copy = useCopyKey()
  const config = configFor(useServerAddress().address, password)
  return (
    <div className="app-password">
      <p>
        <strong>{t('assistant-key-of', { name })}</strong>
      </p>
      <CopyLine text={password} />
      <p className="muted">{t('assistant-key-once')}</p>
      <pre className="guide-config">
        <code>{config}</code>
      </pre>
      <footer>
        <button type="button" className="secondary with-icon" onClick={() => void copy(config)}>
          <Copy size={18} aria-hidden="true" />
          {t('copy-config')}
        </button>
        <button type="button" onClick={onClose}>
          {t('done')}
        </button>
      </footer>
    </div>
  )
}
