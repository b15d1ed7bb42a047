import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Config } from '../../../shared/api/system'
import type { SetupChoices, SetupView } from '../../../shared/api/setup'
import { ApiError } from '../../api/client'
import { useApp } from '../../app-context'
import { BusyButton } from '../../components/buttons'
import { Field, FormFailure, TextField } from '../../components/fields'
import { FrontDoor } from '../../components/front-door'
import { Notice } from '../../components/notice'
import { onSubmit, useAction } from '../../components/use-action'
import { describeFailure } from '../../failure'
import { accountFailure, PasswordField, UsernameField } from '../../library/forms/account-fields'
import { Connection } from './connection'

type Setup = { code: string; view: SetupView }

/** Sets a new server up. Only a person with the code from the server's log gets further than the first field. */
export function SetupPage() {
  const { client } = useApp()
  const { t } = useTranslation()
  const [setup, setSetup] = useState<Setup | null>(null)
  const opening = useAction(async (form: HTMLFormElement) => {
    const code = String(new FormData(form).get('code'))
    setSetup({ code, view: await client.post<SetupView>('/setup/view', { code }) })
  })
  if (setup)
    return (
      <FrontDoor key="answers" title={t('setup')}>
        <Answers {...setup} />
      </FrontDoor>
    )
  return (
    <FrontDoor title={t('setup')}>
      <form onSubmit={onSubmit(opening.run)}>
        <TextField
          label={t('setup-code')}
          help={t('setup-code-help')}
          failure={opening.failure === null ? null : describeFailure(opening.failure)}
          name="code"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={40}
          // Entering it is all that the page is for.
          // oxlint-disable-next-line jsx-a11y/no-autofocus
          autoFocus
          required
        />
        <BusyButton type="submit" className="wide" isBusy={opening.isBusy}>
          {t('continue')}
        </BusyButton>
      </form>
    </FrontDoor>
  )
}

const ways = ['password', 'oidc', 'proxy', 'open'] as const
type Way = (typeof ways)[number]

function Answers({ code, view }: Setup) {
  const { t } = useTranslation()
  const mayChoose = (variable: string) => !view.given.includes(variable)
  const [way, setWay] = useState<Way>('password')
  const [trusts, setTrusts] = useState(view.untrustedProxy !== null && mayChoose('TRUSTED_PROXIES'))
  const finishing = useFinishing({ code, view }, way, trusts)
  const failure = finishing.failure === null ? null : accountFailure(finishing.failure)
  const failureAt = (at: 'username' | 'password' | 'form') => (failure?.at === at ? failure.reason : null)

  if (finishing.isDone) return <Starting />
  return (
    <form onSubmit={onSubmit(finishing.run)}>
      {view.given.length > 0 && <Notice>{t('setup-given', { names: view.given.join(', ') })}</Notice>}
      <Field label={t('setup-way')}>
        {props => (
          <select {...props} value={way} onChange={event => setWay(event.target.value as Way)}>
            {ways.map(one => (
              <option key={one} value={one}>
                {t(`setup-way-${one}`)}
              </option>
            ))}
          </select>
        )}
      </Field>
      {way === 'open' && <Notice>{t('setup-open-text')}</Notice>}
      {way === 'oidc' && <ProviderFields />}
      {way === 'proxy' && (
        <TextField
          label={t('setup-header')}
          name="header"
          defaultValue="X-Forwarded-User"
          spellCheck={false}
          required
        />
      )}
      {(way === 'password' || way === 'proxy') && (
        <UsernameField
          key={way}
          label={t('setup-admin')}
          name="username"
          defaultValue={view.username ?? undefined}
          // The configuration names the built-in admin; a proxy may name somebody else.
          readOnly={way === 'password' && view.username !== null}
          failure={failureAt('username')}
        />
      )}
      {way === 'password' && (
        <PasswordField
          name="password"
          help={t('password-rule')}
          failure={failureAt('password')}
          autoComplete="new-password"
          required
        />
      )}
      <MediaFields view={view} />
      {mayChoose('SERVER_URL') && (
        <TextField label={t('setup-address')} help={t('setup-address-help')} name="address" type="url" />
      )}
      <Connection view={view} trusts={trusts} onTrust={setTrusts} />
      <FormFailure reason={failureAt('form')} />
      <BusyButton type="submit" className="wide" isBusy={finishing.isBusy}>
        {t('setup-finish')}
      </BusyButton>
    </form>
  )
}

const USUAL_START_MS = 30_000

/** Says that the server starts, and after a while what to do if it doesn't. This page continues once it answers. */
function Starting() {
  const { t } = useTranslation()
  const [isLate, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), USUAL_START_MS)
    return () => clearTimeout(timer)
  }, [])
  return (
    <div role="status">
      <p aria-busy="true">{t('setup-starting')}</p>
      {isLate && <Notice>{t('setup-starting-late')}</Notice>}
    </div>
  )
}

function ProviderFields() {
  const { t } = useTranslation()
  return (
    <>
      <TextField label={t('setup-authority')} name="authority" type="url" required />
      <TextField label={t('setup-client-id')} name="clientId" spellCheck={false} required />
      <TextField
        label={t('setup-client-secret')}
        help={t('setup-client-secret-help')}
        name="clientSecret"
        type="password"
        autoComplete="off"
      />
      <TextField
        label={t('setup-scope')}
        help={t('setup-scope-help')}
        name="scope"
        defaultValue="openid profile email"
        spellCheck={false}
      />
      <TextField
        label={t('setup-admin-claim')}
        help={t('setup-admin-claim-help')}
        name="adminClaim"
        spellCheck={false}
        pattern=".+:.+"
        required
      />
    </>
  )
}

/** Asks where episodes are stored. A bucket is offered unless the environment says something about one. */
function MediaFields({ view }: Pick<Setup, 'view'>) {
  const { t } = useTranslation()
  const [isBucket, setBucket] = useState(false)
  const isSet = view.given.some(name => name === 'MEDIA_STORAGE' || name.startsWith('S3_'))
  return (
    <>
      {!isSet && (
        <Field label={t('setup-storage')}>
          {props => (
            <select
              {...props}
              value={isBucket ? 's3' : 'folder'}
              onChange={event => setBucket(event.target.value === 's3')}
            >
              <option value="folder">{t('setup-storage-folder')}</option>
              <option value="s3">{t('setup-storage-s3')}</option>
            </select>
          )}
        </Field>
      )}
      {isBucket ? (
        <>
          <TextField label={t('setup-bucket-address')} name="bucketAddress" type="url" required />
          <TextField label={t('setup-bucket')} name="bucketName" spellCheck={false} required />
          <TextField label={t('setup-bucket-region')} name="bucketRegion" defaultValue="us-east-1" spellCheck={false} />
          <TextField label={t('setup-bucket-key')} name="bucketKey" autoComplete="off" spellCheck={false} required />
          <TextField label={t('setup-bucket-secret')} name="bucketSecret" type="password" autoComplete="off" required />
          <TextField
            label={t('setup-bucket-prefix')}
            help={t('setup-bucket-prefix-help')}
            name="bucketPrefix"
            spellCheck={false}
          />
        </>
      ) : (
        !view.given.includes('PODCAST_DIRECTORY') && (
          <TextField label={t('setup-media')} name="mediaFolder" defaultValue={view.mediaFolder} spellCheck={false} />
        )
      )}
    </>
  )
}

const texts = [
  'username',
  'password',
  'authority',
  'clientId',
  'clientSecret',
  'scope',
  'adminClaim',
  'header',
  'address',
  'mediaFolder',
  ...(['bucketAddress', 'bucketName', 'bucketRegion', 'bucketKey', 'bucketSecret', 'bucketPrefix'] as const),
] as const
const POLL_MS = 500
const ANSWER_MS = 5000

/** Sends the answers, waits until the server runs with them, and signs the admin in. */
function useFinishing({ code, view }: Setup, way: Way, trusts: boolean) {
  const { client, session, prefix } = useApp()
  const [isDone, setDone] = useState(false)
  const finishing = useAction(async (form: HTMLFormElement) => {
    const given = new FormData(form)
    const choices = {
      way,
      prefix: view.prefix,
      trustedProxy: trusts ? (view.untrustedProxy ?? '') : '',
      host: '',
      port: '',
      ...(Object.fromEntries(texts.map(name => [name, String(given.get(name) ?? '')])) as Record<
        (typeof texts)[number],
        string
      >),
    } satisfies SetupChoices
    if (choices.mediaFolder === view.mediaFolder) choices.mediaFolder = ''
    await client.post('/setup', { code, choices }).catch(error => {
      // The server may have closed the connection before its answer arrived.
      if (!(error instanceof ApiError) || error.status !== 0) throw error
    })
    setDone(true)
    while (await isWaiting()) await new Promise(resolve => setTimeout(resolve, POLL_MS))
    // Without it, the admin signs in on the next page; the answers can't be sent again.
    if (way === 'password')
      await session.logIn({ username: choices.username, password: choices.password }, false).catch(() => undefined)
    location.replace(`${prefix}/ui/`)
  })
  async function isWaiting() {
    // A proxy may hold a request that was sent while the server was down.
    const config = await client.get<Config>('/sys/config', {}, AbortSignal.timeout(ANSWER_MS)).catch(() => null)
    return config === null || config.setup === true
  }
  return { ...finishing, isDone: isDone && finishing.failure === null }
}
