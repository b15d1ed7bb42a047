import { type ReactNode, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { User } from '../../../shared/api/user'
import { useApp } from '../../app-context'
import { Dialog } from '../../components/dialog'
import { FormDialog } from '../../library/forms/form-dialog'
import { useAdministrationApi } from '../../use-administration'
import { CodeField, noProof, ProofFields } from './sign-in-parts'
import type { Proof, SecondFactorSecret } from '../../../shared/api/sign-in'
import { ApiError } from '../../api/client'
import { onSubmit, useAction } from '../../components/use-action'
import { describeFailure } from '../../failure'
import { CopyLine, useCopyKey } from '../../library/forms/copy'
import { QrBox } from '../../library/forms/qr-box'
import { Copy, Download } from 'lucide-react'
import { saveFile } from '../../device/share'
import './profile.css'
import { BusyButton } from '../../components/buttons'

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
    <section className="card padded below-28" aria-labelledby={id}>
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
          <div className="wrap gap-8">
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

/** Turns the second factor on: the password, then the secret and a code of it, then the recovery codes. */
function TurnOnSecondFactor({ onClose }: { onClose: () => void }) {
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

/** New recovery codes, which are shown this once: to be copied, saved or written down. */
function RecoveryCodeList({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const { t } = useTranslation()
  const copy = useCopyKey()
  const text = codes.join('\n')
  return (
    <>
      <p>{t('recovery-codes-text')}</p>
      <ol className="recovery-codes gap-4 x-16 stack spaced">
        {codes.map(code => (
          <li key={code}>
            <code className="text-m nowrap">{code}</code>
          </li>
        ))}
      </ol>
      <div className="wrap gap-8">
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

type ProofFormProps = {
  children: ReactNode
  needsCode: boolean
  /** Names the button that submits. */
  action: string
  onProof: (proof: Proof) => Promise<unknown>
  onCancel: () => void
}

/** A step of a dialog that asks who is there, before it continues. */
function ProofForm({ children, needsCode, action, onProof, onCancel }: ProofFormProps) {
  const { failed } = useApp()
  const [proof, setProof] = useState(noProof)
  const proving = useAction(() => onProof(proof), failed)
  return (
    <form onSubmit={onSubmit(() => proving.run())}>
      {children}
      <ProofFields proof={proof} onChange={setProof} needsCode={needsCode} />
      <StepFooter isBusy={proving.isBusy} action={action} onCancel={onCancel} />
    </form>
  )
}

type FooterProps = { isBusy: boolean; action: string; onCancel: () => void }

function StepFooter({ isBusy, action, onCancel }: FooterProps) {
  const { t } = useTranslation()
  return (
    <footer>
      <button type="button" className="secondary" onClick={onCancel}>
        {t('cancel')}
      </button>
      <BusyButton type="submit" isBusy={isBusy}>
        {action}
      </BusyButton>
    </footer>
  )
}
