import { useId, type ReactNode } from 'react'

type ControlProps = { id: string; 'aria-describedby'?: string; 'aria-invalid'?: true }

export type FieldTexts = {
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
      <label htmlFor={id}>{label}</label>
      {children({ id, ...(text && { 'aria-describedby': `${id}-help` }), ...(failure && { 'aria-invalid': true }) })}
      {text && (
        <small id={`${id}-help`} className={failure ? 'field-failure' : ''} role={failure ? 'alert' : undefined}>
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
