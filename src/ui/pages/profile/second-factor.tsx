import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { User } from '../../../shared/api/user'
import { useApp } from '../../app-context'
import { Dialog } from '../../components/dialog'
import { FormDialog } from '../../library/forms/form-dialog'
import { useAdministrationApi } from '../../use-administration'
import { noProof, ProofFields } from './proof-fields'
import { ProofForm } from './proof-form'
import { RecoveryCodeList } from './recovery-codes'
import { TurnOnSecondFactor } from './turn-on-second-factor'

type Open = 'on' | 'codes' | 'off'

type Props = { user: User; recoveryCodesLeft: number; onChange: () => void }

/** The second factor of the own sign-in: turned on and off, and its recovery codes. */
export function SecondFactor({ user, recoveryCodesLeft, onChange }: Props) {
  const { t } = useTranslation()
  const id = useId()
  const [open, setOpen] = useState<Open | null>(null)
  function close() {
    setOpen(null)
    onChange()
  }
  return (
    <section className="profile-card" aria-labelledby={id}>
      <h2 id={id}>{t('second-factor')}</h2>
      {!user.secondFactor && (
        <>
          <p>{t('second-factor-text')}</p>
          <button type="button" className="secondary" onClick={() => setOpen('on')}>
            {t('second-factor-turn-on')}
          </button>
        </>
      )}
      {user.secondFactor && (
        <>
          <p>
            {t('second-factor-is-on')} {t('recovery-codes-left', { count: recoveryCodesLeft })}
          </p>
          <div className="profile-actions">
            <button type="button" className="secondary" onClick={() => setOpen('codes')}>
              {t('recovery-codes-renew')}
            </button>
            <button type="button" className="secondary" onClick={() => setOpen('off')}>
              {t('second-factor-turn-off')}
            </button>
          </div>
        </>
      )}
      {open === 'on' && <TurnOnSecondFactor onClose={close} />}
      {open === 'codes' && <RenewCodes onClose={close} />}
      {open === 'off' && <TurnOff onClose={close} />}
    </section>
  )
}

function RenewCodes({ onClose }: { onClose: () => void }) {
  const { secondFactor: api } = useAdministrationApi()
  const { t } = useTranslation()
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  return (
    <Dialog title={t(codes ? 'recovery-codes' : 'recovery-codes-renew')} onClose={onClose}>
      {close =>
        codes ? (
          <RecoveryCodeList codes={codes} onDone={close} />
        ) : (
          <ProofForm
            needsCode
            action={t('recovery-codes-renew')}
            onProof={async proof => setCodes((await api.renewCodes(proof)).recoveryCodes)}
            onCancel={close}
          >
            <p>{t('recovery-codes-renew-text')}</p>
          </ProofForm>
        )
      }
    </Dialog>
  )
}

function TurnOff({ onClose }: { onClose: () => void }) {
  const { session, toasts } = useApp()
  const { secondFactor: api } = useAdministrationApi()
  const { t } = useTranslation()
  const [proof, setProof] = useState(noProof)
  async function turnOff() {
    await api.remove(proof)
    session.secondFactorChanged(false)
    toasts.done(t('second-factor-is-off'))
  }
  return (
    <FormDialog
      isDanger
      title={t('second-factor-turn-off')}
      action={t('second-factor-turn-off')}
      onSubmit={turnOff}
      onClose={onClose}
    >
      <p>{t('second-factor-turn-off-text')}</p>
      <ProofFields proof={proof} onChange={setProof} needsCode />
    </FormDialog>
  )
}
