import { useSignals } from '@preact/signals-react/runtime'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { User } from '../../../shared/api/user'
import { useApp } from '../../app-context'
import { Loaded } from '../../components/loaded'
import { Notice } from '../../components/notice'
import { PageHeader } from '../../components/page-header'
import { routes } from '../../routes'
import { AccountForm } from './account-form'
import { FeedKeySection } from './feed-key'
import { Passkeys } from './passkeys'
import { PublicClips } from './public-clips'
import { SecondFactor } from './second-factor'
import { SessionList } from './session-list'
import { TakeEverything } from './take-everything'
import { useSignInState } from './use-sign-in-state'
import './profile-page.css'

/** The account of the signed-in user. In open mode there is none, and the page says how to set up accounts. */
export function ProfilePage() {
  useSignals()
  const { session } = useApp()
  const { t } = useTranslation()
  const user = session.user.value
  return (
    <div className="profile">
      <PageHeader title={t('profile')} />
      {!user && (
        <Notice title={t('open-mode')}>
          <p>{t('open-mode-text')}</p>
          <pre>
            <code>{'BASIC_AUTH=true\nUSERNAME=mara\nPASSWORD=…'}</code>
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
          <section className="profile-card">
            <Link href={routes.settingsOf('apps')}>{t('apps-with-access')}</Link>
          </section>
          <section className="profile-card">
            <Link href={routes.settingsOf('notifications')}>{t('destinations')}</Link>
          </section>
          <PublicClips />
          <TakeEverything />
        </>
      )}
    </Loaded>
  )
}
