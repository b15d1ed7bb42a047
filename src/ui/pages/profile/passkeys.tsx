import { Fingerprint, Pencil, Trash2 } from 'lucide-react'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Passkey } from '../../../shared/api/sign-in'
import type { User } from '../../../shared/api/user'
import { useApp } from '../../app-context'
import { IconButton } from '../../components/buttons'
import { TextField } from '../../components/fields'
import { createPasskey, hasPasskeys, isNumericHost } from '../../device/passkeys'
import { formatDay } from '../../format-facts'
import { formatRelative } from '../../format'
import { FormDialog, ShownAtField } from '../../library/forms/form-dialog'
import { useAdministrationApi } from '../../use-administration'
import { noProof, ProofFields, type SignIn } from './sign-in-parts'
import './profile.css'

type Props = { user: User; all: readonly Passkey[]; change: SignIn['changePasskeys'] }

/** Passkeys of the account: added, renamed, deleted. */
export function Passkeys({ user, all, change }: Props) {
  const { t } = useTranslation()
  const id = useId()
  const [isAdding, setAdding] = useState(false)
  const [renaming, setRenaming] = useState<Passkey | null>(null)
  const [removing, setRemoving] = useState<Passkey | null>(null)
  const replace = (changed: Passkey) => change(known => known.map(one => (one.id === changed.id ? changed : one)))
  return (
    <section className="card padded below-28" aria-labelledby={id}>
      <h2 id={id}>{t('passkeys')}</h2>
      <p>{t('passkeys-text')}</p>
      {all.length > 0 && (
        <ul className="session-list below-12 lined">
          {all.map(passkey => (
            <PasskeyRow
              key={passkey.id}
              passkey={passkey}
              onRename={() => setRenaming(passkey)}
              onRemove={() => setRemoving(passkey)}
            />
          ))}
        </ul>
      )}
      <AddButton onAdd={() => setAdding(true)} />
      {isAdding && (
        <AddPasskey
          needsCode={user.secondFactor}
          onAdded={added => change(known => [added, ...known])}
          onClose={() => setAdding(false)}
        />
      )}
      {renaming && <RenamePasskey passkey={renaming} onRenamed={replace} onClose={() => setRenaming(null)} />}
      {removing && (
        <RemovePasskey
          passkey={removing}
          onRemoved={() => change(known => known.filter(one => one.id !== removing.id))}
          onClose={() => setRemoving(null)}
        />
      )}
    </section>
  )
}

/** The button, or the reason why this browser can't make a passkey here. */
function AddButton({ onAdd }: { onAdd: () => void }) {
  const { t } = useTranslation()
  if (!hasPasskeys()) return <p className="muted">{t(isSecureContext ? 'passkeys-not-here' : 'passkeys-need-https')}</p>
  if (isNumericHost()) return <p className="muted">{t('passkeys-need-name')}</p>
  return (
    <button type="button" className="secondary" onClick={onAdd}>
      {t('passkey-add')}
    </button>
  )
}

type RowProps = { passkey: Passkey; onRename: () => void; onRemove: () => void }

function PasskeyRow({ passkey: { name, device, host, createdAt, lastUsedAt }, onRename, onRemove }: RowProps) {
  const { t } = useTranslation()
  const facts = [
    device !== name && device,
    host !== location.host && host,
    t('session-since', { day: formatDay(createdAt) }),
  ].filter(Boolean)
  return (
    <li className="row gap-12">
      <Fingerprint className="faint" size={20} strokeWidth={1.75} aria-hidden="true" />
      <div className="grow">
        <strong dir="auto">{name}</strong>
        <small className="block faint">{facts.join(' · ')}</small>
        {lastUsedAt && (
          <small className="block faint">
            {t('last-used')}: <time dateTime={lastUsedAt}>{formatRelative(lastUsedAt)}</time>
          </small>
        )}
      </div>
      <IconButton icon={Pencil} label={t('passkey-rename', { name })} onClick={onRename} />
      <IconButton icon={Trash2} label={t('passkey-remove', { name })} onClick={onRemove} />
    </li>
  )
}

type AddProps = { needsCode: boolean; onAdded: (passkey: Passkey) => void; onClose: () => void }

function AddPasskey({ needsCode, onAdded, onClose }: AddProps) {
  const { toasts } = useApp()
  const { passkeys: api } = useAdministrationApi()
  const { t } = useTranslation()
  const [name, setName] = useState('')
  const [proof, setProof] = useState(noProof)
  async function add() {
    const options = await api.registration(proof)
    const response = await createPasskey(options).catch(() => {
      // The only reason for a browser to refuse: the device already has one.
      toasts.failed(t('passkey-there'))
      throw new ShownAtField()
    })
    if (!response) throw new ShownAtField()
    onAdded(await api.add({ name, response: response as never }))
    toasts.done(t('passkey-added'))
  }
  return (
    <FormDialog title={t('passkey-add')} action={t('continue')} onSubmit={add} onClose={onClose}>
      <TextField
        label={t('passkey-name')}
        help={t('passkey-name-help')}
        value={name}
        onChange={setName}
        maxLength={100}
        autoComplete="off"
      />
      <ProofFields proof={proof} onChange={setProof} needsCode={needsCode} />
    </FormDialog>
  )
}

type RenameProps = { passkey: Passkey; onRenamed: (passkey: Passkey) => void; onClose: () => void }

function RenamePasskey({ passkey, onRenamed, onClose }: RenameProps) {
  const { passkeys: api } = useAdministrationApi()
  const { t } = useTranslation()
  const [name, setName] = useState(passkey.name)
  return (
    <FormDialog
      title={t('passkey-rename', { name: passkey.name })}
      action={t('save')}
      onSubmit={async () => onRenamed(await api.rename(passkey.id, name))}
      onClose={onClose}
    >
      <TextField
        label={t('passkey-name')}
        value={name}
        onChange={setName}
        maxLength={100}
        autoComplete="off"
        required
      />
    </FormDialog>
  )
}

type RemoveProps = { passkey: Passkey; onRemoved: () => void; onClose: () => void }

function RemovePasskey({ passkey, onRemoved, onClose }: RemoveProps) {
  const { passkeys: api } = useAdministrationApi()
  const { t } = useTranslation()
  const title = t('passkey-remove', { name: passkey.name })
  async function remove() {
    await api.remove(passkey.id)
    onRemoved()
  }
  return (
    <FormDialog isDanger title={title} action={t('delete')} onSubmit={remove} onClose={onClose}>
      <p>{t('passkey-remove-text')}</p>
    </FormDialog>
  )
}
