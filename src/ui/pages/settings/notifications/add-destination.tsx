import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { DestinationKind, NewDestination } from '../../../../shared/api/notification'
import { useApp } from '../../../app-context'
import { BusyButton } from '../../../components/buttons'
import { Dialog } from '../../../components/dialog'
import { Notice } from '../../../components/notice'
import { onSubmit, useAction } from '../../../components/use-action'
import { currentLanguage } from '../../../i18n'
import { CopyLine } from '../../../library/forms/copy'
import {
  DestinationFields,
  type Fields,
  KindIcon,
  kindName,
  nameOfBrowser,
  newFields,
  wishesOf,
} from './destination-fields'
import { type Destinations, useRefusedField } from './use-destinations'

type Props = { kinds: readonly DestinationKind[]; all: Destinations; onClose: () => void }

/** Adds a destination: first its kind, then where it is. The secret of a webhook is shown once at the end. */
export function AddDestination({ kinds, all, onClose }: Props) {
  const { t } = useTranslation()
  const [kind, setKind] = useState<DestinationKind | null>(null)
  const [made, setMade] = useState<NewDestination | null>(null)
  const title = made ? made.name : kind ? kindName(t, kind) : t('destination-add')
  return (
    <Dialog title={title} onClose={onClose}>
      {close => {
        if (made) return <Secret secret={made.secret!} onClose={close} />
        if (!kind) return <Kinds kinds={kinds} all={all} onChosen={setKind} />
        const done = (one: NewDestination) => (one.secret ? setMade(one) : close())
        return <NewForm kind={kind} all={all} onMade={done} onBack={() => setKind(null)} />
      }}
    </Dialog>
  )
}

type KindsProps = Pick<Props, 'kinds' | 'all'> & { onChosen: (kind: DestinationKind) => void }

function Kinds({ kinds, all: { push, destinations }, onChosen }: KindsProps) {
  const { t } = useTranslation()
  const here = push.id()
  // It may have been deleted since, here or elsewhere.
  const isHereAlready = destinations.data?.some(({ id }) => id === here) ?? false
  return (
    <ul className="destination-kinds stack gap-12 above-16">
      {kinds.map(kind => {
        const isDone = kind.kind === 'push' && isHereAlready
        return (
          <li key={kind.kind}>
            <button
              type="button"
              className="quiet stack gap-2 x-16 level wide start"
              disabled={isDone}
              onClick={() => onChosen(kind)}
            >
              <KindIcon kind={kind} />
              <strong className="title ink">{kindName(t, kind)}</strong>
              <small className="fine faint regular breaks">
                {t(isDone ? 'push-exists' : `destination-text-${kind.kind}`)}
              </small>
            </button>
          </li>
        )
      })}
    </ul>
  )
}

type FormProps = {
  kind: DestinationKind
  all: Destinations
  onMade: (made: NewDestination) => void
  onBack: () => void
}

function NewForm({ kind, all: { api, destinations, device, push }, onMade, onBack }: FormProps) {
  const { toasts } = useApp()
  const { t } = useTranslation()
  const { failure, refuse, forget } = useRefusedField(kind)
  const isBrowser = kind.kind === 'push'
  const [fields, setFields] = useState(() =>
    newFields(isBrowser ? nameOfBrowser(navigator.userAgent) : kindName(t, kind)),
  )
  const obstacle = isBrowser ? device.obstacle() : null
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => form.current?.querySelector<HTMLElement>('input, button')?.focus(), [])
  function change(changed: Partial<Fields>) {
    setFields(before => ({ ...before, ...changed }))
    forget()
  }
  const making = useAction(async () => {
    const wishes = wishesOf(fields, currentLanguage())
    const { address, token } = fields
    const made = await (isBrowser ? push.add(wishes) : api.create({ kind: kind.kind, address, token, ...wishes }))
    toasts.done(t('destination-added', { name: made.name }))
    void destinations.retry()
    onMade(made)
  }, refuse)
  return (
    <form ref={form} onSubmit={onSubmit(() => making.run())}>
      {obstacle ? (
        <Notice isFailure>{t(`push-${obstacle}`)}</Notice>
      ) : (
        <>
          {isBrowser && <Notice>{t('push-ask')}</Notice>}
          <DestinationFields kind={kind} fields={fields} onChange={change} failure={failure} />
        </>
      )}
      <footer>
        <button type="button" className="secondary" onClick={onBack}>
          {t('back')}
        </button>
        {!obstacle && (
          <BusyButton type="submit" isBusy={making.isBusy}>
            {t('add')}
          </BusyButton>
        )}
      </footer>
    </form>
  )
}

function Secret({ secret, onClose }: { secret: string; onClose: () => void }) {
  const { t } = useTranslation()
  return (
    <>
      <p>{t('destination-secret')}</p>
      <CopyLine text={secret} />
      <p className="muted">{t('destination-secret-once')}</p>
      <footer>
        <button type="button" onClick={onClose}>
          {t('done')}
        </button>
      </footer>
    </>
  )
}
