import { useSignals } from '@preact/signals-react/runtime'
import { ChevronDown } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { NewAppPassword } from '../../../../shared/api/access'
import { useApp } from '../../../app-context'
import { Notice } from '../../../components/notice'
import { CopyLine, useCopyFeed } from '../../../library/forms/copy'
import { QrBox } from '../../../library/forms/qr-box'
import { SettingGroup } from '../../../library/forms/setting-row'
import { routes } from '../../../routes'
import { useAdministrationApi } from '../../../use-administration'
import { AccessList, useAccess } from './access-list'
import { configFor, NewAssistantKey, ShownOnce } from './new-assistant-key'
import { type ServerAddress, useServerAddress, type Way, ways } from './reach'
import './apps.css'

/** Everything about apps on phones, in cars and on speakers: how they connect, and which have access. */
export function AppsTab() {
  useSignals()
  const { session } = useApp()
  const { t } = useTranslation()
  const access = useAccess()
  const [making, setMaking] = useState<'password' | 'key' | null>(null)
  const { podcastSync, appSignIn } = session.config.value ?? {}
  const takesPasswords = session.user.value !== null && (podcastSync || appSignIn)
  return (
    <>
      <AddressCard />
      <Guides onMakePassword={() => setMaking('password')} onMakeKey={() => setMaking('key')} />
      <section className="apps-access">
        <header className="gap-8 x-16 below-12 wrap row spread">
          <h2 className="flush">{t('apps-with-access')}</h2>
          {takesPasswords && (
            <button type="button" className="secondary" onClick={() => setMaking('password')}>
              {t('new-app-password')}
            </button>
          )}
        </header>
        <AccessList {...access} />
      </section>
      {making === 'password' && <NewPassword onMade={() => void access.retry()} onClose={() => setMaking(null)} />}
      {making === 'key' && <NewAssistantKey onMade={() => void access.retry()} onClose={() => setMaking(null)} />}
    </>
  )
}

type Props = { onMade: () => void; onClose: () => void }

/** Makes a password for one app, and shows it once. */
function NewPassword(props: Props) {
  const { t } = useTranslation()
  const { appPasswords } = useAdministrationApi()
  return (
    <ShownOnce
      {...props}
      title={t('new-app-password')}
      label={t('app-password-name')}
      create={name => appPasswords.create(name)}
      renderMade={(made, close) => <Made password={made} onClose={close} />}
    />
  )
}

function Made({ password: { name, password }, onClose }: { password: NewAppPassword; onClose: () => void }) {
  const { t } = useTranslation()
  return (
    <div className="app-password">
      <p>
        <strong>{t('app-password-of', { name })}</strong>
      </p>
      <CopyLine text={password} inGroups />
      <p className="muted">{t('app-password-once')}</p>
      <QrBox text={password} label={t('app-password-qr')} />
      <footer>
        <button type="button" onClick={onClose}>
          {t('done')}
        </button>
      </footer>
    </div>
  )
}

/** The server's address for an app: to type, to copy, or to scan. */
function AddressCard() {
  useSignals()
  const { t } = useTranslation()
  const found = useServerAddress()
  return (
    <>
      <SettingGroup title={t('server-address')}>
        <div className="apps-address padded wrap row gap-16 spread">
          <div>
            <CopyLine text={found.address} />
            <p className="muted">{t('apps-address-text')}</p>
          </div>
          <QrBox text={found.address} label={t('apps-qr', { address: found.address })} />
        </div>
      </SettingGroup>
      <Reach of={found} />
    </>
  )
}

/** Warns if apps cannot reach the address, or not safely. */
function Reach({ of: { isLocal, isPlain } }: { of: ServerAddress }) {
  useSignals()
  const { session } = useApp()
  const { t } = useTranslation()
  if (isLocal)
    return (
      <Notice title={t('apps-local')}>
        <p>{t('apps-local-text')}</p>
        {session.isOpen.value && <p>{t('apps-local-open')}</p>}
      </Notice>
    )
  return isPlain ? <Notice title={t('apps-plain')}>{t('apps-plain-text')}</Notice> : null
}

type GuidesProps = { onMakePassword: () => void; onMakeKey: () => void }

/** Steps for every kind of app. `onMakePassword`, `onMakeKey`: absent if the app needs none. */
function Guides({ onMakePassword, onMakeKey }: GuidesProps) {
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
            <button
              type="button"
              className="guide-make accent underlined start plain"
              onClick={() => void copyPath('')}
            >
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

/** A proxy that asks everybody to sign in blocks apps. */
function ProxyNote() {
  useSignals()
  const { session } = useApp()
  const { t } = useTranslation()
  return session.config.value?.reverseProxy ? <p>{t('apps-proxy')}</p> : null
}

/** The name and password to enter in an app. */
function SignInFields({ onMakePassword }: { onMakePassword: () => void }) {
  useSignals()
  const { session } = useApp()
  const { t } = useTranslation()
  const user = session.user.value
  if (!user) return <p>{t('apps-open-any')}</p>
  return (
    <dl className="guide-fields above-4 stack gap-4">
      <div className="wrap x-16">
        <dt className="faint">{t('username')}</dt>
        <dd className="shrinks">
          <code>{user.username}</code>
        </dd>
      </div>
      <div className="wrap x-16">
        <dt className="faint">{t('password')}</dt>
        <dd className="shrinks">
          {t(session.config.value?.basicAuth ? 'apps-password-or' : 'apps-password-only')}{' '}
          <button type="button" className="guide-make accent underlined start plain" onClick={onMakePassword}>
            {t('new-app-password')}
          </button>
        </dd>
      </div>
    </dl>
  )
}

type GuideProps = { way: Way; isOn: boolean; children: ReactNode }

/** One way for apps to reach the library: what it gives, and its steps, or what would turn it on. */
function Guide({ way: { name, apps, setting }, isOn, children }: GuideProps) {
  const { t } = useTranslation()
  return (
    <details className="guide flush fold">
      <summary className="stack gap-2 x-12 level flush ink breaks">
        <span className="guide-title wrap row">
          <strong>{t(`apps-${name}`)}</strong>
          {!isOn && <span className="count is-word muted">{t('apps-off')}</span>}
        </span>
        <ChevronDown className="faint" size={18} aria-hidden="true" />
        {apps.length > 0 && <small className="fine ink">{apps.join(' · ')}</small>}
        <small className="fine faint">{t(`apps-${name}-text`)}</small>
      </summary>
      {isOn ? children : <TurnedOff name={name} setting={setting} />}
    </details>
  )
}

function TurnedOff({ name, setting }: { name: string; setting: string | undefined }) {
  useSignals()
  const { session } = useApp()
  const { t } = useTranslation()
  if (session.isOpen.value && name !== 'library') return <p>{t('gpodder-off')}</p>
  return <p>{session.isAdmin.value ? t('apps-off-admin', { setting }) : t('apps-off-text')}</p>
}

/** Steps to connect an assistant: its address, a key, and what most of them ask for. */
function AssistantSteps({ onMakeKey }: { onMakeKey: () => void }) {
  useSignals()
  const { session } = useApp()
  const { t } = useTranslation()
  const { address } = useServerAddress()
  const hasKeys = session.user.value !== null
  return (
    <>
      <ol>
        <li>
          {t('apps-assistants-1')}
          <CopyLine text={`${address}/mcp`} />
        </li>
        {hasKeys && (
          <li>
            {t('apps-assistants-2')}{' '}
            <button type="button" className="guide-make accent underlined start plain" onClick={onMakeKey}>
              {t('new-assistant-key')}
            </button>
          </li>
        )}
        <li>
          {t('apps-assistants-3')}
          <pre className="guide-config breaks text-s shaded">
            <code className="plain">{configFor(address, hasKeys ? '…' : null)}</code>
          </pre>
        </li>
      </ol>
      {!hasKeys && <p>{t('apps-assistants-open')}</p>}
    </>
  )
}
