import { useState } from 'react'
import { useTranslation } from '../../../i18n'
import type { NewAppPassword } from '../../../../shared/api/app-password'
import { useApp } from '../../../app-context'
import { BusyButton } from '../../../components/busy-button'
import { Dialog } from '../../../components/dialog'
import { TextField } from '../../../components/text-field'
import { onSubmit, useAction } from '../../../components/use-action'
import { useAdministrationApi } from '../../../use-administration'
import { CopyLine } from './copy-line'
import { QrBox } from './qr-box'

type Props = { onMade: () => void; onClose: () => void }

/** Makes a password for one app, and shows it once. */
export function NewPassword({ onMade, onClose }: Props) {
  const { t } = useTranslation()
  const [made, setMade] = useState<NewAppPassword | null>(null)
  function show(password: NewAppPassword) {
    setMade(password)
    onMade()
  }
  return (
    <Dialog title={t('new-app-password')} onClose={onClose}>
      {close => (made ? <Made password={made} onClose={close} /> : <NameForm onMade={show} onCancel={close} />)}
    </Dialog>
  )
}

type FormProps = { onMade: (password: NewAppPassword) => void; onCancel: () => void }

function NameForm({ onMade, onCancel }: FormProps) {
  const { failed } = useApp()
  const { t } = useTranslation()
  const api = useAdministrationApi()
  const [name, setName] = useState('')
  const making = useAction(async () => onMade(await api.appPasswords.create(name.trim())), failed)
  return (
    <form onSubmit={onSubmit(() => making.run())}>
      <TextField
        label={t('app-password-name')}
        help={t('app-password-help')}
        value={name}
        onChange={setName}
        maxLength={100}
        autoComplete="off"
        required
      />
      <footer>
        <button type="button" className="secondary" onClick={onCancel}>
          {t('cancel')}
        </button>
        <BusyButton type="submit" isBusy={making.isBusy} disabled={name.trim() === ''}>
          {t('create')}
        </BusyButton>
      </footer>
    </form>
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
