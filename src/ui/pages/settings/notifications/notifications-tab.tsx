import { BellRing, EllipsisVertical, Pencil, Plus, Send, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Destination, DestinationKind } from '../../../../shared/api/notification'
import { Loaded, Empty } from '../../../components/states'
import { AddDestination } from './add-destination'
import {
  describeDeliveryFailure,
  describePushFailure,
  type Destinations,
  useDestinations,
  useRefusedField,
} from './use-destinations'
import './notifications.css'
import { currentLanguage } from '../../../i18n'
import { FormDialog, ShownAtField } from '../../../library/forms/form-dialog'
import { DestinationFields, fieldsOf, KindIcon, kindName, kindOf, wishesOf } from './destination-fields'
import { useApp } from '../../../app-context'
import { BusyButton } from '../../../components/buttons'
import { Menu } from '../../../components/menu'
import { useAction } from '../../../components/use-action'
import { formatRelative } from '../../../format'

/** The destinations of news besides the bell. */
export function NotificationsTab() {
  const { t } = useTranslation()
  const all = useDestinations()
  const { destinations, kinds } = all
  const [isAdding, setAdding] = useState(false)
  const [edited, setEdited] = useState<Destination | null>(null)
  const add = (
    <button type="button" className="with-icon" onClick={() => setAdding(true)}>
      <Plus size={18} aria-hidden="true" />
      {t('destination-add')}
    </button>
  )
  return (
    <section className="destinations">
      <header className="gap-8 x-16 below-8 wrap row spread">
        <h2 className="flush">{t('destinations')}</h2>
        {kinds.data !== null && destinations.data !== null && destinations.data.length > 0 && add}
      </header>
      <Loaded resource={kinds} rows={2}>
        {kinds => (
          <Loaded resource={destinations} rows={2}>
            {list =>
              list.length === 0 ? (
                <Empty icon={BellRing} action={add}>
                  {t('destinations-empty')}
                </Empty>
              ) : (
                <>
                  <p className="muted">{t('destinations-text')}</p>
                  <ul className="stack gap-12 above-16">
                    {list.map(one => (
                      <DestinationCard
                        key={one.id}
                        destination={one}
                        kind={kindOf(kinds, one.kind)}
                        all={all}
                        onEdit={() => setEdited(one)}
                      />
                    ))}
                  </ul>
                </>
              )
            }
          </Loaded>
        )}
      </Loaded>
      {isAdding && <AddDestination kinds={kinds.data ?? []} all={all} onClose={() => setAdding(false)} />}
      {edited && <EditDestination destination={edited} all={all} onClose={() => setEdited(null)} />}
    </section>
  )
}

type Props = { destination: Destination; all: Destinations; onClose: () => void }

/** Changes a destination. Its address and its token stay unless others are entered. */
function EditDestination({ destination, all: { api, destinations, kinds }, onClose }: Props) {
  const { t } = useTranslation()
  const kind = kindOf(kinds.data ?? [], destination.kind)
  const { failure, refuse, forget } = useRefusedField(kind)
  const [fields, setFields] = useState(() => fieldsOf(destination))
  const { id, name } = destination

  async function save() {
    const { address, token } = fields
    try {
      await api.edit(id, {
        ...wishesOf(fields, currentLanguage()),
        ...(address.trim() && { address }),
        ...(token.trim() && { token }),
      })
    } catch (error) {
      refuse(error)
      throw new ShownAtField()
    }
    void destinations.retry()
  }
  return (
    <FormDialog title={name} action={t('save')} onSubmit={save} onClose={onClose}>
      <DestinationFields
        isKept
        kind={kind}
        fields={fields}
        failure={failure}
        onChange={changed => {
          setFields(before => ({ ...before, ...changed }))
          forget()
        }}
      />
    </FormDialog>
  )
}

type CardProps = { destination: Destination; kind: DestinationKind; all: Destinations; onEdit: () => void }

/** A destination: its kind, the result of the last message, and the actions on it. */
export function DestinationCard({ destination, kind, all, onEdit }: CardProps) {
  const { t } = useTranslation()
  const { id, name, host, isOn, quietHours } = destination
  const { isTesting, test, switchTo, remove } = useCommands(destination, kind, all)
  const isHere = all.push.id() === id
  const where = isHere ? t('destination-here') : [kindName(t, kind), kind.kind !== 'push' && host]
  const quiet = quietHours && t('destination-quiet', { from: quietHours.from, to: quietHours.to })
  return (
    <li className="destination gap-4 x-12 level stack card" aria-label={name} aria-busy={isTesting}>
      <span className="disc">
        <KindIcon kind={kind} />
      </span>
      <div className="destination-text shrinks breaks stack gap-2">
        <strong dir="auto">{name}</strong>
        <span className="muted">{[where, quiet].flat().filter(Boolean).join(' · ')}</span>
        <Status destination={destination} kind={kind} all={all} isTesting={isTesting} />
      </div>
      <input
        type="checkbox"
        role="switch"
        aria-label={t('destination-on', { name })}
        aria-checked={isOn}
        checked={isOn}
        onChange={event => void switchTo(event.target.checked)}
      />
      <Menu
        icon={EllipsisVertical}
        label={t('more-of', { name })}
        heading={name}
        items={[
          { icon: Send, label: t('destination-test'), onSelect: test },
          { icon: Pencil, label: t('destination-edit'), onSelect: onEdit },
          { group: '', icon: Trash2, label: t('delete'), isDanger: true, onSelect: () => void remove() },
        ]}
      />
    </li>
  )
}

type StatusProps = Omit<CardProps, 'onEdit'> & { isTesting: boolean }

/** Shows the last message; if the browser is no longer subscribed, it offers to subscribe again. */
function Status({ destination, kind, all, isTesting }: StatusProps) {
  const { t } = useTranslation()
  const { isOn, lastSuccessAt, lastFailureAt, lastFailure, lastStatus, hasEnded, waiting, nextAt } = destination
  if (isTesting)
    return (
      <small className="fine faint" role="status">
        {t('destination-testing')}
      </small>
    )
  if (hasEnded && kind.kind === 'push') return <Ended destination={destination} all={all} />
  const hasFailed = lastFailure !== null && (lastSuccessAt ?? '') < (lastFailureAt ?? '')
  const waits = waiting > 0 ? ` · ${t('destination-waiting', { count: waiting })}` : ''
  if (hasFailed)
    return (
      <small className="fine field-failure">
        {t('destination-failed', { when: formatRelative(lastFailureAt!) })}{' '}
        {describeDeliveryFailure(t, kind, lastFailure, lastStatus)}
        {nextAt && ` ${t('next-try', { when: formatRelative(nextAt) })}`}
        {waits}
      </small>
    )
  if (!isOn) return <small className="fine faint">{t('destination-off')}</small>
  return (
    <small className="fine faint">
      {lastSuccessAt ? t('destination-delivered', { when: formatRelative(lastSuccessAt) }) : t('destination-never')}
      {waits}
    </small>
  )
}

function Ended({ destination: { id }, all: { push, device, destinations } }: Pick<CardProps, 'destination' | 'all'>) {
  const { toasts } = useApp()
  const { t } = useTranslation()
  const renewing = useAction(
    async () => {
      await push.renew(id)
      await destinations.retry()
    },
    error => toasts.failed(describePushFailure(t, error)),
  )
  const canRenew = push.id() === id && device.obstacle() === null
  return (
    <>
      <small className="fine field-failure">{t(canRenew ? 'destination-ended-here' : 'destination-ended')}</small>
      {canRenew && (
        <BusyButton className="secondary small" isBusy={renewing.isBusy} onClick={() => renewing.run()}>
          {t('destination-renew')}
        </BusyButton>
      )}
    </>
  )
}

function useCommands({ id, name }: Destination, kind: DestinationKind, { api, destinations }: Destinations) {
  const { toasts, failed } = useApp()
  const { t } = useTranslation()
  const testing = useAction(async () => {
    const { failure, status } = await api.test(id)
    if (failure) toasts.failed(`${name}: ${describeDeliveryFailure(t, kind, failure, status)}`)
    else toasts.done(t('destination-tested', { name }))
    await destinations.retry()
  }, failed)

  const restore = () => api.restore(id).then(destinations.retry)
  return {
    isTesting: testing.isBusy,
    test: () => testing.run(),
    async switchTo(isOn: boolean) {
      destinations.change(list => list.map(one => (one.id === id ? { ...one, isOn } : one)))
      await api.edit(id, { isOn }).catch(failed)
      await destinations.retry()
    },
    async remove() {
      try {
        await api.remove(id)
        toasts.done(t('destination-removed', { name }), {
          label: t('undo'),
          run: () => void restore().catch(failed),
        })
        await destinations.retry()
      } catch (error) {
        failed(error)
      }
    },
  }
}
