import { useSignals } from '@preact/signals-react/runtime'
import { Fingerprint, KeyRound } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'wouter'
import { passkeysApi } from '../../api/administration'
import { ApiError } from '../../api/client'
import { useApp } from '../../app-context'
import { BusyButton } from '../../components/buttons'
import { FormFailure, TextField } from '../../components/fields'
import { FrontDoor } from '../../components/front-door'
import { Notice } from '../../components/notice'
import { onSubmit, useAction } from '../../components/use-action'
import {
  askForPasskey,
  hasPasskeys,
  isNumericHost,
  mayOfferPasskeys,
  offerPasskeys,
  stopOffering,
} from '../../device/passkeys'
import { describeFailure } from '../../failure'
import { PasswordField, UsernameField } from '../../library/forms/account-fields'
import '../../state/account'
import { ENDED_KEY, type LoginData } from '../../state/credentials'

/** Offers the configured ways to sign in. */
export function LoginPage() {
  useSignals()
  const { session } = useApp()
  const { t } = useTranslation()
  const config = session.config.value!
  const oidc = session.oidc.value
  const failure = oidc?.error.value
  const [isEnded] = useState(() => sessionStorage.getItem(ENDED_KEY) !== null)
  useEffect(() => sessionStorage.removeItem(ENDED_KEY), [])
  return (
    <FrontDoor title={t('sign-in')}>
      {isEnded && <Notice>{t('signed-out-elsewhere')}</Notice>}
      {failure && (
        <Notice title={t('error-authenticating')} isFailure>
          <p>{t(`oidc-${failure.failure}`, { detail: failure.detail })}</p>
          {failure.failure !== 'unknown' && <p className="muted">{failure.detail}</p>}
        </Notice>
      )}
      {config.basicAuth && <LoginForm />}
      {config.basicAuth && oidc && <p className="front-door-or row gap-12 muted">{t('or')}</p>}
      {oidc && (
        <BusyButton
          className={`with-icon wide centred ${config.basicAuth ? 'outline' : ''}`}
          isBusy={oidc.isBusy.value}
          onClick={() => void oidc.signIn()}
        >
          {!oidc.isBusy.value && <KeyRound size={18} aria-hidden="true" />}
          {t('sign-in-with-sso')}
        </BusyButton>
      )}
      {!config.basicAuth && !oidc && (
        <Notice title={t('error-authenticating')} isFailure>
          <p>{t('proxy-names-nobody')}</p>
        </Notice>
      )}
    </FrontDoor>
  )
}

// The session loads it for the sign-in: it is part of the page, so that a server that is away is reported as such.
/** A right name and password, for which the server wants a code, too. */
type Pending = { login: LoginData; remember: boolean }

/** Signs in by user name and password, with a code where a second factor is on, or by a passkey. */
export function LoginForm() {
  const [pending, setPending] = useState<Pending | null>(null)
  if (pending) return <CodeForm pending={pending} onBack={() => setPending(null)} />
  return <NameForm onCodeNeeded={setPending} />
}

function NameForm({ onCodeNeeded }: { onCodeNeeded: (pending: Pending) => void }) {
  const { session } = useApp()
  const { t } = useTranslation()
  const enter = useEntering()
  const password = useRef<HTMLInputElement>(null)
  const remember = useRef<HTMLInputElement>(null)
  const loggingIn = useAction(async (form: HTMLFormElement) => {
    const given = new FormData(form)
    const login = { username: String(given.get('username')), password: String(given.get('password')) }
    const wished = { login, remember: given.has('remember') }
    const entered = await session.logIn(login, wished.remember).catch(error => {
      if (error instanceof ApiError && error.code === 'second-factor-needed') return null
      password.current?.select()
      throw error
    })
    if (entered) await enter(entered)
    else onCodeNeeded(wished)
  })
  return (
    <form onSubmit={onSubmit(loggingIn.run)}>
      <Refusal failure={loggingIn.failure} />
      {/* Signing in is all that the page is for. */}
      {/* oxlint-disable-next-line jsx-a11y/no-autofocus */}
      <UsernameField name="username" autoComplete="username webauthn" autoFocus />
      <PasswordField
        name="password"
        ref={password}
        autoComplete="current-password"
        aria-invalid={loggingIn.failure !== null || undefined}
        required
      />
      <label className="check row gap-4 below-8 pressable">
        <input name="remember" type="checkbox" ref={remember} />
        {t('remember-me')}
      </label>
      <BusyButton type="submit" className="wide" isBusy={loggingIn.isBusy}>
        {t('sign-in')}
      </BusyButton>
      {hasPasskeys() && !isNumericHost() && <PasskeyButton isRemembered={() => remember.current?.checked ?? false} />}
      <p className="muted text-s above-12">{t('forgotten-password')}</p>
    </form>
  )
}

function CodeForm({ pending: { login, remember }, onBack }: { pending: Pending; onBack: () => void }) {
  const { session } = useApp()
  const { t } = useTranslation()
  const enter = useEntering()
  const field = useRef<HTMLInputElement>(null)
  const loggingIn = useAction(async (form: HTMLFormElement) => {
    const code = String(new FormData(form).get('code'))
    const entered = await session.logIn(login, remember, code).catch(error => {
      field.current?.select()
      throw error
    })
    await enter(entered)
  })
  return (
    <form onSubmit={onSubmit(loggingIn.run)}>
      <Refusal failure={loggingIn.failure} />
      <TextField
        label={t('second-factor-code')}
        help={t('second-factor-code-help')}
        name="code"
        ref={field}
        autoComplete="one-time-code"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={100}
        aria-invalid={loggingIn.failure !== null || undefined}
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
        required
      />
      <BusyButton type="submit" className="wide" isBusy={loggingIn.isBusy}>
        {t('sign-in')}
      </BusyButton>
      <button type="button" className="quiet" onClick={onBack}>
        {t('back')}
      </button>
    </form>
  )
}

function Refusal({ failure }: { failure: unknown }) {
  const { t } = useTranslation()
  if (failure === null) return null
  return (
    <Notice title={t('error-authenticating')} isFailure>
      <p>{describeFailure(failure)}</p>
    </Notice>
  )
}

/** Signs in by a passkey: of the button's own, or one that the browser suggests in the field of the name. */
function PasskeyButton({ isRemembered }: { isRemembered: () => boolean }) {
  const { t } = useTranslation()
  const { isBusy, failure, ask } = usePasskeySignIn(isRemembered)
  return (
    <>
      <BusyButton className="with-icon outline wide centred above-12" isBusy={isBusy} onClick={ask}>
        {!isBusy && <Fingerprint size={18} aria-hidden="true" />}
        {t('use-passkey')}
      </BusyButton>
      <FormFailure reason={failure === null ? null : describeFailure(failure)} />
    </>
  )
}

/** A challenge expires after ten minutes. */
const RENEWED_EVERY_MS = 8 * 60_000

/**
 * Signs in by a passkey when `ask` is called, and lets the browser suggest passkeys until then. A browser does one of
 * both at a time.
 */
function usePasskeySignIn(isRemembered: () => boolean) {
  const { client, session } = useApp()
  const enter = useEntering()
  const [api] = useState(() => passkeysApi(client))
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)
  const [isAsking, setAsking] = useState(false)

  async function signIn(response: Awaited<ReturnType<typeof askForPasskey>>) {
    if (!response) return
    setBusy(true)
    setFailure(null)
    try {
      const me = await api.signIn({ response, remember: isRemembered() })
      await enter(session.signedInAs(me))
    } catch (error) {
      setFailure(error)
    }
    setBusy(false)
  }
  const latest = useRef(signIn)
  useEffect(() => {
    latest.current = signIn
  })

  useEffect(() => {
    if (isAsking) return
    let isOver = false
    const timer = setInterval(() => void stopOffering(), RENEWED_EVERY_MS)
    async function offer() {
      if (!(await mayOfferPasskeys())) return
      while (!isOver) await latest.current(await offerPasskeys(await api.request()))
    }
    // Nobody has asked for it: without it there are the button and the form.
    void offer().catch(() => undefined)
    return () => {
      // Asking ends what is offered.
      isOver = true
      clearInterval(timer)
    }
  }, [api, isAsking])
  useEffect(() => () => void stopOffering(), [])

  async function ask() {
    setAsking(true)
    setFailure(null)
    try {
      await signIn(await askForPasskey(await api.request()))
    } catch (error) {
      setFailure(error)
    }
    setAsking(false)
  }
  return { isBusy: isBusy || isAsking, failure, ask: () => void ask() }
}

const REDIRECT_MS = 100

/** Returns what leads from the sign-in to the page that was wanted. */
function useEntering() {
  const [, navigate] = useLocation()
  return async (enter: () => void) => {
    await new Promise(resolve => setTimeout(resolve, REDIRECT_MS))
    navigate('/', { replace: true })
    enter()
  }
}
