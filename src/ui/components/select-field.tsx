import { Field } from './field'

type Props<T extends string> = {
  label: string
  help?: string
  value: T
  options: readonly T[]
  /** Returns the words for an option. */
  textOf: (option: T) => string
  onChange: (option: T) => void
}

/** A labelled choice of one option. */
export function SelectField<T extends string>({ label, help, value, options, textOf, onChange }: Props<T>) {
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
