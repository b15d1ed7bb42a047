import { useSignals } from '@preact/signals-react/runtime'
import { useTranslation } from 'react-i18next'
import { useApp } from '../../../app-context'
import { CopyLine } from '../../../library/forms/copy-line'
import { configFor } from './assistant-config'
import { useServerAddress } from './use-server-address'

/** Steps to connect an assistant: its address, a key, and what most of them want to know. */
export function AssistantSteps({ onMakeKey }: { onMakeKey: () => void }) {
  useSignals()
  const { session } = useApp()
  const { t } = useTranslation()
  const { address } = useServerAddress()
  const hasKeys = session.user.value !== null
  return (
    <>
      <ol>
        <li>
          {t('apps-assistants-1')}
          <CopyLine text={`${address}/mcp`} />
        </li>
        {hasKeys && (
          <li>
            {t('apps-assistants-2')}{' '}
            <button type="button" className="guide-make" onClick={onMakeKey}>
              {t('new-assistant-key')}
            </button>
          </li>
        )}
        <li>
          {t('apps-assistants-3')}
          <pre className="guide-config">
            <code>{configFor(address, hasKeys ? '…' : null)}</code>
          </pre>
        </li>
      </ol>
      {!hasKeys && <p>{t('apps-assistants-open')}</p>}
    </>
  )
}
