import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { User } from '../../../shared/api/user'
import { useApp } from '../../app-context'
import { BusyButton } from '../../components/busy-button'
import { FormFailure } from '../../components/field'
import { onSubmit, useAction } from '../../components/use-action'
import { accountFailure, type AccountFailure } from '../../failure'
import { UsernameField } from '../../library/forms/username-field'
import { PasswordField } from '../../library/forms/password-field'
import { ApiKeyField, RemoveApiKeyDialog, useApiKey } from './api-key-field'

/** Name, password and API key of the account. A field that is left empty changes nothing. */
export function AccountForm({ user }: { user: User }) {
  const { session, toasts } = useApp()
  const { t } = useTranslation()
  const [username, setUsername] = useState(user.username)
  const [password, setPassword] = useState('')
  const apiKey = useApiKey()
  const [isRemovingKey, setRemovingKey] = useState(false)
  const isOwnName = !user.readOnly && session.config.value!.basicAuth && !session.oidc.value?.token()
  const saving = useAction(async () => {
    const newKey = apiKey.unsaved
    await session.edit({ username, ...(password && { password }), ...(newKey && { apiKey: newKey }) })
    setPassword('')
    if (newKey) apiKey.markSaved()
    toasts.done(t('user-settings-updated'))
  })
  const failure = saving.failure === null ? null : accountFailure(saving.failure)
  const failureAt = (at: AccountFailure['at']) => (failure?.at === at ? failure.reason : null)
  const nameHelp = user.readOnly ? 'error.account-read-only' : isOwnName ? 'username-rule' : 'username-from-elsewhere'

  return (
    <section className="profile-card" aria-label={t('account')}>
      <form onSubmit={onSubmit(() => saving.run())}>
        <UsernameField
          help={t(nameHelp)}
          failure={failureAt('username')}
          value={username}
          onChange={setUsername}
          readOnly={!isOwnName}
        />
        {isOwnName && (
          <PasswordField
            help={t('password-rule')}
            failure={failureAt('password')}
            value={password}
            onChange={setPassword}
            placeholder={t('password-unchanged')}
            autoComplete="new-password"
          />
        )}
        <ApiKeyField user={user} apiKey={apiKey} onRemove={() => setRemovingKey(true)} />
        <FormFailure reason={failureAt('form')} />
        <BusyButton type="submit" isBusy={saving.isBusy}>
          {t('save')}
        </BusyButton>
      </form>
      {isRemovingKey && <RemoveApiKeyDialog onRemoved={apiKey.forget} onClose={() => setRemovingKey(false)} />}
    </section>
  )
}
