import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Proof } from '../../../shared/api/sign-in'
import { useApp } from '../../app-context'
import { BusyButton } from '../../components/busy-button'
import { onSubmit, useAction } from '../../components/use-action'
import { noProof, ProofFields } from './proof-fields'

type Props = {
  children: ReactNode
  needsCode: boolean
  /** Names the button that submits. */
  action: string
  onProof: (proof: Proof) => Promise<unknown>
  onCancel: () => void
}

/** A step of a dialog that asks who is there, before it continues. */
export function ProofForm({ children, needsCode, action, onProof, onCancel }: Props) {
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

export function StepFooter({ isBusy, action, onCancel }: FooterProps) {
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
