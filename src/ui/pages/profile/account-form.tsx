import { Copy, RefreshCw, Trash2 } from 'lucide-react'
import { useState, type FormEvent } from 'react'
import { useTranslation } from 'react-i18next'
import type { User } from '../../../shared/api/user'
import { accountFailure, type AccountFailure } from '../../failure'
import { useApp } from '../../app-context'
import { copyText } from '../../device/clipboard'
import { Field } from '../../components/field'
import { FormDialog } from '../../components/form-dialog'
import { IconButton } from '../../components/icon-button'

/** A UUID without its dashes, by the browser's secure random numbers. */
function newApiKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = (bytes[6]! & 0x0f) | 0x40
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  return Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('')
}

/** Name, password and API key; what is not filled in stays. */
export function AccountForm({ user }: { user: User }) {
  const { session, toasts } = useApp()
  const { t } = useTranslation()
  const [username, setUsername] = useState(user.username)
  const [password, setPassword] = useState('')
  const [apiKey, setApiKey] = useState('')
  /** The key of the field is in force. */
  const [isKeySaved, setKeySaved] = useState(false)
  const [failure, setFailure] = useState<AccountFailure | null>(null)
  const [isBusy, setBusy] = useState(false)
  const [isRemoving, setRemoving] = useState(false)
  const signsInByPassword = session.config.value!.basicAuth
  const isOwnName = !user.readOnly && signsInByPassword && !session.oidc.value?.token()

  async function save(event: FormEvent) {
    event.preventDefault()
    if (isBusy) return
    setBusy(true)
    setFailure(null)
    try {
      const isNewKey = apiKey !== '' && !isKeySaved
      await session.edit({ username, ...(password && { password }), ...(isNewKey && { apiKey }) })
      setPassword('')
      if (isNewKey) setKeySaved(true)
      toasts.done(t('user-settings-updated'))
    } catch (error) {
      setFailure(accountFailure(error))
    }
    setBusy(false)
  }

  const failed = (at: AccountFailure['at']) => (failure?.at === at ? failure.reason : null)
  return (
    <section aria-label={t('account')}>
      <form onSubmit={event => void save(event)}>
        <Field label={t('username')} help={nameHelp()} failure={failed('username')}>
          {props => (
            <input
              {...props}
              value={username}
              onChange={event => setUsername(event.target.value)}
              readOnly={!isOwnName}
              autoComplete="username"
              autoCapitalize="none"
              spellCheck={false}
              maxLength={200}
              required
            />
          )}
        </Field>
        {isOwnName && (
          <Field label={t('password')} help={t('password-rule')} failure={failed('password')}>
            {props => (
              <input
                {...props}
                type="password"
                value={password}
                onChange={event => setPassword(event.target.value)}
                placeholder={t('password-unchanged')}
                autoComplete="new-password"
                maxLength={1000}
              />
            )}
          </Field>
        )}
        <ApiKeyField
          user={user}
          value={apiKey}
          isSaved={isKeySaved}
          onRegenerate={() => {
            setApiKey(newApiKey())
            setKeySaved(false)
          }}
          onRemove={() => setRemoving(true)}
        />
        {failed('form') && (
          <p className="field-failure" role="alert">
            {failed('form')}
          </p>
        )}
        <button type="submit" aria-busy={isBusy} disabled={isBusy}>
          {t('save')}
        </button>
      </form>
      {isRemoving && (
        <FormDialog
          isDanger
          title={t('remove-api-key-title')}
          action={t('remove-api-key')}
          onSubmit={async () => {
            await session.removeApiKey()
            setApiKey('')
            setKeySaved(false)
          }}
          onClose={() => setRemoving(false)}
        >
          <p>{t('remove-api-key-text')}</p>
        </FormDialog>
      )}
    </section>
  )

  function nameHelp(): string {
    if (user.readOnly) return t('error.account-read-only')
    return isOwnName ? t('username-rule') : t('username-from-elsewhere')
  }
}

type KeyProps = { user: User; value: string; isSaved: boolean; onRegenerate: () => void; onRemove: () => void }

function ApiKeyField({ user, value, isSaved, onRegenerate, onRemove }: KeyProps) {
  const { toasts } = useApp()
  const { t } = useTranslation()
  const help =
    value === '' ? (user.apiKeySet ? 'api-key-set' : 'api-key-none') : isSaved ? 'api-key-saved' : 'api-key-unsaved'
  return (
    <>
      <label htmlFor="api-key">{t('api-key')}</label>
      <div className="key-field">
        <input
          id="api-key"
          value={value}
          placeholder={user.apiKeySet ? '••••••••••••••••••••••••••••••••' : ''}
          readOnly
          aria-describedby="api-key-help"
        />
        {value !== '' && (
          <IconButton
            icon={Copy}
            label={t('copy')}
            onClick={() => void copyText(value).then(isCopied => isCopied && toasts.done(t('copied')))}
          />
        )}
        <IconButton icon={RefreshCw} label={t('regenerate-api-key')} onClick={onRegenerate} />
        {user.apiKeySet && <IconButton icon={Trash2} label={t('remove-api-key')} onClick={onRemove} />}
      </div>
      <small id="api-key-help">{t(help)}</small>
    </>
  )
}
