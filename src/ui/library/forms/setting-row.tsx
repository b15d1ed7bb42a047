import { useSignals } from '@preact/signals-react/runtime'
import { Minus, Plus } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApp } from '../../app-context'
import { describeFailure } from '../../failure'
import '../library.css'

/** Groups rows of settings in a card, under a heading. */
export function SettingGroup({ title, children }: { title?: string; children: ReactNode }) {
  const id = useId()
  return (
    <section className="setting-group below-28" aria-labelledby={title && id}>
      {title && <h2 id={id}>{title}</h2>}
      <div className="card lined">{children}</div>
    </section>
  )
}

type RowProps = {
  label: string
  help?: ReactNode
  /** The reason why the value was refused; replaces the help. */
  failure?: string | null | undefined
  /** Sends the refused value again. */
  onRetry?: (() => void) | undefined
  /** Gives a setting of this device its usual value again; null = it has that. */
  onReset?: (() => void) | null
  /** Renders the control, which is named and described by these ids. */
  children: (ids: { id: string; 'aria-labelledby': string; 'aria-describedby'?: string }) => ReactNode
}

/** A setting: its name, what it does, and at the end its control. */
export function SettingRow({ label, help, failure, onRetry, onReset = null, children }: RowProps) {
  const { t } = useTranslation()
  const id = useId()
  const text = failure ?? help
  return (
    <div className="setting-row gap-8 x-16 relative wrap row">
      <div className="setting-name shrinks breaks stack">
        <label className="title flush" id={`${id}-name`} htmlFor={id}>
          {label}
        </label>
        {text && (
          <small
            id={`${id}-help`}
            className={`fine ${failure ? 'field-failure' : 'faint'}`}
            role={failure ? 'alert' : undefined}
          >
            {text}
          </small>
        )}
        {failure && onRetry && (
          <button type="button" className="link-button plain accent over relative" onClick={onRetry}>
            {t('try-again')}
          </button>
        )}
        {onReset && (
          <span className="fine faint">
            {t('only-on-this-device')} ·{' '}
            <button
              type="button"
              className="link-button plain accent over relative"
              aria-describedby={`${id}-name`}
              onClick={onReset}
            >
              {t('reset-sound')}
            </button>
          </span>
        )}
      </div>
      {children({ id, 'aria-labelledby': `${id}-name`, ...(text && { 'aria-describedby': `${id}-help` }) })}
    </div>
  )
}

type SwitchProps = Omit<RowProps, 'children'> & {
  isOn: boolean
  /**
   * Shown until the server has said whether it is on: the row keeps its place, so that the page does not shift later.
   */
  isUnknown?: boolean
  onChange: (isOn: boolean) => void
}

export function SettingSwitch({ isOn, isUnknown = false, onChange, ...row }: SwitchProps) {
  return (
    <SettingRow {...row}>
      {ids => (
        <input
          {...ids}
          className="relative over"
          type="checkbox"
          role="switch"
          aria-checked={isOn}
          checked={isOn}
          disabled={isUnknown}
          onChange={event => onChange(event.target.checked)}
        />
      )}
    </SettingRow>
  )
}

/** The fields of a named form: as `saved`, or as changed and not yet saved, also after leaving the page. */
export function useDraft<T>(name: string, saved: T) {
  useSignals()
  const { drafts } = useApp()
  const draft = drafts.all.value.get(name) as T | undefined
  return {
    value: draft ?? saved,
    isChanged: draft !== undefined,
    change: (next: T) => drafts.keep(name, next),
    forget: () => drafts.forget(name),
  }
}

type ChoiceProps<T> = Omit<RowProps, 'children'> & {
  value: T
  options: readonly T[]
  textOf: (option: T) => string
  /** Whether buttons around it lead to the option before and after. */
  isStepped?: boolean
  onChange: (option: T) => void
}

/** A choice of one option. */
export function SettingChoice<T extends string | number>(props: ChoiceProps<T>) {
  const { value, options, textOf, isStepped = false, onChange, ...row } = props
  const at = options.indexOf(value)
  // Its list says all, so nobody needs the buttons to be read out.
  const step = (to: number, Icon: typeof Plus) => (
    <button
      type="button"
      className="icon-button"
      tabIndex={-1}
      aria-hidden="true"
      disabled={options[to] === undefined}
      onClick={() => onChange(options[to]!)}
    >
      <Icon size={18} strokeWidth={1.75} />
    </button>
  )
  return (
    <SettingRow {...row}>
      {ids => {
        const list = (
          <select {...ids} value={value} onChange={event => onChange(options[event.target.selectedIndex]!)}>
            {options.map(option => (
              <option key={option} value={option}>
                {textOf(option)}
              </option>
            ))}
          </select>
        )
        if (!isStepped) return list
        return (
          <span className="setting-steps row rounded">
            {step(at - 1, Minus)}
            {list}
            {step(at + 1, Plus)}
          </span>
        )
      }}
    </SettingRow>
  )
}

/**
 * Saves a setting as soon as it is changed. A refused value stays, with the reason and a way to send it again. `saved`:
 * the value as the server knows it.
 */
export function useSetting<T>(saved: T, save: (value: T) => Promise<unknown>) {
  const [wanted, setWanted] = useState<{ chosen: T; failure: string | null } | null>(null)
  async function change(value: T) {
    const mine = { chosen: value, failure: null }
    setWanted(mine)
    const failure = await save(value).then(
      () => null,
      (error: unknown) => describeFailure(error),
    )
    setWanted(now => (now !== mine ? now : failure === null ? null : { chosen: value, failure }))
  }
  return {
    value: wanted ? wanted.chosen : saved,
    failure: wanted?.failure ?? null,
    onChange: (value: T) => void change(value),
    onRetry: () => wanted && void change(wanted.chosen),
  }
}
