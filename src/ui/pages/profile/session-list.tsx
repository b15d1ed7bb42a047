import { AppWindow, LogOut, MonitorSmartphone, RefreshCw } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Session } from '../../../shared/api/sign-in'
import { useApp } from '../../app-context'
import { IconButton } from '../../components/buttons'
import { useAction } from '../../components/use-action'
import { formatMoment, formatRelative } from '../../format'
import { FormDialog } from '../../library/forms/form-dialog'
import { useAdministrationApi } from '../../use-administration'
import type { SignIn } from './sign-in-parts'
import './profile.css'

const icons = { browser: MonitorSmartphone, sync: RefreshCw, app: AppWindow }

type Props = { all: readonly Session[]; change: SignIn['changeSessions'] }

/** Browsers and apps that are signed in, each with a button that signs it out. */
export function SessionList({ all, change }: Props) {
  const { sessions: api } = useAdministrationApi()
  const { toasts, failed } = useApp()
  const { t } = useTranslation()
  const id = useId()
  const section = useRef<HTMLElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  const [isEndingOthers, setEndingOthers] = useState(false)
  // A notice leads here.
  useEffect(() => {
    if (location.hash === '#sessions') section.current!.scrollIntoView({ block: 'start' })
  }, [])

  async function end(session: Session, button: HTMLElement) {
    await api.end(session.id)
    focusAfter(button)
    change(known => known.filter(one => one.id !== session.id))
    toasts.done(t('session-ended', { name: session.device || t('unknown-device') }))
  }
  /** Moves the focus away from a row that is removed: to the next button, or to the heading. */
  function focusAfter(button: HTMLElement) {
    if (document.activeElement !== button) return
    const buttons = [...section.current!.querySelectorAll<HTMLElement>('.session-list button')]
    const next = buttons[buttons.indexOf(button) + 1] ?? heading.current
    next?.focus()
  }
  async function endOthers() {
    await api.endOthers()
    change(known => known.filter(one => one.isCurrent))
    toasts.done(t('other-sessions-ended'))
  }
  return (
    <section className="card padded below-28" ref={section} aria-labelledby={id}>
      <h2 id={id} ref={heading} tabIndex={-1}>
        {t('sessions')}
      </h2>
      {all.length === 0 && <p className="muted">{t('sessions-none')}</p>}
      <ul className="session-list below-12 lined">
        {all.map(session => (
          <SessionRow key={session.id} session={session} onEnd={button => end(session, button)} onFailed={failed} />
        ))}
      </ul>
      {all.some(session => !session.isCurrent) && (
        <button type="button" className="secondary" onClick={() => setEndingOthers(true)}>
          {t('end-other-sessions')}
        </button>
      )}
      {isEndingOthers && (
        <FormDialog
          isDanger
          title={t('end-other-sessions')}
          action={t('end-other-sessions')}
          onSubmit={endOthers}
          onClose={() => setEndingOthers(false)}
        >
          <p>{t('end-other-sessions-text')}</p>
        </FormDialog>
      )}
    </section>
  )
}

type RowProps = {
  session: Session
  onEnd: (button: HTMLElement) => Promise<void>
  onFailed: (error: unknown) => void
}

function SessionRow({ session, onEnd, onFailed }: RowProps) {
  const { t } = useTranslation()
  const ending = useAction(onEnd, onFailed)
  const { kind, device, place, way, createdAt, lastSeenAt, isCurrent, keepsPassword } = session
  const Icon = icons[kind]
  const name = device || t('unknown-device')
  const facts = [
    kind !== 'browser' && t(kind === 'app' ? 'app' : 'session-sync'),
    way && t(`session-by-${way}`),
    place,
    t('session-since', { day: formatMoment(createdAt) }),
  ].filter(Boolean)
  return (
    <li className="row gap-12">
      <Icon className="faint" size={20} strokeWidth={1.75} aria-hidden="true" />
      <div className="grow">
        <strong dir="auto">{name}</strong>{' '}
        {isCurrent && <span className="soft count is-word">{t('this-browser')}</span>}
        <small className="block faint">{facts.join(' · ')}</small>
        {!isCurrent && (
          <small className="block faint">
            {t('session-last-seen')} <time dateTime={lastSeenAt}>{formatRelative(lastSeenAt)}</time>
          </small>
        )}
        {!isCurrent && kind === 'browser' && keepsPassword && (
          <small className="block faint">{t('session-keeps-password')}</small>
        )}
      </div>
      {!isCurrent && (
        // Not disabled until then: that would take the focus away.
        <IconButton
          icon={LogOut}
          label={t('end-session', { name })}
          aria-busy={ending.isBusy}
          onClick={event => ending.run(event.currentTarget)}
        />
      )}
    </li>
  )
}
