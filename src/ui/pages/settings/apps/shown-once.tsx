import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { NewAppPassword } from '../../../../shared/api/app-password'
import { useApp } from '../../../app-context'
import { BusyButton } from '../../../components/busy-button'
import { Dialog } from '../../../components/dialog'
import { TextField } from '../../../components/text-field'
import { onSubmit, useAction } from '../../../components/use-action'

type Props = Omit<FormProps, 'onMade' | 'onCancel'> & {
  title: string
  /** Shows what was made, this once. */
  renderMade: (made: NewAppPassword, close: () => void) => ReactNode
  onMade: () => void
  onClose: () => void
}

/** Asks for a name, makes something secret of that name, and shows it once. */
export function ShownOnce({ title, renderMade, onMade, onClose, ...form }: Props) {
  const [made, setMade] = useState<NewAppPassword | null>(null)
  function keep(secret: NewAppPassword) {
    setMade(secret)
    onMade()
  }
  return (
    <Dialog title={title} onClose={onClose}>
      {close => (made ? renderMade(made, close) : <NameForm {...form} onMade={keep} onCancel={close} />)}
    </Dialog>
  )
}

type FormProps = {
  label: string
  create: (name: string) => Promise<NewAppPassword>
  /** Further choices. */
  children?: ReactNode
  onMade: (secret: NewAppPassword) => void
  onCancel: () => void
}

function NameForm({ label, create, children, onMade, onCancel }: FormProps) {
  const { failed } = useApp()
  const { t } = useTranslation()
  const [name, setName] = useState('')
  const making = useAction(async () => onMade(await create(name.trim())), failed)
  return (
    <form onSubmit={onSubmit(() => making.run())}>
      <TextField
        label={label}
        help={t('app-password-help')}
        value={name}
        onChange={setName}
        maxLength={100}
        autoComplete="off"
        required
      />
      {children}
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
