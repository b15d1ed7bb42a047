import { useSignals } from '@preact/signals-react/runtime'
import { type ReactNode, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { useApp } from '../../app-context'
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

export type RowProps = {
  label: string
  help?: ReactNode
  /** The reason why the value was refused; replaces the help. */
  failure?: string | null | undefined
  /** Sends the refused value again. */
  onRetry?: (() => void) | undefined
  /** Renders the control, which is named and described by these ids. */
  children: (ids: { id: string; 'aria-labelledby': string; 'aria-describedby'?: string }) => ReactNode
}

/** A setting: its name, what it does, and at the end its control. */
export function SettingRow({ label, help, failure, onRetry, children }: RowProps) {
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
      </div>
      {children({ id, 'aria-labelledby': `${id}-name`, ...(text && { 'aria-describedby': `${id}-help` }) })}
    </div>
  )
}

type SwitchProps = Pick<RowProps, 'label' | 'help' | 'failure' | 'onRetry'> & {
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
