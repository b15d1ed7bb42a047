import { useId, type ReactNode } from 'react'

type ControlProps = { id: string; 'aria-describedby'?: string; 'aria-invalid'?: true }
type Props = {
  label: string
  help?: string
  /** What is wrong with what was given; stands in place of the help. */
  failure?: string | null
  children: (props: ControlProps) => ReactNode
}

/** A control with its name above, and help or complaint beneath. */
export function Field({ label, help, failure, children }: Props) {
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
