import { useSignals } from '@preact/signals-react/runtime'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import type { Destination, DestinationKind, NewsType } from '../../../../shared/api/notification'
import { newsForAdmins, newsTypes } from '../../../../shared/choices'
import { useApp } from '../../../app-context'
import { Check, TextField } from '../../../components/fields'

type Props = {
  kind: DestinationKind
  fields: Fields
  onChange: (change: Partial<Fields>) => void
  /** The field that was refused, and why. */
  failure: { field: string; reason: string } | null
  /** An address and possibly a token are stored, which empty fields do not change. */
  isKept?: boolean
}

const inputs = { address: { type: 'url', inputMode: 'url', maxLength: 2000 }, token: { maxLength: 1000 } } as const

/** The form of a destination: its address, its events, and its quiet hours. */
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
      <legend className="text-s strong below-4">{t('destination-wishes')}</legend>
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
      <legend className="text-s strong below-4">{t('destination-quiet-hours')}</legend>
      <Check isOn={isQuiet} onChange={isQuiet => onChange({ isQuiet })}>
        {t('destination-quiet-wait')}
      </Check>
      {isQuiet && (
        <div className="destination-hours stack gap-16 above-8">
          <TextField label={t('quiet-from')} type="time" required value={from} onChange={from => onChange({ from })} />
          <TextField label={t('quiet-to')} type="time" required value={to} onChange={to => onChange({ to })} />
        </div>
      )}
      {isQuiet && <small className="muted">{t('destination-quiet-help')}</small>}
    </fieldset>
  )
}

/** The fields of a destination's form. */
export type Fields = {
  name: string
  address: string
  token: string
  events: readonly NewsType[]
  isQuiet: boolean
  from: string
  to: string
}

export const newFields = (name: string): Fields => ({
  name,
  address: '',
  token: '',
  events: usualNews,
  isQuiet: false,
  from: '22:00',
  to: '07:00',
})

/** Addresses and tokens are never shown again: empty fields leave them as they are. */
export const fieldsOf = ({ name, events, quietHours }: Destination): Fields => ({
  ...newFields(name),
  events,
  isQuiet: quietHours !== null,
  ...quietHours,
})

/** The fields that every destination is saved with: the time zone of this browser, and the language of this page. */
export function wishesOf({ name, events, isQuiet, from, to }: Fields, language: string) {
  return {
    name: name.trim(),
    events: [...events],
    quietHours: isQuiet ? { from, to } : null,
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    language,
  }
}

/** Finds a kind by name. One that the server does not know, after an older version was installed, has only its name. */
export const kindOf = (kinds: readonly DestinationKind[], name: string): DestinationKind =>
  kinds.find(({ kind }) => kind === name) ?? { kind: name, label: name, icon: [], fields: [] }

export const kindName = (t: TFunction, { kind, label }: DestinationKind) => label ?? t(`destination-${kind}`)

export const KindIcon = ({ kind: { icon } }: { kind: DestinationKind }) => (
  <svg
    viewBox="0 0 24 24"
    width={20}
    height={20}
    fill="none"
    stroke="currentColor"
    strokeWidth={1.75}
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
  >
    {icon.map(outline => (
      <path key={outline} d={outline} />
    ))}
  </svg>
)

const offeredNews = (isAdmin: boolean) => (isAdmin ? [...newsTypes, ...newsForAdmins] : newsTypes)

/** The types that a new destination gets by default. */
const usualNews: readonly NewsType[] = ['newEpisodes', 'liveStarted', 'signedInElsewhere', 'accountAttacked']

/** A name for this browser: its name and its system. */
export function nameOfBrowser(userAgent: string): string {
  const browser = [
    ['Edg/', 'Edge'],
    ['OPR/', 'Opera'],
    ['Firefox/', 'Firefox'],
    ['Chrome/', 'Chrome'],
    ['Safari/', 'Safari'],
  ].find(([mark]) => userAgent.includes(mark!))?.[1]
  const system = /Android|iPhone|iPad|Windows|Macintosh|CrOS|Linux/.exec(userAgent)?.[0].replace('Macintosh', 'Mac')
  return [browser, system].filter(Boolean).join(' · ')
}
