import { useSignals } from '@preact/signals-react/runtime'
import { useTranslation } from 'react-i18next'
import type { DestinationKind } from '../../../../shared/api/destination'
import { useApp } from '../../../app-context'
import { Check } from '../../../components/check'
import { TextField } from '../../../components/text-field'
import type { Fields } from './fields'
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

const inputs = { address: { type: 'url', inputMode: 'url', maxLength: 2000 }, token: { maxLength: 1000 } } as const

/** The form of a destination: where it is, what it is sent, and when not. */
export function DestinationFields({ kind, fields, onChange, failure, isKept = false }: Props) {
  const { t } = useTranslation()
  return (
    <>
      {kind.fields.map(({ name, isRequired }) => (
        <TextField
          key={name}
          label={t(`destination-${name}-${kind.kind}`)}
          help={t(isKept ? 'destination-kept' : `destination-${name}-help-${kind.kind}`)}
          failure={failure?.field === name ? failure.reason : null}
          {...inputs[name]}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          value={fields[name]}
          onChange={text => onChange({ [name]: text })}
          required={isRequired && !isKept}
        />
      ))}
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
    <fieldset className="destination-wishes stack gap-4 spaced">
      <legend className="label">{t('destination-wishes')}</legend>
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
    <fieldset className="destination-wishes stack gap-4 spaced">
      <legend className="label">{t('destination-quiet-hours')}</legend>
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
