import { useSignals } from '@preact/signals-react/runtime'
import { Link } from 'wouter'
import { useTranslation } from '../../i18n'
import { useApp } from '../../app-context'
import { Notice } from '../../components/notice'
import { PageHeader } from '../../components/page-header'
import { routes } from '../../routes'
import { AccountForm } from './account-form'
import { FeedKeySection } from './feed-key'
import { TakeEverything } from './take-everything'
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
          <FeedKeySection user={user} />
          <section className="profile-card">
            <Link href={routes.settingsOf('apps')}>{t('apps-with-access')}</Link>
          </section>
        </>
      )}
      <TakeEverything />
    </div>
  )
}
