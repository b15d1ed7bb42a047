import { useSignals } from '@preact/signals-react/runtime'
import { useTranslation } from 'react-i18next'
import { useApp } from '../../../app-context'
import { Notice } from '../../../components/notice'
import { SettingGroup } from '../../../library/forms/setting-row'
import type { ServerAddress } from './server-address'
import { useServerAddress } from './use-server-address'
import { CopyLine } from '../../../library/forms/copy-line'
import { QrBox } from '../../../library/forms/qr-box'

/** The server's address for an app: to type, to copy, or to scan. */
export function AddressCard() {
  useSignals()
  const { t } = useTranslation()
  const found = useServerAddress()
  return (
    <>
      <SettingGroup title={t('server-address')}>
        <div className="apps-address">
          <div>
            <CopyLine text={found.address} />
            <p className="muted">{t('apps-address-text')}</p>
          </div>
          <QrBox text={found.address} label={t('apps-qr', { address: found.address })} />
        </div>
      </SettingGroup>
      <Reach of={found} />
    </>
  )
}

/** Warns where apps cannot reach the address, or not safely. */
function Reach({ of: { isLocal, isPlain } }: { of: ServerAddress }) {
  useSignals()
  const { session } = useApp()
  const { t } = useTranslation()
  if (isLocal)
    return (
      <Notice title={t('apps-local')}>
        <p>{t('apps-local-text')}</p>
        {session.isOpen.value && <p>{t('apps-local-open')}</p>}
      </Notice>
    )
  return isPlain ? <Notice title={t('apps-plain')}>{t('apps-plain-text')}</Notice> : null
}
