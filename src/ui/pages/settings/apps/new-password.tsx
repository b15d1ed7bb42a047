import { useTranslation } from 'react-i18next'
import type { NewAppPassword } from '../../../../shared/api/app-password'
import { useAdministrationApi } from '../../../use-administration'
import { ShownOnce } from './shown-once'
import { CopyLine } from '../../../library/forms/copy-line'
import { QrBox } from '../../../library/forms/qr-box'

type Props = { onMade: () => void; onClose: () => void }

/** Makes a password for one app, and shows it once. */
export function NewPassword(props: Props) {
  const { t } = useTranslation()
  const { appPasswords } = useAdministrationApi()
  return (
    <ShownOnce
      {...props}
      title={t('new-app-password')}
      label={t('app-password-name')}
      create={name => appPasswords.create(name)}
      renderMade={(made, close) => <Made password={made} onClose={close} />}
    />
  )
}

function Made({ password: { name, password }, onClose }: { password: NewAppPassword; onClose: () => void }) {
  const { t } = useTranslation()
  return (
    <div className="app-password">
      <p>
        <strong>{t('app-password-of', { name })}</strong>
      </p>
      <CopyLine text={password} inGroups />
      <p className="muted">{t('app-password-once')}</p>
      <QrBox text={password} label={t('app-password-qr')} />
      <footer>
        <button type="button" onClick={onClose}>
          {t('done')}
        </button>
      </footer>
    </div>
  )
}
