import { useSignals } from '@preact/signals-react/runtime'
import { useTranslation } from 'react-i18next'
import type { DestinationKind } from '../../../../shared/api/destination'
import { useApp } from '../../../app-context'
import { Check } from '../../../components/check'
import { TextField } from '../../../components/text-field'
import { takesToken, type Fields } from './fields'
import { offeredNews } from './kinds'

type Props = {
  kind: DestinationKind
  fields: Fields
  onChange: (change: Partial<Fields>) => void
  /** The field that was refused, and why. */
  failure: { field: string; reason: string } | null
  /** An address and perhaps a token are kept, which empty fields leave as they are. */
  isKept?: boolean
}

/** The form of a destination: where it is, what it is sent, and when not. */
export function DestinationFields({ kind, fields, onChange, failure, isKept = false }: Props) {
  const { t } = useTranslation()
  const failureAt = (field: string) => (failure?.field === field ? failure.reason : null)
  return (
    <>
      {kind !== 'push' && (
        <TextField
          label={t(`destination-address-${kind}`)}
          help={t(isKept ? 'destination-kept' : `destination-address-help-${kind}`)}
          failure={failureAt('address')}
          type="url"
          inputMode="url"
          maxLength={2000}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          value={fields.address}
          onChange={address => onChange({ address })}
          required={!isKept}
        />
      )}
      {takesToken(kind) && (
        <TextField
          label={t(`destination-token-${kind}`)}
          help={t(isKept ? 'destination-kept' : `destination-token-help-${kind}`)}
          failure={failureAt('token')}
          maxLength={1000}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          value={fields.token}
          onChange={token => onChange({ token })}
          required={kind === 'gotify' && !isKept}
        />
      )}
      <TextField
        label={t('name')}
        maxLength={100}
        autoComplete="off"
        value={fields.name}
        onChange={name => onChange({ name })}
        required
      />
      <Wishes fields={fields} onChange={onChange} />
      <Quiet fields={fields} onChange={onChange} />
    </>
  )
}

type PartProps = Pick<Props, 'fields' | 'onChange'>

function Wishes({ fields: { events }, onChange }: PartProps) {
  useSignals()
  const { session } = useApp()
  const { t } = useTranslation()
  return (
    <fieldset className="destination-wishes">
      <legend>{t('destination-wishes')}</legend>
      {offeredNews(session.isAdmin.value).map(type => (
        <Check
          key={type}
          isOn={events.includes(type)}
          onChange={isOn => onChange({ events: isOn ? [...events, type] : events.filter(one => one !== type) })}
        >
          {t(`destination-event-${type}`)}
        </Check>
      ))}
    </fieldset>
  )
}

function Quiet({ fields: { isQuiet, from, to }, onChange }: PartProps) {
  const { t } = useTranslation()
  return (
    <fieldset className="destination-wishes">
      <legend>{t('destination-quiet-hours')}</legend>
      <Check isOn={isQuiet} onChange={isQuiet => onChange({ isQuiet })}>
        {t('destination-quiet-wait')}
      </Check>
      {isQuiet && (
        <div className="destination-hours">
          <TextField label={t('quiet-from')} type="time" required value={from} onChange={from => onChange({ from })} />
          <TextField label={t('quiet-to')} type="time" required value={to} onChange={to => onChange({ to })} />
        </div>
      )}
      {isQuiet && <small className="muted">{t('destination-quiet-help')}</small>}
    </fieldset>
  )
}
