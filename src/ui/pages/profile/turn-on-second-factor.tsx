import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { SecondFactorSecret } from '../../../shared/api/sign-in'
import { ApiError } from '../../api/client'
import { useApp } from '../../app-context'
import { Dialog } from '../../components/dialog'
import { onSubmit, useAction } from '../../components/use-action'
import { describeFailure } from '../../failure'
import { CopyLine } from '../../library/forms/copy-line'
import { QrBox } from '../../library/forms/qr-box'
import { useAdministrationApi } from '../../use-administration'
import { CodeField } from './proof-fields'
import { ProofForm, StepFooter } from './proof-form'
import { RecoveryCodeList } from './recovery-codes'

/** Turns the second factor on: the password, then the secret and a code of it, then the recovery codes. */
export function TurnOnSecondFactor({ onClose }: { onClose: () => void }) {
  const { session } = useApp()
  const { secondFactor: api } = useAdministrationApi()
  const { t } = useTranslation()
  const [secret, setSecret] = useState<SecondFactorSecret | null>(null)
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  /** The codes are lost when the dialog closes: it is on by then. */
  function finish() {
    if (codes) session.secondFactorChanged(true)
    onClose()
  }
  return (
    <Dialog title={t(codes ? 'recovery-codes' : 'second-factor')} onClose={finish}>
      {close => {
        if (codes) return <RecoveryCodeList codes={codes} onDone={close} />
        if (secret) return <ConfirmForm secret={secret} onConfirmed={setCodes} onCancel={close} />
        return (
          <ProofForm
            needsCode={false}
            action={t('continue')}
            onProof={async proof => setSecret(await api.begin(proof))}
            onCancel={close}
          >
            <p>{t('second-factor-password')}</p>
          </ProofForm>
        )
      }}
    </Dialog>
  )
}

type ConfirmProps = {
  secret: SecondFactorSecret
  onConfirmed: (codes: readonly string[]) => void
  onCancel: () => void
}

function ConfirmForm({ secret: { secret, address }, onConfirmed, onCancel }: ConfirmProps) {
  const { session } = useApp()
  const { secondFactor: api } = useAdministrationApi()
  const { t } = useTranslation()
  const [code, setCode] = useState('')
  const confirming = useAction(async () => {
    const { recoveryCodes } = await api.confirm(code)
    session.passwordIsNotEnough()
    onConfirmed(recoveryCodes)
  })
  const { failure } = confirming
  // The password was proven in the step before.
  const reason =
    failure instanceof ApiError && failure.code === 'not-confirmed'
      ? t('error.wrong-second-factor')
      : describeFailure(failure)
  return (
    <form onSubmit={onSubmit(() => confirming.run())}>
      <p>{t('second-factor-scan')}</p>
      <QrBox text={address} label={t('second-factor-qr')} />
      <CopyLine text={secret} inGroups />
      <CodeField value={code} onChange={setCode} failure={failure === null ? null : reason} />
      <p className="muted">{t('second-factor-apps')}</p>
      <StepFooter isBusy={confirming.isBusy} action={t('second-factor-turn-on')} onCancel={onCancel} />
    </form>
  )
}
