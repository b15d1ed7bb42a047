import { useSignals } from '@preact/signals-react/runtime'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { FilterChip } from '../../components/filter-chip'
import { SettingRow, useDraft } from './setting-row'

export type NumberBounds = {
  min: number
  max: number
  /** The value that means all of them, and the initial value when a number is chosen instead. */
  all?: { value: number | null; instead: number }
  /** Whether there may be no number, which is null. */
  isOptional?: true
}

type Props = {
  label: string
  help: string
  unit: string
  /** The name under which an invalid text is kept. */
  draft: string
  bounds: NumberBounds
  value: number | null
  /** Shown in an empty field. */
  placeholder?: string | undefined
  /** The server's reason, if it refused the value. */
  failure?: string | null
  onRetry?: () => void
  onChange: (value: number | null) => void
}

/** A number that is saved once the field is left. An invalid one stays, with the reason. */
export function NumberRow({
  label,
  help,
  unit,
  draft: name,
  bounds,
  value,
  placeholder,
  failure,
  onRetry,
  onChange,
}: Props) {
  useSignals()
  const { t } = useTranslation()
  const { min, max, all } = bounds
  const draft = useDraft(name, textOf(value, bounds))
  const [isEditing, setEditing] = useState(false)
  const last = useRef(all?.instead ?? min)
  const isAll = all !== undefined && value === all.value && !draft.isChanged
  const parsed = parse(draft.value, bounds)
  const isWrong = parsed === undefined && !isEditing
  const reason = isWrong ? t('whole-number', { min, max }) : failure

  function commit() {
    setEditing(false)
    if (!draft.isChanged || parsed === undefined) return
    if (parsed === value) draft.forget()
    else onChange(parsed)
  }
  // The browser's Back leaves the page without leaving the field first.
  const leave = useEffectEvent(commit)
  useEffect(() => () => leave(), [])
  if (typeof value === 'number' && value !== all?.value) last.current = value

  return (
    <SettingRow label={label} help={help} failure={reason} onRetry={isWrong ? undefined : onRetry}>
      {({ 'aria-labelledby': labelledBy, ...ids }) => (
        <div className="setting-number row gap-8">
          <span className="setting-field inset-12 rounded row muted">
            <input
              {...ids}
              className="grow plain"
              aria-labelledby={`${labelledBy} ${ids.id}-unit`}
              aria-invalid={reason ? true : undefined}
              inputMode="numeric"
              autoComplete="off"
              maxLength={9}
              placeholder={placeholder ?? (all && '–')}
              value={draft.value}
              onFocus={() => setEditing(true)}
              onChange={event => draft.change(event.target.value)}
              onBlur={commit}
              onKeyDown={event => {
                if (event.key === 'Enter') commit()
              }}
            />
            <span id={`${ids.id}-unit`}>{unit}</span>
          </span>
          {all && (
            <AllChip
              of={label}
              isOn={isAll}
              onToggle={() => {
                draft.forget()
                onChange(isAll ? last.current : all.value)
              }}
            />
          )}
        </div>
      )}
    </SettingRow>
  )
}

/** Means all values. For screen readers, it begins with the name of the row. */
function AllChip({ of, isOn, onToggle }: { of: string; isOn: boolean; onToggle: () => void }) {
  const { t } = useTranslation()
  const label = (
    <>
      <span className="visually-hidden">{of}: </span>
      {t('all')}
    </>
  )
  return <FilterChip label={label} isOn={isOn} onToggle={onToggle} />
}

const textOf = (value: number | null, { all }: NumberBounds) =>
  value === null || value === all?.value ? '' : String(value)

/** Reads a number; an empty text means all, or none, if there is such a choice. Undefined = invalid. */
export function parse(text: string, { min, max, all, isOptional }: NumberBounds): number | null | undefined {
  const given = text.trim()
  if (given === '') return isOptional ? null : all?.value
  const number = /^\d+$/.test(given) ? Number(given) : Number.NaN
  return number >= min && number <= max ? number : undefined
}
