import { useSignals } from '@preact/signals-react/runtime'
import { Copy } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { NewAppPassword } from '../../../../shared/api/access'
import { useApp } from '../../../app-context'
import { BusyButton } from '../../../components/buttons'
import { Dialog } from '../../../components/dialog'
import { Check, TextField } from '../../../components/fields'
import { onSubmit, useAction } from '../../../components/use-action'
import { CopyLine, useCopyKey } from '../../../library/forms/copy'
import { useAdministrationApi } from '../../../use-administration'
import { useServerAddress } from './reach'

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
      <pre className="guide-config breaks text-s shaded">
        <code className="plain">{config}</code>
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

/** The entry of an assistant's configuration file, as most of them read it. `key`: null if none is needed. */
export const configFor = (address: string, key: string | null): string =>
  JSON.stringify(
    {
      mcpServers: {
        castellan: {
          type: 'http',
          url: `${address}/mcp`,
          ...(key !== null && { headers: { Authorization: `Bearer ${key}` } }),
        },
      },
    },
    null,
    2,
  )

type ShownOnceProps = Omit<FormProps, 'onMade' | 'onCancel'> & {
  title: string
  /** Shows what was made, this once. */
  renderMade: (made: NewAppPassword, close: () => void) => ReactNode
  onMade: () => void
  onClose: () => void
}

/** Asks for a name, makes something secret of that name, and shows it once. */
export function ShownOnce({ title, renderMade, onMade, onClose, ...form }: ShownOnceProps) {
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
