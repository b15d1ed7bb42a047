import { Copy } from 'lucide-react'
import { type ComponentProps, type ReactNode, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { IconButton } from './buttons'
import './panels.css'

type ControlProps = { id: string; 'aria-describedby'?: string; 'aria-invalid'?: true }

type FieldTexts = {
  label: string
  help?: string | undefined
  /** The reason why the value was refused; replaces the help. */
  failure?: string | null | undefined
}

/** Labels a control and shows help or a failure below it. */
export function Field({
  label,
  help,
  failure,
  children,
}: FieldTexts & { children: (props: ControlProps) => ReactNode }) {
  const id = useId()
  const text = failure ?? help
  return (
    <div className="field">
      <label className="text-s strong" htmlFor={id}>
        {label}
      </label>
      {children({ id, ...(text && { 'aria-describedby': `${id}-help` }), ...(failure && { 'aria-invalid': true }) })}
      {text && (
        <small
          id={`${id}-help`}
          className={`muted block ${failure ? 'field-failure' : ''}`}
          role={failure ? 'alert' : undefined}
        >
          {text}
        </small>
      )}
    </div>
  )
}

/** Says why a form as a whole was refused. */
export function FormFailure({ reason }: { reason: string | null }) {
  if (!reason) return null
  return (
    <p className="field-failure" role="alert">
      {reason}
    </p>
  )
}

type Props = FieldTexts & Omit<ComponentProps<'input'>, 'onChange'> & { onChange?: (text: string) => void }

/** A labelled input of one line. `onChange` gets the text. */
export function TextField({ label, help, failure, onChange, ...input }: Props) {
  return (
    <Field label={label} help={help} failure={failure}>
      {props => <input {...input} {...props} {...(onChange && { onChange: event => onChange(event.target.value) })} />}
    </Field>
  )
}

type SelectFieldProps<T extends string> = {
  label: string
  help?: string
  value: T
  options: readonly T[]
  /** Returns the words for an option. */
  textOf: (option: T) => string
  onChange: (option: T) => void
}

/** A labelled choice of one option. */
export function SelectField<T extends string>({ label, help, value, options, textOf, onChange }: SelectFieldProps<T>) {
  return (
    <Field label={label} help={help}>
      {props => (
        <select {...props} value={value} onChange={event => onChange(event.target.value as T)}>
          {options.map(option => (
            <option key={option} value={option}>
              {textOf(option)}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}

type NumberInputProps = Omit<ComponentProps<'input'>, 'value' | 'min' | 'max' | 'onChange'> & {
  value: number
  min: number
  max: number
  onChange: (value: number) => void
}

/**
 * A whole number between two others. What is typed in the meantime and isn't such a number is shown, but not passed on.
 */
export function NumberInput({ value, min, max, onChange, ...input }: NumberInputProps) {
  const [text, setText] = useState(String(value))
  const isFine = (typed: string) => /^\d+$/.test(typed) && Number(typed) >= min && Number(typed) <= max
  return (
    <input
      {...input}
      type="number"
      inputMode="numeric"
      required
      min={min}
      max={max}
      // The value may have been changed from elsewhere.
      value={isFine(text) && Number(text) !== value ? String(value) : text}
      onChange={event => {
        setText(event.target.value)
        if (isFine(event.target.value)) onChange(Number(event.target.value))
      }}
    />
  )
}

type CheckProps = {
  children: ReactNode
  isOn: boolean
  onChange: (isOn: boolean) => void
  isDisabled?: boolean
  /** The accessible name, for a label that contains more than the name. */
  name?: string
}

/** A checkbox with its label. */
export function Check({ children, isOn, onChange, isDisabled = false, name }: CheckProps) {
  return (
    <label className="check row gap-4 below-8 pressable">
      <input
        type="checkbox"
        aria-label={name}
        disabled={isDisabled}
        checked={isOn}
        onChange={event => onChange(event.target.checked)}
      />
      {children}
    </label>
  )
}

type KeyFieldProps = {
  label: string
  help: string
  value: string
  placeholder?: string
  /** Shows dots instead of the key. */
  isHidden?: boolean
  /** Absent if there is nothing to copy. */
  onCopy?: (() => void) | false
  /** Buttons next to it. */
  children: ReactNode
}

/** A key that is shown to be copied, and cannot be edited. */
export function KeyField({ label, help, value, placeholder, isHidden, onCopy, children }: KeyFieldProps) {
  const { t } = useTranslation()
  const id = useId()
  return (
    <>
      <label className="text-s strong" htmlFor={id}>
        {label}
      </label>
      <div className="key-field below-4 flex gap-4">
        <input
          className="grow"
          id={id}
          {...(isHidden && { type: 'password', autoComplete: 'off' })}
          value={value}
          placeholder={placeholder}
          readOnly
          aria-describedby={`${id}-help`}
        />
        {onCopy && <IconButton icon={Copy} label={t('copy')} onClick={onCopy} />}
        {children}
      </div>
      <small className="block faint" id={`${id}-help`}>
        {help}
      </small>
    </>
  )
}
