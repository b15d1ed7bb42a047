import { useSignals } from '@preact/signals-react/runtime'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { useApp } from '../../../app-context'
import { useCopyFeed } from '../../../library/forms/use-copy-feed'
import { SettingGroup } from '../../../library/forms/setting-row'
import { routes } from '../../../routes'
import { AssistantSteps } from './assistant-steps'
import { Guide } from './guide'
import { SignInFields } from './sign-in-fields'
import { ways } from './ways'

type Props = { onMakePassword: () => void; onMakeKey: () => void }

/** Steps for every kind of app. `onMakePassword`, `onMakeKey`: where somebody may want one for the app. */
export function Guides({ onMakePassword, onMakeKey }: Props) {
  useSignals()
  const { session } = useApp()
  const { t } = useTranslation()
  const { podcastSync = false, appSignIn = false } = session.config.value ?? {}
  const { copyPath } = useCopyFeed()
  const fields = <SignInFields onMakePassword={onMakePassword} />
  return (
    <SettingGroup title={t('apps-connect')}>
      <Guide way={ways.library} isOn={appSignIn}>
        <ol>
          <li>{t('apps-library-1')}</li>
          <li>{t('apps-enter-address')}</li>
          <li>
            {t('apps-sign-in')}
            {fields}
            {session.config.value?.oidcConfigured && t('apps-single-sign-on')}
          </li>
          <li>{t('apps-library-4')}</li>
        </ol>
        {session.isOpen.value && <p>{t('apps-open-text')}</p>}
        <ProxyNote />
      </Guide>
      <Guide way={ways.gpodder} isOn={podcastSync}>
        <ol>
          <li>{t('apps-gpodder-1')}</li>
          <li>{t('apps-gpodder-2')}</li>
          <li>
            {t('apps-sign-in')}
            {fields}
          </li>
        </ol>
        <ProxyNote />
      </Guide>
      <Guide way={ways.nextcloud} isOn={podcastSync}>
        <ol>
          <li>{t('apps-nextcloud-1')}</li>
          <li>{t('apps-enter-address')}</li>
          <li>{t('apps-nextcloud-3')}</li>
        </ol>
        <ProxyNote />
      </Guide>
      <Guide way={ways.feeds} isOn>
        <ol>
          <li>
            {t('apps-feeds-1')}{' '}
            <button type="button" className="guide-make" onClick={() => void copyPath('')}>
              {t('copy-feed-everything')}
            </button>
          </li>
          <li>{t('apps-feeds-2')}</li>
        </ol>
        {!session.isOpen.value && (
          <p>
            {t('apps-feeds-key')} <Link href={routes.profile}>{t('profile')}</Link>
          </p>
        )}
      </Guide>
      <Guide way={ways.assistants} isOn>
        <AssistantSteps onMakeKey={onMakeKey} />
        <ProxyNote />
      </Guide>
    </SettingGroup>
  )
}

/** A proxy that asks everybody to sign in keeps apps out. */
function ProxyNote() {
  useSignals()
  const { session } = useApp()
  const { t } = useTranslation()
  return session.config.value?.reverseProxy ? <p>{t('apps-proxy')}</p> : null
}
