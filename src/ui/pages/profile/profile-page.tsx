import { useSignals } from '@preact/signals-react/runtime'
import { Download, RefreshCw } from 'lucide-react'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { User } from '../../../shared/api/user'
import { useApp } from '../../app-context'
import { BusyButton, IconButton } from '../../components/buttons'
import { Check, FormFailure, KeyField } from '../../components/fields'
import { Notice } from '../../components/notice'
import { PageHeader } from '../../components/page-header'
import { Loaded } from '../../components/states'
import { onSubmit, useAction } from '../../components/use-action'
import { accountFailure, type AccountFailure, PasswordField, UsernameField } from '../../library/forms/account-fields'
import { formatBytes } from '../../format-facts'
import { useCopyKey } from '../../library/forms/copy'
import { FormDialog } from '../../library/forms/form-dialog'
import { routes } from '../../routes'
import { useAdministrationApi } from '../../use-administration'
import { useResource } from '../../use-resource'
import { ApiKeyField, RemoveApiKeyDialog, useApiKey } from './api-key-field'
import { Passkeys } from './passkeys'
import { PublicClips } from './public-clips'
import { SecondFactor } from './second-factor'
import { SessionList } from './session-list'
import { useSignInState } from './sign-in-parts'
import './profile.css'

/** The account of the signed-in user. In open mode there is none, and the page says how to set up accounts. */
export function ProfilePage() {
  useSignals()
  const { session } = useApp()
  const { t } = useTranslation()
  const user = session.user.value
  return (
    <div className="profile narrow">
      <PageHeader title={t('profile')} />
      {!user && (
        <Notice title={t('open-mode')}>
          <p>{t('open-mode-text')}</p>
          <pre>
            <code className="plain">{'BASIC_AUTH=true\nUSERNAME=mara\nPASSWORD=…'}</code>
          </pre>
        </Notice>
      )}
      {user && (
        <>
          <AccountForm key={user.id} user={user} />
          <SignedIn user={user} />
        </>
      )}
      {!user && (
        <>
          <PublicClips />
          <TakeEverything />
        </>
      )}
    </div>
  )
}

/** How the user signs in, and all below it: it appears together, so that nothing moves. */
function SignedIn({ user }: { user: User }) {
  const { t } = useTranslation()
  const { state, changePasskeys, changeSessions } = useSignInState(user)
  return (
    <Loaded resource={state} rows={4}>
      {({ passkeys, secondFactor, sessions }) => (
        <>
          {user.hasPassword && (
            <>
              <Passkeys user={user} all={passkeys} change={changePasskeys} />
              <SecondFactor
                user={user}
                recoveryCodesLeft={secondFactor.recoveryCodesLeft}
                onChange={() => void state.retry()}
              />
            </>
          )}
          <SessionList all={sessions} change={changeSessions} />
          <FeedKeySection user={user} />
          <section className="card padded below-28">
            <Link href={routes.settingsOf('apps')}>{t('apps-with-access')}</Link>
          </section>
          <section className="card padded below-28">
            <Link href={routes.settingsOf('notifications')}>{t('destinations')}</Link>
          </section>
          <PublicClips />
          <TakeEverything />
        </>
      )}
    </Loaded>
  )
}

/** Everything of the user as one archive, which the browser saves while the server writes it. */
export function TakeEverything() {
  const { everything } = useAdministrationApi()
  const { t } = useTranslation()
  const id = useId()
  const size = useResource(everything.size, [])
  const [withFiles, setWithFiles] = useState(false)
  return (
    <section className="card padded below-28" aria-labelledby={id}>
      <h2 id={id}>{t('take-everything')}</h2>
      <p>{t('take-everything-text')}</p>
      <Loaded resource={size} rows={1}>
        {({ files, bytes }) =>
          files > 0 && (
            <Check isOn={withFiles} onChange={setWithFiles}>
              {t('take-everything-files', { size: formatBytes(bytes) })}
            </Check>
          )
        }
      </Loaded>
      <p className="muted">{t('take-everything-secrets')}</p>
      <a role="button" className="secondary with-icon" href={everything.address(withFiles)} download>
        <Download size={18} aria-hidden="true" />
        {t('take-everything-save')}
      </a>
    </section>
  )
}

/** The key in the feed addresses that podcast apps use; it can be renewed after it has leaked. */
function FeedKeySection({ user }: { user: User }) {
  const { session, toasts } = useApp()
  const { t } = useTranslation()
  const copyKey = useCopyKey()
  const [isRenewing, setRenewing] = useState(false)
  const key = user.feedKey ?? ''
  async function renew() {
    await session.renewFeedKey()
    toasts.done(t('feed-key-renewed'))
  }
  return (
    <section className="card padded below-28">
      <KeyField label={t('feed-key')} help={t('feed-key-help')} value={key} isHidden onCopy={() => void copyKey(key)}>
        <IconButton icon={RefreshCw} label={t('renew-feed-key')} onClick={() => setRenewing(true)} />
      </KeyField>
      {isRenewing && (
        <FormDialog
          isDanger
          title={t('renew-feed-key-title')}
          action={t('renew-feed-key')}
          onSubmit={renew}
          onClose={() => setRenewing(false)}
        >
          <p>{t('renew-feed-key-text')}</p>
        </FormDialog>
      )}
    </section>
  )
}

/** Name, password and API key of the account. A field that is left empty changes nothing. */
export function AccountForm({ user }: { user: User }) {
  useSignals()
  const { session, toasts } = useApp()
  const { t } = useTranslation()
  const [username, setUsername] = useState(user.username)
  const [password, setPassword] = useState('')
  const apiKey = useApiKey()
  const [isRemovingKey, setRemovingKey] = useState(false)
  const isOwnName = !user.readOnly && session.config.value!.basicAuth && !session.oidc.value?.token()
  const saving = useAction(async () => {
    const newKey = apiKey.unsaved
    const keyEdit = newKey && { apiKey: newKey, apiKeyForAssistants: apiKey.forAssistants }
    await session.edit({ username, ...(password && { password }), ...keyEdit })
    setPassword('')
    if (newKey) apiKey.markSaved()
    toasts.done(t('user-settings-updated'))
  })
  const failure = saving.failure === null ? null : accountFailure(saving.failure)
  const failureAt = (at: AccountFailure['at']) => (failure?.at === at ? failure.reason : null)
  const nameHelp = user.readOnly ? 'error.account-read-only' : isOwnName ? 'username-rule' : 'username-from-elsewhere'

  return (
    <section className="card padded below-28" aria-label={t('account')}>
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
